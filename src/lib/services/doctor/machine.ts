import { execFile } from 'node:child_process'
import { constants, type Stats } from 'node:fs'
import { access, readFile, realpath, stat, statfs } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { type Env, readEnv } from '../../config/paths.ts'
import { errorCode, quotedWord } from '../../errors.ts'
import { childEnv } from '../../files/child-env.ts'
import { unknownZone } from '../../wire/time.ts'
import { allOf, type Checks, type Finding, found, skipped } from './examination.ts'

const MIN_NODE = '20.19'
const MB = 1_000_000
const MIN_FREE_BYTES = 500 * MB

export function machineChecks({ io, paths, profiles }: Context): Checks {
  return {
    'files.settings': () => checkSettingsFile(profiles.path),
    'files.config': () => checkFolder(paths.configDir, 'RMA_CONFIG_DIR'),
    'files.data': () => checkFolder(paths.dataDir, 'RMA_DATA_DIR'),
    'files.cache': () => checkFolder(paths.cacheDir, 'RMA_CACHE_DIR'),
    'files.disk': () => checkDisk(paths.dataDir),
    'system.node': () => checkNode(io.env),
    'system.path': () => checkPath(io.env),
    'system.shell': () => checkShell(io.env),
    'system.locale': () => checkLocale(io.env, io.stdout.isTTY === true),
  }
}

async function checkSettingsFile(path: string) {
  const file = await statIfThere(path)
  if (file === undefined) return skipped('there is no settings file: only defaults and the environment count')
  const problem = await accessProblem(path, constants.R_OK | constants.W_OK)
  const isOpen = (file.mode & 0o077) !== 0 && process.platform !== 'win32'
  const quoted = quotedWord(path)
  return allOf(
    [
      problem !== undefined &&
        found(`${path} can't be read and written (${problem})`, `chmod u+rw ${quoted}`),
      isOpen && found(`others of this machine may read ${path}, tokens included`, `chmod 600 ${quoted}`),
    ],
    `${path}, for you alone`,
  )
}

async function checkFolder(path: string, variable: string) {
  const [there, folder] = await existing(path)
  if (!folder.isDirectory()) return found(`${there} is not a folder`, `${variable}=DIR names another one`)
  const problem = await accessProblem(there, constants.W_OK | constants.X_OK)
  if (there !== path) {
    return problem === undefined
      ? `${path}, made when it is needed`
      : found(`${path} can't be written: ${there} can't (${problem})`, elsewhere(variable))
  }
  const quoted = quotedWord(path)
  return allOf(
    [
      problem !== undefined &&
        found(
          `${path} can't be written (${problem})`,
          ...(problem === 'EACCES' ? [`chmod u+rwx ${quoted}`] : []),
          elsewhere(variable),
        ),
      opennessProblem(path, folder.mode, variable),
    ],
    path,
  )
}

function elsewhere(variable: string) {
  return `${variable}=DIR keeps it where you may write`
}

function opennessProblem(path: string, mode: number, variable: string) {
  if (process.platform === 'win32' || variable === 'RMA_CACHE_DIR') return undefined
  const others = 'others of this machine may'
  if (variable === 'RMA_DATA_DIR' && mode & 0o077)
    return found(`${others} look into ${path}`, `chmod go-rwx ${quotedWord(path)}`)
  return mode & 0o022 ? found(`${others} write in ${path}`, `chmod go-w ${quotedWord(path)}`) : undefined
}

async function checkDisk(path: string) {
  const [there] = await existing(path)
  const { bavail, bsize, files, ffree } = await statfs(there)
  const observed = `${Math.floor((bavail * bsize) / MB).toLocaleString('en')} MB are free for ${path}`
  const isOutOfInodes = files > 0 && ffree === 0
  if (bavail * bsize >= MIN_FREE_BYTES && !isOutOfInodes) return observed
  return found(
    isOutOfInodes ? `${observed}, but no file can be made (inodes)` : observed,
    'rma jobs prune --older-than 90d',
    'RMA_DATA_DIR=DIR keeps data on another disk',
  )
}

async function existing(path: string): Promise<[string, Stats]> {
  const known = await statIfThere(path)
  if (known !== undefined || dirname(path) === path) return [path, known ?? (await stat(path))]
  return existing(dirname(path))
}

async function statIfThere(path: string) {
  return stat(path).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(errorCode(error) ?? '')) return undefined
    throw error
  })
}

