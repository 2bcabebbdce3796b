import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

/** Reads a file that the build compressed. @returns undefined when rma runs from its sources */
export function readShipped(name: string): Buffer | undefined {
  const file = join(dirname(fileURLToPath(import.meta.url)), '..', `${name}.br`)
  return existsSync(file) ? brotliDecompressSync(readFileSync(file)) : undefined
}
