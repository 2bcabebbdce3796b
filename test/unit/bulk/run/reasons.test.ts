import { expect, it } from 'vitest'
import { Reasons } from '../../../../src/lib/bulk/run/reasons.ts'

it('counts rows by reason whatever names and numbers the messages hold, most frequent first', () => {
  const reasons = new Reasons()
  const fail = (row: number, code: string, message: string) =>
    reasons.add({ row, key: `R#-${row}`, status: 'failed', error: { code, message } })
  fail(1, 'BR01', 'The date is too early')
  for (let row = 9421; row >= 2; row -= 1) fail(row, 'NF02', `There is no return R#-${row} of 2026`)
  reasons.add({ row: 9422, key: '', status: 'unknown' })
  reasons.add({ row: 9423, key: 'R#-1', status: 'succeeded' })
  expect(reasons.details()).toEqual([
    { code: 'NF02', message: 'There is no return … of …', path: '9420 rows, first: row 2, R#-2' },
    { code: 'BR01', message: 'The date is too early', path: 'row 1, R#-1' },
    { message: 'unknown', path: 'row 9422' },
  ])
  expect(reasons.details(['unknown'])).toHaveLength(1)
})

it('ten reasons are named, and the rows of the others counted', () => {
  const reasons = new Reasons()
  for (let row = 1; row <= 12; row += 1) {
    const message = `${'ab'.repeat(row)} failed`
    reasons.add({ row, key: '', status: 'failed', error: { code: '', message } })
  }
  expect(reasons.details().at(-1)).toEqual({ message: 'and 2 rows for other reasons' })
})
