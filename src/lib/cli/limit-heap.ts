let isSparing = false

/**
 * To be called once a result turns out to be long. V8 lets garbage grow to four times what is in use before it clears
 * up: page by page, a long list then takes 160 MiB for what 125 hold. Not from the start, because a short command is
 * over before it has anything to clear up.
 */
export async function spareMemory(): Promise<void> {
  if (isSparing) return
  isSparing = true
  const { setFlagsFromString } = await import('node:v8')
  setFlagsFromString('--heap-growing-percent=50')
  // What lives short is kept in a space of its own that grows to 32 MB, which makes it no faster here.
  setFlagsFromString('--semi-space-growth-factor=1')
  // Compiled code is kept at the end (bin/code-cache.js), and taken again under the same flags only.
  process.prependOnceListener('exit', () => {
    setFlagsFromString('--heap-growing-percent=0')
    setFlagsFromString('--semi-space-growth-factor=2')
  })
}
