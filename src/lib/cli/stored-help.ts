import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Flags and variables that change the colours or the width of help. */
const SHAPING =
  /(?<!^NO_)COLOR(?!TERM)|^OCLIF_|^(?:CI|GITHUB_ACTIONS|GITLAB_CI|CIRCLECI|TRAVIS|TEAMCITY_VERSION|TF_BUILD)$/
const MIN_COLUMNS = 80
const STYLES = new RegExp(`${String.fromCharCode(27)}\\[\\d+m`, 'g')
/** Placeholder for the version and the machine. */
const VERSION = '{version}'

/**
 * The help for all of rma, which the build made: oclif takes three times as long to start as Node.js does. It is styled
 * for a terminal, and the same at each width from 80 columns on.
 *
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
