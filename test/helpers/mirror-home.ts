import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { type MirrorStore, openMirror } from '../../src/lib/mirror/store/open.ts'
import { type MirrorFilter, readBlocks, readByIds } from '../../src/lib/mirror/store/read.ts'
import type { Return } from '../../src/lib/wire/returns.ts'
import { asTyped, jsonOf } from './command-line.ts'
import { freshHome, homeAt, type RunOptions, runCli } from './run-cli.ts'
import { startSandbox } from './start-sandbox.ts'

/** A home whose commands use a separate sandbox as platform, with access to its mirror. */
export async function mirrorHome(...sandboxFlags: string[]) {
  const platformHome = freshHome()
  const sandbox = await startSandbox(platformHome, '--returns', '60', ...sandboxFlags)
  onTestFinished(async () => {
    await sandbox.stop()
  })
  const env = homeAt(sandbox.baseUrl, { RMA_TOKEN: sandbox.token })
  const run = asTyped((argv, options: RunOptions = {}) =>
    runCli(argv, { ...options, env: { ...env, ...options.env } }),
  )
  const folder = join(env.RMA_DATA_DIR, 'mirrors')
  const file = () => {
    const files = readdirSync(folder).flatMap((name) => (name.endsWith('.db') ? join(folder, name) : []))
    return files.sort((one, other) => statSync(other).mtimeMs - statSync(one).mtimeMs)[0] ?? 'none'
  }
  return {
    env,
    run,
    folder,
    file,
    /** Runs a command on the sandbox itself. */
    atPlatform: (...argv: string[]) => runCli(argv, { env: platformHome }),
    status: async () => jsonOf(await run`mirror status --json`),
    /** All bytes of all files of the mirror, as text. */
    bytes: () =>
      readdirSync(folder)
        .map((name) => readFileSync(join(folder, name), 'latin1'))
        .join('\n'),
    async held(): Promise<Return[]> {
      const mirror = await openMirror({ file: file() })
      const records: Return[] = []
      for await (const { record } of eachReturn(mirror)) records.push(record)
      await mirror.db.destroy()
      return records
    },
    async listed(): Promise<Return[]> {
      const listing = await run`returns list --all --time-zone UTC --json`
      return jsonOf(listing).returns
    },
  }
}

/** Yields the matching returns of a mirror, newest first. */
export async function* eachReturn({ db }: MirrorStore, filter: MirrorFilter = {}) {
  for await (const { id } of readBlocks(db, filter, ['id', 'sort_key'], 200)) yield* await readByIds(db, [id])
}
