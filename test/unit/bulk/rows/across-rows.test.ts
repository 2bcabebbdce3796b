import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Contradictions, Hashes, RecurringKeys } from '../../../../src/lib/bulk/rows/across-rows.ts'

const ORDER = 'ABC'
const follows = (from: string, to: string) => ORDER.indexOf(from) < ORDER.indexOf(to)

type Claim = { key: string } & Omit<Parameters<Contradictions['add']>[1], 'row'>

function messages(...claims: Claim[]) {
  const found = new Contradictions(follows)
  for (const [i, { key, ...claim }] of claims.entries()) found.add(key, { row: i + 2, ...claim })
  return found.found.map(({ row, message }) => `${row}: ${message}`)
}

const of = (key: string, state: string, seconds: number, number?: string) => ({ key, state, seconds, number })

it.each([
  ['a life in order', [of('x', 'A', 1), of('x', 'B', 2)], []],
  ['the same twice', [of('x', 'A', 1), of('x', 'A', 1)], []],
  ['other shipments', [of('x', 'B', 1), of('y', 'A', 1)], []],
  [
    'two states at once',
    [of('x', 'A', 1), of('x', 'B', 1)],
    ['3: x is B at the same second at which row 2 has it A'],
  ],
  [
    'a state that comes too late',
    [of('x', 'C', 1), of('x', 'B', 2)],
    ["3: x can't be B when row 2 has it C"],
  ],
  [
    'dates that contradict the states, the earlier one later in the file',
    [of('x', 'B', 5), of('x', 'C', 2)],
    ["3: x can't be C when row 2 has it B"],
  ],
  [
    'reports in the wrong order',
    [of('x', 'B', 5), of('x', 'A', 2)],
    ['3: the update of x is older than that of row 2, which is sent before it'],
  ],
  [
    'two numbers, one between that says nothing',
    [of('x', 'A', 1, '1'), of('x', 'A', 2), of('x', 'A', 3, '2'), of('y', 'A', 3, '2')],
    ['4: x has another tracking number than in row 3'],
  ],
])('%s', (_name, claims, expected) => {
  expect(messages(...claims)).toEqual(expected)
})

it('all contradictions are counted, and some are kept', () => {
  const found = new Contradictions(follows)
  for (let row = 2; row < 3000; row++) {
    found.add(`k${row % 10}`, { row, state: row % 20 < 10 ? 'A' : 'B', seconds: 1 })
  }
  expect(found.count).toBeGreaterThan(2000)
  expect(found.found).toHaveLength(20)
})

it('a recurring key is never mistaken for a unique one', () => {
  const keys = fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 })
  fc.assert(
    fc.property(keys, (all) => {
      const recurrence = new RecurringKeys(all.length)
      for (const key of all) recurrence.see(key)
      const again = all.filter((key, at) => all.indexOf(key) !== at)
      expect(again.filter((key) => !recurrence.mayRecur(key))).toEqual([])
    }),
  )
})

it('almost all unique keys are recognized', () => {
  const count = 100_000
  const recurrence = new RecurringKeys(count)
  for (let i = 0; i < count; i++) recurrence.see(`R#-${i}`)
  let mistakes = 0
  for (let i = 0; i < count; i++) if (recurrence.mayRecur(`R#-${i}`)) mistakes += 1
  expect(mistakes / count).toBeLessThan(0.13)
})

it('a key that was not seen does not recur', () => {
  expect(new RecurringKeys(1).mayRecur('R#-1')).toBe(false)
})

it('add recognizes repeated hashes as a Set does, up to the last slot', () => {
  const hashes = fc.array(fc.bigInt({ min: 1n, max: 40n }), { minLength: 1, maxLength: 30 })
  fc.assert(
    fc.property(hashes, (all) => {
      const compact = new Hashes(all.length)
      expect(all.filter((hash) => compact.add(hash))).toEqual([...new Set(all)])
    }),
  )
})
