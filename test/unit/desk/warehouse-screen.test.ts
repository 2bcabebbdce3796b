import { expect, it } from 'vitest'
import type { CapturedLine } from '../../../src/lib/cli/captured-lines.ts'
import { cardScreen } from '../../../src/lib/desk/card-screen.ts'
import { WarehouseScreen } from '../../../src/lib/desk/warehouse-screen.ts'
import { newDesk } from '../../helpers/new-desk.ts'

/** Scans a code for which `returns get` prints this, and tells what was run and the colour of the outcome. */
async function scanned(answer: unknown, ends: Record<string, Partial<CapturedLine>> = {}) {
  const lines: string[] = []
  const desk = newDesk((words) => {
    lines.push(words.join(' '))
    if (words[0] === 'returns') return JSON.stringify(answer)
    const end = ends[words[1] ?? '']
    if (end) return end
    return words[1] === 'create' ? '{"clientShipmentId": "SHP-1"}' : '{"files": []}'
  })
  const screen = new WarehouseScreen(desk, { printer: 'zebra', maxLabels: 1, yes: true, hasSound: false })
  for (const key of ['C', '1', 'return']) screen.onKey(key)
  await expect.poll(() => screen.items.length).toBe(1)
  return { lines, end: screen.items[0] }
}

const RECORD = { id: '113', name: 'R#-LU1', status: 'PENDING', activeTransportation: { id: '7' } }

it('a scanned return has its label bought by id and printed by its transport, whatever shops share', async () => {
  const { lines, end } = await scanned(RECORD)
  expect(lines).toEqual([
    'returns get -- C1',
    'labels create --for 113 --dry-run',
    'labels create --for 113 --out labels --yes',
    'labels print R#-LU1-T7 --no-files --printer zebra',
  ])
  expect(end).toMatchObject({ style: 'green', status: expect.stringContaining('R#-LU1') })
})

it.each<[string, unknown, Parameters<typeof scanned>[1], object]>([
  [
    'a queue that confirms nothing is no success',
    RECORD,
    { print: { output: '{"files": [], "isConfirmed": false, "job": "q-7"}' } },
    { style: 'yellow', message: 'Queued: zebra' },
  ],
  [
    'a refused purchase is named where there is no label',
    RECORD,
    {
      create: { code: 2, error: { message: 'no HS code' } },
      print: { code: 5, error: { message: 'no label' } },
    },
    { style: 'red', message: 'Error: no HS code' },
  ],
  [
    'a return without a parcel is not printed',
    { ...RECORD, activeTransportation: null },
    {},
    { style: 'red', message: 'No parcel is under way, so there is no label' },
  ],
])('%s', async (_name, record, ends, expected) => {
  expect((await scanned(record, ends)).end).toMatchObject(expected)
})

it('a scanned code of several returns prints and buys nothing', async () => {
  const { lines, end } = await scanned([{ id: '1' }, { id: '2' }])
  expect(lines).toEqual(['returns get -- C1'])
  expect(end).toMatchObject({ style: 'red', message: 'Several returns: scan the tracking code of one' })
})

it('a card found in the search shows, and prints for, the return of that id', async () => {
  const lines: string[] = []
  const desk = newDesk((words) => {
    lines.push(words.join(' '))
    return JSON.stringify(RECORD)
  })
  desk.open(cardScreen(desk, 'R#-LU1', '113'))
  desk.top?.draw({ columns: 80, rows: 24 })
  desk.onKey('p')
  await expect.poll(() => lines.at(-1)).toBe('labels print R#-LU1-T7 --no-files')
  expect(lines.filter((line) => line.endsWith('R#-LU1'))).toEqual([])
})
