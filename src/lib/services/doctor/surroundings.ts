import { constants } from 'node:fs'
import { access, readFile, realpath } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { type Env, readEnv } from '../../config/paths.ts'
import { unknownZone } from '../../wire/time.ts'
import { allOf, type Examination, type Finding, found, skipped, well } from './examination.ts'

const MIN_NODE = [20, 19] as const

/** Checks the machine, its shell and its locale. */
export function surroundingsExaminations({ io }: Pick<Context, 'io'>): Examination[] {
  return [
    { id: 'system.node', look: async () => lookAtNode(process.versions.node, io.env) },
    { id: 'system.path', look: () => lookAtPath(io.env) },
    { id: 'system.shell', look: () => lookAtShell(io.env) },
    { id: 'system.locale', look: async () => lookAtLocale(io.env, io.stdout.isTTY === true) },
  ]
}

function lookAtNode(version: string, env: Env): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const isOld = major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])
  const options = readEnv(env, 'NODE_OPTIONS')
  const observed = `Node.js ${version}, ${process.platform} ${process.arch}`
  return allOf(
    [
      isOld ? found(`${observed} is older than ${MIN_NODE.join('.')}`, 'install a newer Node.js') : undefined,
      /--(?:inspect|require|import|loader|max-old-space-size)\b|-r\b/.test(options ?? '')
        ? found('NODE_OPTIONS changes how rma runs', 'unset NODE_OPTIONS')
        : undefined,
    ],
    well(observed),
  )
}

/** Two of them are two versions sooner or later. */
async function lookAtPath(env: Env): Promise<Finding> {
  const names = process.platform === 'win32' ? ['rma.cmd', 'rma.exe'] : ['rma']
  const folders = (readEnv(env, 'PATH') ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = new Map<string, string>()
  for (const file of folders.flatMap((folder) => names.map((name) => join(folder, name)))) {
    const isThere = await access(file, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isThere) places.set(await realpath(file), file)
  }
  const [first, ...others] = places.values()
  if (first === undefined) return skipped('rma is not on the PATH')
  if (others.length === 0) return well(first)
  return found(
    `${first} comes before ${others.join(', ')} on the PATH`,
    'remove the one that you do not mean: npm uninstall -g rma-cli',
  )
}

async function lookAtShell(env: Env): Promise<Finding> {
  const shell = readEnv(env, 'SHELL')?.split('/').at(-1)
  if (readEnv(env, 'MSYSTEM') !== undefined && readEnv(env, 'MSYS_NO_PATHCONV') === undefined) {
    return found(
      'Git Bash turns words that begin with / into Windows paths: rma api GET /returns does not work',
      'export MSYS_NO_PATHCONV=1',
    )
  }
  if (shell === 'zsh') {
    const home = readEnv(env, 'ZDOTDIR') ?? readEnv(env, 'HOME') ?? ''
    const text = await readFile(join(home, '.zshrc'), 'utf8').catch(() => '')
    if (/^[^#\n]*\bsetopt\b[^#\n]*\bextended_?glob\b/im.test(text)) {
      return found(
        'zsh with extendedglob takes the # of R#-1001 for a pattern',
        "write LU105189, or quote: 'R#-LU105189'",
      )
    }
  }
  return shell === undefined ? skipped('the shell is not known') : well(shell)
}

function lookAtLocale(env: Env, isTerminal: boolean): Finding {
  const zone = unknownZone()
  const name = ['LC_ALL', 'LC_CTYPE', 'LANG'].find((variable) => readEnv(env, variable) !== undefined)
  const locale = name && readEnv(env, name)
  // The system's default on a terminal is seldom UTF-8; Windows ignores these variables.
  const isPlain =
    process.platform !== 'win32' && (locale === undefined ? isTerminal : !/utf-?8/i.test(locale))
  return allOf(
    [
      isPlain
        ? found(
            `${locale === undefined ? 'no locale is set' : `${name}=${locale}`}: names such as Ramón may look broken`,
            `export ${name ?? 'LANG'}=C.UTF-8`,
          )
        : undefined,
      zone !== undefined
        ? found(
            `TZ=${zone} names no time zone known here: times are in UTC`,
            '--time-zone Europe/Madrid',
            'unset TZ',
          )
        : undefined,
    ],
    well(locale === undefined ? 'no locale is set, and none is needed' : `${name}=${locale}`),
  )
}