async function accessProblem(path: string, mode: number) {
  return access(path, mode).then(
    () => undefined,
    (error: unknown) => errorCode(error) ?? 'unknown',
  )
}

function checkNode(env: Env) {
  const { node } = process.versions
  const observed = `Node.js ${node}, ${process.platform} ${process.arch}`
  if (node.localeCompare(MIN_NODE, 'en', { numeric: true }) < 0)
    return found(`${observed} is older than ${MIN_NODE}`, 'install a newer Node.js')
  const options = readEnv(env, 'NODE_OPTIONS') ?? ''
  return /--(?:inspect|require|import|loader|max-old-space-size)\b|-r\b/.test(options)
    ? found('NODE_OPTIONS changes how rma runs', 'unset NODE_OPTIONS')
    : observed
}

/** Reports second installations, whose versions will differ one day. */
async function checkPath(env: Env) {
  const names = process.platform === 'win32' ? ['rma.cmd', 'rma.exe'] : ['rma']
  const folders = (readEnv(env, 'PATH') ?? '').split(delimiter).filter(Boolean)
  const paths = new Map<string, string>()
  for (const file of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    if ((await accessProblem(file, constants.X_OK)) === undefined) paths.set(await realpath(file), file)
  }
  const [first, ...others] = paths.values()
  if (first === undefined) return skipped('rma is not on the PATH')
  if (others.length === 0) return first
  return found(
    `${first} comes before ${others.join(', ')} on the PATH`,
    'remove the one that you do not mean: npm uninstall -g rma-cli',
  )
}

async function checkShell(env: Env) {
  const shell = readEnv(env, 'SHELL')?.split('/').at(-1)
  if (readEnv(env, 'MSYSTEM') !== undefined && readEnv(env, 'MSYS_NO_PATHCONV') === undefined) {
    return found(
      'Git Bash turns words that begin with / into Windows paths: rma api GET /returns does not work',
      'export MSYS_NO_PATHCONV=1',
    )
  }
  const home = readEnv(env, 'ZDOTDIR') ?? readEnv(env, 'HOME') ?? ''
  const text = shell === 'zsh' ? await readFile(join(home, '.zshrc'), 'utf8').catch(() => '') : ''
  if (/^[^#\n]*\bsetopt\b[^#\n]*\bextended_?glob\b/im.test(text)) {
    return found(
      'zsh with extendedglob takes the # of R#-1001 for a pattern',
      "write LU105189, or quote: 'R#-LU105189'",
    )
  }
  return shell ?? skipped('the shell is not known')
}

function checkLocale(env: Env, isTerminal: boolean) {
  const zone = unknownZone()
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => readEnv(env, variable) !== undefined)
  const locale = name && `${name}=${readEnv(env, name)}`
  // Windows ignores these variables. Without them a terminal is seldom UTF-8.
  const isPlain = process.platform !== 'win32' && (locale ? !/utf-?8/i.test(locale) : isTerminal)
  return allOf(
    [
      isPlain &&
        found(
          `${locale ?? 'no locale is set'}: names such as Ramón may look broken`,
          `export ${name ?? 'LANG'}=C.UTF-8`,
        ),
      zone !== undefined &&
        found(
          `TZ=${zone} names no time zone known here: times are in UTC`,
          '--time-zone Europe/Madrid',
          'unset TZ',
        ),
    ],
    locale ?? 'no locale is set, and none is needed',
  )
}

export async function checkNewerVersion(env: Env, version: string): Promise<Finding | string> {
  const options = {
    env: { ...childEnv(env), NO_UPDATE_NOTIFIER: '1' },
    timeout: 6000,
    killSignal: 'SIGKILL' as const,
    // On Windows npm is a script, which only a shell can start.
    shell: process.platform === 'win32',
    windowsHide: true,
  }
  const words = 'view rma-cli version --json --fetch-retries=0 --loglevel=silent --logs-max=0'.split(' ')
  const printed = await new Promise<string>((resolve) => {
    // The system would search default folders without a PATH.
    if (readEnv(env, 'PATH') === undefined) resolve('')
    else execFile('npm', words, options, (error, stdout) => resolve(error ? '' : stdout))
  })
  const [latest] = /\d+\.\d+\.\d+/.exec(printed) ?? []
  if (latest === undefined) return skipped('whether there is a newer one is not known')
  return latest.localeCompare(version, 'en', { numeric: true }) > 0
    ? found(`${version}, and ${latest} is there`, 'npm install -g rma-cli')
    : `${version} is the latest`
}
