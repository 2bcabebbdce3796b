import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { type AppPaths, makeDataFolder } from './paths.ts'

const KEPT_INPUT = 'input-'

interface Kept {
  paths: Pick<AppPaths, 'dataDir'>
}

/** A path for what a command is to have as its input; what is still there when the command ends goes. */
export async function temporaryInput(
  context: Kept & { onClose(close: () => Promise<void>): void },
): Promise<string> {
  await makeDataFolder(context.paths.dataDir)
  const folder = await mkdtemp(join(context.paths.dataDir, KEPT_INPUT))
  context.onClose(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'input')
}

/** Removes what `temporaryInput` makes, where its process was killed before it could. */
export async function removeLeftInputs({ paths }: Kept, before: Date): Promise<void> {
  const names = await readdir(paths.dataDir).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(KEPT_INPUT))) {
    const folder = join(paths.dataDir, name)
    if ((await stat(folder)).mtimeMs < before.getTime()) await rm(folder, { recursive: true, force: true })
  }
}
