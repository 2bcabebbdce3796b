import { describe, expect, it } from 'vitest'
import { RecordCache } from '../../../../src/lib/sandbox/store/record-cache.ts'

const AROUND = ['[', ']'] as const

/** Writes each number so many characters long, and notes which were asked for. */
function writer(length = 5) {
  const asked: number[][] = []
  const write = (missing: readonly number[]) => {
    asked.push([...missing])
    return missing.map((no) => String(no).padStart(length, ' '))
  }
  return { asked, write }
}

function pageOf(numbers: readonly number[], length = 5): string {
  return `[${numbers.map((no) => String(no).padStart(length, ' ')).join()}]`
}

describe('pages of returns', () => {
  it('are as long as their records, the end included', () => {
    const cache = new RecordCache()
    for (let length = 1; length < 60; length++) {
      const { write } = writer(length)
      expect(String(cache.page([length], `${length}`, write, AROUND))).toBe(pageOf([length], length))
    }
    expect(String(cache.page([], '', writer().write, AROUND))).toBe('[]')
  })

  it('take what is unchanged from pages before', () => {
    const cache = new RecordCache()
    const { asked, write } = writer()
    cache.page([9, 8, 7], 'UTC', write, AROUND)
    cache.forget(8)
    expect(String(cache.page([10, 9, 8, 7], 'UTC', write, AROUND))).toBe(pageOf([10, 9, 8, 7]))
    expect(String(cache.page([7, 10], 'UTC', write, AROUND))).toBe(pageOf([7, 10]))
    expect(String(cache.page([7], 'Asia/Tokyo', write, AROUND))).toBe(pageOf([7]))
    cache.forget()
    cache.page([10], 'UTC', write, AROUND)
    expect(asked).toEqual([[9, 8, 7], [10, 8], [7], [10]])
  })

  it('are forgotten by their bytes, the oldest first, without what a later one has', () => {
    const cache = new RecordCache(36)
    const { asked, write } = writer()
    cache.page([1, 2, 3], 'UTC', write, AROUND)
    cache.page([3, 4, 5], 'UTC', write, AROUND)
    expect(String(cache.page([3, 2], 'UTC', write, AROUND))).toBe(pageOf([3, 2]))
    expect(asked.at(-1)).toEqual([2])
    expect(asked).toHaveLength(3)
    cache.page([4], 'UTC', write, AROUND)
    expect(asked).toHaveLength(3)
  })

  it('fail if a return is not there', () => {
    const cache = new RecordCache()
    expect(() => cache.page([1, 2], 'UTC', () => ['1'], AROUND)).toThrow('no return 2')
  })
})
