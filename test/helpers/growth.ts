import { expect } from 'vitest'

const SMALL = 8_000
const TIMES = 8
/** Below it a time says more of the machine than of the work. */
const FLOOR_MS = 3

/**
 * Fails unless `work` takes a time in proportion to the length of its text: for eight times the text up to three times
 * that factor, where quadratic work takes 64 times as long.
 */
export function expectLinear(unit: string, work: (text: string) => unknown, around = ['', '']): void {
  const [before = '', after = ''] = around
  const timed = (length: number) => {
    const text = before + unit.repeat(Math.ceil(length / unit.length)) + after
    return leastCpuMs(() => work(text))
  }
  const [small, large] = [timed(SMALL), timed(SMALL * TIMES)]
  const label = `${JSON.stringify(before + unit)}…: ${small} ms, and ${large} ms for ${TIMES} times the text`
  expect(large, label).toBeLessThan(3 * TIMES * Math.max(small, FLOOR_MS))
}

/** The least of three: other processes take time of their own, which is not counted, but also spoil the caches. */
export function leastCpuMs(work: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage()
    work()
    return process.cpuUsage(start).user / 1000
  })
  return Math.min(...times)
}
