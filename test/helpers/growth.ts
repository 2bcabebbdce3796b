import { expect } from 'vitest'

const SMALL = 5_000
const TIMES = 32
/** Linear work may take five times as long when V8 goes back to interpreting a regular expression. */
const LEEWAY = 7
/** Shorter times are mostly noise of the machine. */
const FLOOR_MS = 2

/**
 * Fails unless `work` takes time linear in the length of its text: 32 times the text may take up to 224 times as long,
 * while quadratic work takes 1,024 times.
 */
export function expectLinear(unit: string, work: (text: string) => unknown, around = ['', '']): void {
  const [before = '', after = ''] = around
  const timed = (length: number, enoughMs: number) => {
    const text = before + unit.repeat(Math.ceil(length / unit.length)) + after
    return leastCpuMs(() => work(text), enoughMs)
  }
  const small = timed(SMALL, FLOOR_MS)
  const most = LEEWAY * TIMES * Math.max(small, FLOOR_MS)
  const large = timed(SMALL * TIMES, most)
  const label = `${JSON.stringify(before + unit)}…: ${small} ms, and ${large} ms for ${TIMES} times the text`
  expect(large, label).toBeLessThan(most)
}

/** Lowest CPU time of three runs, because other processes spoil the caches. A run below `enoughMs` is the last. */
export function leastCpuMs(work: () => unknown, enoughMs = 0): number {
  let least = Number.POSITIVE_INFINITY
  for (let tries = 0; tries < 3 && least >= enoughMs; tries++) {
    const start = process.cpuUsage()
    work()
    least = Math.min(least, process.cpuUsage(start).user / 1000)
  }
  return least
}
