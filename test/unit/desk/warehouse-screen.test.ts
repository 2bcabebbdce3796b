import { expect, it } from 'vitest'
import { cardScreen } from '../../../src/lib/desk/card-screen.ts'
import { WarehouseScreen } from '../../../src/lib/desk/warehouse-screen.ts'
import { newDesk } from '../../helpers/new-desk.ts'

/** Scans a code for which `returns get` prints this, and tells what was run and the colour of the outcome. */
async function scanned(answer: unknown) {
  const lines: string[] = []
  const desk = newDesk((words) => {
    lines.push(words.join(' '))
    if (words[0] === 'returns') return JSON.stringify(answer)
    return words[1] === 'create' ? '{"clientShipmentId": "SHP-1"}' : '{"files": []}'
  })
  const screen = new WarehouseScreen(desk, { printer: 'zebra', mayBuy: 1, yes: true, hasSound: false })
  for (const key of ['C', '1', 'return']) screen.onKey(key)
  await expect.poll(() => screen.items.length).toBe(1)
  return { lines, end: screen.items[0] }
}

it('a scanned return has its label bought and printed by id, because shops may share names', async () => {
  const { lines, end } = await scanned({ id: '113', name: 'R#-LU1', status: 'PENDING' })
  expect(lines).toEqual([
    'returns get C1',
    'labels create --for 113 --dry-run',
    'labels create --for 113 --out labels --yes',
    'labels print 113 --no-files --printer zebra',
  ])
  expect(end).toMatchObject({ style: 'green', status: expect.stringContaining('R#-LU1') })
})

it('a scanned code of several returns prints and buys nothing', async () => {
  const { lines, end } = await scanned([{ id: '1' }, { id: '2' }])
  expect(lines).toEqual(['returns get C1'])
  expect(end).toMatchObject({ style: 'red', message: 'Several returns: scan the tracking code of one' })
})

it('a card found in the search shows, and prints for, the return of that id', async () => {
  const lines: string[] = []
  const desk = newDesk((words) => String(lines.push(words.join(' '))))
  desk.open(cardScreen(desk, 'R#-LU1', '113'))
  desk.top?.draw({ columns: 80, rows: 24 })
  desk.onKey('p')
  await expect.poll(() => lines.at(-1)).toBe('labels print 113 --no-files')
  expect(lines.filter((line) => line.includes('R#-LU1'))).toEqual([])
})
