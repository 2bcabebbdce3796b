import { setFlagsFromString } from 'node:v8'

let isSparing = false

/**
 * To be called once a result turns out to be long. V8 lets garbage grow to four times what is in use before it clears
 * up: page by page, a long list then takes 160 MiB for what 125 hold. Not from the start, because a short command is
 * over before it has anything to clear up.
 *
 * V8 reads both flags anew at each collection and computes sizes with them, nothing more, so that they can be set
 * late. A re-start with them saves as much, but is a second process: 41 MiB more, signals to pass on, and after
 * `kill -9` of the one that the user sees the other goes on sending. A worker thread with `resourceLimits` saves less
 * and is slower (docs/performance.md).
 * @param growthPercent of what is in use, at which garbage is cleared up; less for what is large in one piece
 */
export function spareMemory(growthPercent = 50): void {
  if (isSparing && growthPercent === 50) return
  setFlagsFromString(`--heap-growing-percent=${growthPercent}`)
  if (isSparing) return
  isSparing = true
  // What lives short is kept in a space of its own that grows to 32 MB, which makes it no faster here.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Compiled code is kept at the end (bin/code-cache.js), and taken again under the same flags only.
  process.prependOnceListener('exit', () => {
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--semi-space-growth-factor=2')
  })
}
