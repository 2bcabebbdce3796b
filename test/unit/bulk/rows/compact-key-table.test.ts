import fc from 'fast-check'
import { expect, it } from 'vitest'
import { KeyTable, withRoom } from '../../../../src/lib/bulk/rows/compact-key-table.ts'

it('numbers texts as a map does', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(fc.string(), fc.constantFrom('', 'a', 'b', '\ud800'))), (texts) => {
      const table = new KeyTable()
      const map = new Map<string, number>()
      for (const text of texts) {
        const known = map.get(text)
        expect(table.find(text)).toBe(known ?? -1)
        expect(table.add(text)).toEqual({ number: known ?? map.size, isNew: known === undefined })
        if (known === undefined) map.set(text, map.size)
      }
      expect(table.size).toBe(map.size)
    }),
  )
})

it('keeps a hundred thousand names apart, in little memory', () => {
  const table = new KeyTable()
  const names = Array.from({ length: 100_000 }, (_, i) => `R#-${i}`)
  expect(names.findIndex((name, i) => table.add(name).number !== i)).toBe(-1)
  expect(names.findIndex((name, i) => table.find(name) !== i)).toBe(-1)
  expect(table.find('R#-100000')).toBe(-1)
})

it('gives arrays room and keeps what is in them', () => {
  const array = Uint8Array.of(1, 2)
  expect(withRoom(array, 2)).toBe(array)
  expect([...withRoom(array, 3)]).toEqual([1, 2, 0])
  expect(withRoom(Float64Array.of(0.5), 10).slice(0, 2)).toEqual(Float64Array.of(0.5, 0))
})
