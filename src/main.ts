import { readFileSync, writeSync } from 'node:fs'
import { userInfo } from 'node:os'
import { isAbsolute, join } from 'node:path'
import type { CommandClass } from './lib/cli/cli-config.ts'
import type { LocalLookup } from './lib/cli/context.ts'

/** The bundle is CommonJS; the table of commands is made beside it by the build. */
declare const require: (path: string) => { COMMANDS: Record<string, CommandClass> }

/** `dist` is relative to `root`, the package's folder. */
export async function main(root: string, dist = 'dist') {
  assumeHome()
  if (process.argv[2] === '__complete') return completeLine(join(root, dist, 'completion.json'))
  const pjson = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const argv = process.argv.slice(2)
  const version = `${pjson.name}/${pjson.version} ${process.platform}-${process.arch} node-${process.version}`
  // Here, because nothing else is needed for the answer.
  if (argv[0] === '--version' || argv[0] === '-V') return print(`${version}\n`, argv)
  if (/^(|help|--help|-h)$/.test(argv.join(' '))) {
    const help = storedHelp(join(root, dist), version)
    if (help !== undefined) return print(help, argv)
  }
  pjson.oclif.commands.target = join(dist, 'commands.js')
  const { COMMANDS } = require(join(root, dist, 'commands.js'))
  const commands = { ids: Object.keys(COMMANDS), load: async (id: string) => COMMANDS[id] as CommandClass }
  const { execute, runToEnd } = await import('./lib/cli/execute.ts')
  const localLookup: LocalLookup = async (text, context) => {
    const { mirroredReturns } = await import('./lib/services/mirror/location.ts')
    return mirroredReturns(text, context)
  }
  const options = { root, pjson, localLookup, ignoreManifest: dist !== 'dist' }
  await runToEnd(argv, (io) => execute(argv, io, commands, options))
}

/** Asked at every key press by the scripts of `rma completion`, so nothing else is loaded. */
async function completeLine(table: string) {
  const { answerKeyPress } = await import('./lib/services/completion/key-press.ts')
  process.stdout.on('error', () => {})
  process.stdout.write(await answerKeyPress(table, process.argv.slice(3), process.env))
}

/** Bypasses `process.stdout`, which takes 3 ms to make. Uses it only for a rest or an error. */
function print(text: string, argv: readonly string[]) {
  const bytes = Buffer.from(text)
  let written = 0
  try {
    written = writeSync(1, bytes)
  } catch {
    // The stream below reports the error.
  }
  if (written === bytes.length) return
  process.stdout.on('error', async (error) => {
    const { lostOutput } = await import('./lib/cli/execute.ts')
    await lostOutput(error, argv)
  })
  process.stdout.write(bytes.subarray(written))
}

/**
 * A container's user may have neither home nor shell: libraries that ask for them as they load would throw. An empty or
 * relative home would make settings, locks and jobs those of the current folder.
 */
function assumeHome() {
  const { env, platform } = process
  env.SHELL ??= ''
  if (platform === 'win32' || isAbsolute(env.HOME ?? '')) return
  try {
    env.HOME = userInfo().homedir
  } catch {
    env.HOME = '/nonexistent'
  }
}

/** Flags and variables that change the colours or the width of help. */
const SHAPING =
  /(?<!^NO_)COLOR(?!TERM)|^OCLIF_|^(?:CI|GITHUB_ACTIONS|GITLAB_CI|CIRCLECI|TRAVIS|TEAMCITY_VERSION|TF_BUILD)$/
const MIN_COLUMNS = 80
const STYLES = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
/** Placeholder for the version and the machine. */
const VERSION = '{version}'

/**
 * Help for all of rma, made by the build: oclif takes three times as long to start as Node.js does. Styled for a
 * terminal, and the same at each width from 80 columns on.
 * @param version `rma-cli/0.1.0 linux-x64 node-v20.19.0`
 * @returns undefined where there is none, or it may have to look otherwise
 */
export function storedHelp(folder: string, version: string): string | undefined {
  const { env, stdout, platform } = process
  if (platform === 'win32' || Object.keys(env).some((name) => SHAPING.test(name))) return undefined
  const isUsual =
    stdout.columns >= MIN_COLUMNS && env.TERM && env.TERM !== 'dumb' && env.NO_COLOR === undefined
  if (stdout.isTTY && !isUsual) return undefined
  try {
    const styled = readFileSync(join(folder, 'help.txt'), 'utf8').replace(VERSION, version)
    return stdout.isTTY ? styled : styled.replace(STYLES, '')
  } catch {
    return undefined
  }
}
