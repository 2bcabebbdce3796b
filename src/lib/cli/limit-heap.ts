import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

let isSparing = false

/**
 * For a long result. V8 lets garbage grow to four times what is in use: a long list takes 160 MiB for what 125 hold.
 * Not from the start: a short command ends before any clean-up. V8 reads both flags anew at each collection. A
 * re-start with them is a second process (41 MiB, signals, survives `kill -9` of the first); a worker with
 * `resourceLimits` saves less (docs/performance.md). `growthPercent` is of what is in use, less for what is large in
 * one piece.
 */
export function spareMemory(growthPercent = 50): void {
  if (isSparing && growthPercent === 50) return
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  if (isSparing) return
  isSparing = true
  collectGarbage()
  // The space for short-lived objects would grow to 32 MB and make nothing faster here.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Compiled code is kept at the end (bin/code-cache.js), and taken again under the same flags only.
  process.prependOnceListener('exit', () => {
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--semi-space-growth-factor=2')
  })
}

/** V8 reckons by what the last clean-up left, and lets the heap double before the first one. */
function collectGarbage(): void {
  setFlagsFromString('--expose-gc')
  runInNewContext('gc')()
  setFlagsFromString('--no-expose-gc')
}
