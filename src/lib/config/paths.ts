import { constants, createWriteStream } from 'node:fs'
import { access, mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import path, { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { causedBy, errorCode } from '../errors.ts'
import { makeFolders } from '../files/make-folder.ts'

export type AppPaths = ReturnType<typeof resolvePaths>

export type Env = Readonly<Record<string, string | undefined>>

export function readEnv(env: Env, name: string): string | undefined {
  return env[name] || undefined
}

/** env-paths reads the environment when it loads, and accepts relative XDG paths. */
export function resolvePaths(env: Env, platform: NodeJS.Platform = process.platform) {
  const defaults = platformFolders(env, platform)
  const folder = (variable: string, otherwise: string) => {
    const wanted = readEnv(env, variable)
    return wanted === undefined ? otherwise : path.resolve(wanted)
  }
  const dataDir = folder('RMA_DATA_DIR', defaults.dataDir)
  return {
    configDir: folder('RMA_CONFIG_DIR', defaults.configDir),
    dataDir,
    cacheDir: folder('RMA_CACHE_DIR', defaults.cacheDir),
    /** Folder of the locks of shipments, which several users may share. */
    lockDir: folder('RMA_LOCK_DIR', (platform === 'win32' ? path.win32 : path.posix).join(dataDir, 'locks')),
  }
}

function platformFolders(env: Env, platform: NodeJS.Platform) {
  if (platform === 'win32') {
    const { join } = path.win32
    const home = readEnv(env, 'USERPROFILE') ?? homedir()
    const local = readEnv(env, 'LOCALAPPDATA') ?? join(home, 'AppData', 'Local')
    const roaming = readEnv(env, 'APPDATA') ?? join(home, 'AppData', 'Roaming')
    return {
      configDir: join(roaming, 'rma', 'Config'),
      dataDir: join(local, 'rma', 'Data'),
      cacheDir: join(local, 'rma', 'Cache'),
    }
  }
  const { join } = path.posix
  const home = readEnv(env, 'HOME') ?? homedir()
  if (platform === 'darwin') {
    return {
      configDir: join(home, 'Library', 'Preferences', 'rma'),
      dataDir: join(home, 'Library', 'Application Support', 'rma'),
      cacheDir: join(home, 'Library', 'Caches', 'rma'),
    }
  }
  return {
    configDir: join(xdgFolder(env, 'XDG_CONFIG_HOME', '.config'), 'rma'),
    dataDir: join(xdgFolder(env, 'XDG_DATA_HOME', '.local/share'), 'rma'),
    cacheDir: join(xdgFolder(env, 'XDG_CACHE_HOME', '.cache'), 'rma'),
  }
}

/** Returns a folder of the XDG Base Directory Specification, which ignores relative paths. */
export function xdgFolder(env: Env, variable: string, otherwise: string): string {
  const base = readEnv(env, variable)
  const { isAbsolute, join } = path
  return base !== undefined && isAbsolute(base) ? base : join(readEnv(env, 'HOME') ?? homedir(), otherwise)
}

export async function makeDataFolder(directory: string) {
  try {
    await makeFolders(directory, 0o700)
    await access(directory, constants.W_OK)
  } catch (cause) {
    throw causedBy(
      cause,
      'config',
      `Data can't be kept in ${directory} (${errorCode(cause) ?? String(cause)}).`,
      'keep them where you may write: RMA_DATA_DIR=DIR',
    )
  }
}

const KEPT_INPUT = 'input-'

interface Kept {
  paths: Pick<AppPaths, 'dataDir'>
}

interface Keeping extends Kept {
  io: { stdin: Readable }
  onClose(close: () => Promise<void>): void
  untilInterrupted<T>(waiting: Promise<T>): Promise<T>
}

/** The file is removed when the command ends. */
export async function temporaryInput(context: Pick<Keeping, 'paths' | 'onClose'>): Promise<string> {
  await makeDataFolder(context.paths.dataDir)
  const folder = await mkdtemp(join(context.paths.dataDir, KEPT_INPUT))
  context.onClose(() => rm(folder, { recursive: true, force: true }))
  return join(folder, 'input')
}

/** Copies standard input (`-`) to a file that is removed when the command ends. */
export async function inputPath(context: Keeping, file: string) {
  if (file !== '-') return { path: file, name: file }
  const path = await temporaryInput(context)
  await context.untilInterrupted(spool(context.io.stdin, path))
  return { path, name: 'The standard input' }
}

async function spool(input: Readable, path: string) {
  try {
    await pipeline(input, createWriteStream(path, { flags: 'wx', mode: 0o600 }))
  } catch (cause) {
    const code = errorCode(cause)
    if (code === undefined || code === 'EEXIST') throw cause
    throw causedBy(
      cause,
      'unavailable',
      `The standard input can't be kept in ${path} (${code}).`,
      'make room on that disk, or give a file',
      'or keep such things elsewhere: RMA_DATA_DIR',
    )
  }
}

/** Removes inputs of killed processes, at least an hour old. */
export async function removeLeftInputs({ paths }: Kept, before: Date) {
  const names = await readdir(paths.dataDir).catch(() => [])
  for (const name of names.filter((one) => one.startsWith(KEPT_INPUT))) {
    const folder = join(paths.dataDir, name)
    if ((await stat(folder)).mtimeMs < Math.min(before.getTime(), Date.now() - 3_600_000))
      await rm(folder, { recursive: true, force: true })
  }
}
