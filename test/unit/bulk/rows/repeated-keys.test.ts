import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Recurrence, RowSet } from '../../../../src/lib/bulk/rows/repeated-keys.ts'

describe('Recurrence', () => {
  it('never takes a key that comes again for one that comes once', () => {
    const keys = fc.array(fc.string({ maxLength: 3 }), { maxLength: 200 })
    fc.assert(
      fc.property(keys, (all) => {
        const recurrence = new Recurrence(all.length)
        for (const key of all) recurrence.see(key)
        const again = all.filter((key, at) => all.indexOf(key) !== at)
        expect(again.filter((key) => !recurrence.mayRecur(key))).toEqual([])
      }),
    )
  })

  it('knows almost all of those that come once', () => {
    const count = 100_000
    const recurrence = new Recurrence(count)
    for (let i = 0; i < count; i++) recurrence.see(`R#-${i}`)
    let mistakes = 0
    for (let i = 0; i < count; i++) if (recurrence.mayRecur(`R#-${i}`)) mistakes += 1
    expect(mistakes / count).toBeLessThan(0.13)
  })

  it('does not know a key that it has not seen', () => {
    expect(new Recurrence(1).mayRecur('R#-1')).toBe(false)
  })
})

describe('RowSet', () => {
  it('holds what was added, however far apart', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(3_000_000), { maxLength: 50 }), (rows) => {
        const set = new RowSet()
        for (const row of rows) set.add(row)
        const wrong = rows.filter((row) => !set.has(row) || (set.has(row + 1) && !rows.includes(row + 1)))
        expect(wrong).toEqual([])
      }),
    )
  })
})
