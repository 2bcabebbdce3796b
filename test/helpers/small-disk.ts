import { newFolder } from './new-folder.ts'
import { type Spawned, shell, spawnEnv } from './spawn-cli.ts'

/** Runs a script in which $RMA_DATA_DIR is a disk of its own, of so many KiB; it is gone with the script. */
export function onSmallDisk(kib: number, script: string, env: Record<string, string> = {}): Promise<Spawned> {
  const disk = newFolder()
  const mounted = `mount -t tmpfs -o size=${kib}k tmpfs "$RMA_DATA_DIR"\n${script}`
  const define = 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  return shell(`exec unshare -rm sh -ec '${(define + mounted).replaceAll("'", `'\\''`)}'`, {
    env: spawnEnv({ ...env, RMA_DATA_DIR: disk }),
  })
}
