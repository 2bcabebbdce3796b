import { newFolder } from './files.ts'
import { type Spawned, shell, spawnEnv } from './spawn-cli.ts'

/** Runs a script with $RMA_DATA_DIR on a temporary disk of the given KiB. */
export function onSmallDisk(kib: number, script: string, env: Record<string, string> = {}): Promise<Spawned> {
  const disk = newFolder()
  const mounted = `mount -t tmpfs -o size=${kib}k tmpfs "$RMA_DATA_DIR"\n${script}`
  const define = 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  return shell(`exec unshare -rm sh -ec '${(define + mounted).replaceAll("'", `'\\''`)}'`, {
    env: spawnEnv({ ...env, RMA_DATA_DIR: disk }),
  })
}
