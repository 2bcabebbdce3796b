import fs from 'node:fs'
import promises from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'

/** Calls back with the result of a synchronous function, and with its second argument: the buffer of a read. */
function calledBack(work: (...values: never[]) => unknown) {
  return (...values: unknown[]) => {
    const done = values.pop() as (error: unknown, ...results: unknown[]) => void
    try {
      process.nextTick(done, null, work(...(values as never[])), values[1])
    } catch (error) {
      process.nextTick(done, error)
    }
  }
}

async function opened(path: string) {
  const file = fs.openSync(path, 'r')
  return {
    read: async (block: Buffer, offset: number, length: number) => ({
      bytesRead: fs.readSync(file, block, offset, length, null),
    }),
    close: async () => fs.closeSync(file),
  }
}

/** Readers use the main thread: the thread pool costs ten times as much as a small file in memory. */
export function readFilesInPlace(): void {
  Object.assign(fs, {
    open: calledBack(fs.openSync),
    read: calledBack(fs.readSync),
    fstat: calledBack(fs.fstatSync),
    close: calledBack(fs.closeSync),
  })
  Object.assign(promises, { open: opened, stat: async (path: string) => fs.statSync(path) })
  syncBuiltinESMExports()
}
