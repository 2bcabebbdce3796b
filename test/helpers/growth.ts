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
  const timed = (length: number, enoughMs: number) => {
    const text = before + unit.repeat(Math.ceil(length / unit.length)) + after
    return leastCpuMs(() => work(text), enoughMs)
  }
  const small = timed(SMALL, FLOOR_MS)
  const most = 3 * TIMES * Math.max(small, FLOOR_MS)
  const large = timed(SMALL * TIMES, most)
  const label = `${JSON.stringify(before + unit)}…: ${small} ms, and ${large} ms for ${TIMES} times the text`
  expect(large, label).toBeLessThan(most)
}

/**
 * The least of three: other processes take time of their own, which is not counted, but also spoil the caches. One that
 * is below `enoughMs` is the last.
 */
export function leastCpuMs(work: () => unknown, enoughMs = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least >= enoughMs; tries++) {
    const start = process.cpuUsage()
    work()
    least = Math.min(least, process.cpuUsage(start).user / 1000)
  }
  return least
}
