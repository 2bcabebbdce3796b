import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { type Env, readEnv, xdgFolder } from '../../config/paths.ts'
import { appError, errorCode, usageError } from '../../errors.ts'
import { makeFolders } from '../../files/make-folder.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { prose } from '../../output/result.ts'
import { lazySchema } from '../../output/view.ts'
import bash from './scripts/rma.bash'
import fish from './scripts/rma.fish'
import powershell from './scripts/rma.ps1'
import zsh from './scripts/rma.zsh'
import type { Shell } from './shells.ts'

/** Scripts that pass the typed line to rma and show the candidates it returns. */
export const SCRIPTS: Readonly<Record<Shell, string>> = { bash, zsh, fish, powershell }

/** Text by which a script of rma is recognised. */
const MARK = 'Completion of rma'

export async function installScript(context: Context, shell: Shell) {
  const { file, next } = scriptPlace(shell, context.io.env, process.platform)
  const before = textOf(file)
  if (before !== undefined && !before.includes(MARK)) {
    throw usageError(
      `${file} is there, and is not of rma's making.`,
      'move it away first',
      `or print the script: rma completion ${shell}`,
    )
  }
  const isNew = before !== SCRIPTS[shell]
  if (isNew) await write(file, SCRIPTS[shell])
  const what = isNew ? `Wrote ${file}.` : `${file} is as it should be already.`
  const todo =
    next === '' ? 'Begin a new shell, and press Tab.' : `${next}\nThen begin a new shell, and press Tab.`
  await context.render(prose(`${what} ${todo}`, { shell, file, changed: isNew, next }))
}

function textOf(file: string) {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    throw failure(cause, file, 'read')
  }
}

async function write(file: string, script: string) {
  try {
    await makeFolders(dirname(file))
    await replaceFile(file, script)
  } catch (cause) {
    throw failure(cause, file, 'written')
  }
}

function failure(cause: unknown, file: string, done: 'read' | 'written') {
  const code = errorCode(cause)
  if (code === undefined) return cause
  return appError(
    'config',
    `${file} can't be ${done} (${code}).`,
    'without --install the script is printed: put it where your shell looks',
  )
}

function scriptPlace(shell: Shell, env: Env, platform: NodeJS.Platform) {
  const home = readEnv(env, 'HOME') ?? homedir()
  const dataHome = xdgFolder(env, 'XDG_DATA_HOME', '.local/share')
  const configHome = xdgFolder(env, 'XDG_CONFIG_HOME', '.config')
  switch (shell) {
    case 'fish':
      return { file: join(configHome, 'fish', 'completions', 'rma.fish'), next: '' }
    case 'bash': {
      const file = join(dataHome, 'bash-completion', 'completions', 'rma')
      const isFound = BASH_COMPLETION.some((path) => existsSync(path))
      return { file, next: isFound ? '' : addLine(join(home, '.bashrc'), `source '${file}'`) }
    }
    case 'zsh': {
      const folder = join(dataHome, 'zsh', 'site-functions')
      const line = `fpath=('${folder}' $fpath); autoload -Uz compinit; compinit`
      return { file: join(folder, '_rma'), next: addLine(join(home, '.zshrc'), line) }
    }
    case 'powershell': {
      const folder =
        platform === 'win32' ? join(home, 'Documents', 'PowerShell') : join(configHome, 'powershell')
      const file = join(folder, 'rma-completion.ps1')
      return { file, next: `Add this line to the file that $PROFILE names:\n  . '${file}'` }
    }
  }
}

function addLine(file: string, line: string) {
  return textOf(file)?.includes(line) ? '' : `Add this line to ${file}:\n  ${line}`
}

/** Files of bash-completion, which loads the script without a line in .bashrc. */
const BASH_COMPLETION = [
  '/usr/share/bash-completion/bash_completion',
  '/opt/homebrew/etc/profile.d/bash_completion.sh',
  '/usr/local/etc/profile.d/bash_completion.sh',
]

export const completionSchema = lazySchema((z, { text }) =>
  z.union([
    z.object({ shell: text, script: text }),
    z.object({ shell: text, file: text, changed: z.boolean(), next: text }).describe('With --install'),
  ]),
)
