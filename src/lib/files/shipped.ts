import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'

/** Path of files that the build puts beside the bundle. */
export function shippedPath(name: string): string {
  return join(dirname(fileURLToPath(import.meta.url)), '..', name)
}

/** A file that the build compressed, whole; undefined for what runs from the sources, which has the package itself. */
export function readShipped(name: string): Buffer | undefined {
  const file = shippedPath(`${name}.br`)
  return existsSync(file) ? brotliDecompressSync(readFileSync(file)) : undefined
}
