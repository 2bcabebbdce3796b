import { expect, it } from 'vitest'
import { SearchScreen } from '../../../src/lib/desk/search-screen.ts'
import type { CopiedReturn } from '../../../src/lib/services/returns/search.ts'
import { newDesk } from '../../helpers/new-desk.ts'

const SIZE = { columns: 120, rows: 10 }
const NAMES = ['R#-LU1', 'R#-LU12', 'R#-HV3']

/** Desk on a search of three returns, the second of which lacks all that may be missing. */
function deskOnSearch() {
  const record = (name: string, id: number) => ({
    id,
    name,
    status: 'PENDING',
    createdAt: '2026-03-01T10:00:00Z',
    ecommerceOrder: { name: `#${id}` },
    customer: { fullName: 'Giulia Bianchi' },
  })
  const found = NAMES.map((name, at) =>
    name === 'R#-LU12'
      ? { record: { id: at, name, status: 'CLOSED' }, lastScan: undefined }
      : { record: record(name, at), lastScan: '2 d' },
  ) as unknown as CopiedReturn[]
  const desk = newDesk(([topic]) =>
    topic === 'jobs'
      ? JSON.stringify([
          {
            jobId: '20261120-1200-aaaa',
            state: 'failed',
            total: 12,
            succeeded: 7,
            failed: 2,
            unknown: 1,
            remaining: 2,
          },
          { jobId: '20261121-1200-bbbb' },
        ])
      : '',
  )
  const screen = new SearchScreen(desk, async (text) =>
    found.filter(({ record: { name } }) => name?.includes(text.toUpperCase())),
  )
  desk.open(screen)
  const names = () => screen.items.map(({ record }) => record.name)
  const press = (...keys: string[]) => {
    for (const key of keys) desk.onKey(key)
  }
  return { desk, screen, names, press }
}

it('the search shows what matches as one types, each row with all of its facts', async () => {
  const { desk, screen, names, press } = deskOnSearch()
  await expect.poll(names).toEqual(NAMES)
  const [first, , , ...rows] = screen.draw(SIZE)
  expect(first).toBe('Search: █')
  expect(rows).toHaveLength(3)
  expect(rows[0]).toMatch(/^> R#-LU1 +waiting for the parcel +Giulia Bianchi +#0 +2026-03-01 +2 d *$/)
  expect(rows[1]).toMatch(/^ {2}R#-LU12 +closed +– *$/)
  press('l', 'u')
  await expect.poll(names).toEqual(['R#-LU1', 'R#-LU12'])
  press('backspace', 'escape')
  await expect.poll(names).toEqual(NAMES)
  expect(desk.top).toBe(screen)
})

it('Enter opens the only match, and asks to choose among several', async () => {
  const { desk, screen, names, press } = deskOnSearch()
  press('l', 'u', 'return')
  await expect.poll(() => desk.message).toBe('2 match: choose with the arrows, Enter opens.')
  press('down', 'return')
  await expect.poll(() => desk.top?.title).toBe('R#-LU12')
  press('escape')
  await expect.poll(names).toEqual(NAMES)
  press('h', 'v', 'return', 'return')
  await expect.poll(() => desk.top?.title).toBe('R#-HV3')
  press('escape')
  expect(desk.top).toBe(screen)
})

it('the jobs list shows state and counts of each job, and opens one', async () => {
  const { desk, press } = deskOnSearch()
  press('tab')
  await expect.poll(() => desk.top?.draw(SIZE).length).toBe(3)
  const [, failed, other] = desk.top?.draw(SIZE) ?? []
  expect(failed).toMatch(/^> 20261120-1200-aaaa +failed +12 +7 +2 +1 +2 *$/)
  expect(other).toMatch(/^ {2}20261121-1200-bbbb *$/)
  press('return')
  expect(desk.top?.title).toBe('job 20261120-1200-aaaa')
  press('g')
  expect(desk.question?.[0]).toBe('Go on with the job 20261120-1200-aaaa?')
})
