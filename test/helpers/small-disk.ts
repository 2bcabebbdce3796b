import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Spawned, shell, spawnEnv } from './spawn-cli.ts'

/** Runs a script in which $RMA_DATA_DIR is a disk of its own, of so many KiB; it is gone with the script. */
export function onSmallDisk(kib: number, script: string, env: Record<string, string> = {}): Promise<Spawned> {
  const disk = mkdtempSync(join(tmpdir(), 'rma-disk-'))
  const mounted = `mount -t tmpfs -o size=${kib}k tmpfs "$RMA_DATA_DIR"\n${script}`
  const define = 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  return shell(`exec unshare -rm sh -ec '${(define + mounted).replaceAll("'", `'\\''`)}'`, {
    env: spawnEnv({ ...env, RMA_DATA_DIR: disk }),
  })
}
