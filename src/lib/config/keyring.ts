import { AppError, errorCode } from '../errors.ts'
import { type ProgramEnd, type ProgramSurroundings, runTokenProgram } from './token-program.ts'
import { WINDOWS_VAULT_SCRIPT } from './windows-vault.ts'

/** The keyring may ask for its password in a window. */
const LIMIT_MS = 60_000
const SERVICE = 'rma-cli'
/** Exit code of `security` and of the script for Windows if there is no such entry. */
const NOT_FOUND = 44
/** `security -i` cuts longer lines in two. */
const MAX_SECURITY_LINE = 4096

/** A profile's token in the operating system's keyring; of another address it is another. */
export interface KeyringEntry {
  profile: string
  origin: string
}

/** The token goes by standard input and output only, since all users of a machine may see arguments. */
interface Step {
  args: readonly string[]
  input?: string | undefined
}

/** A program of the system's that keeps secrets. */
interface Tool {
  program: string
  /** How to get it. */
  remedy: string
  keep(account: string, label: string, token: string): Step
  find(account: string): Step
  remove(account: string): Step
  /** Whether the program says that there is no such entry. */
  isMissing(end: ProgramEnd, said: string): boolean
  /** Prints something where an entry is there that can't be read. */
  detect?(account: string): Step
}

/** https://gitlab.gnome.org/GNOME/libsecret: of a locked keyring it finds nothing, and says nothing. */
const SECRET_TOOL: Tool = {
  program: 'secret-tool',
  remedy: 'install it (Debian: libsecret-tools), and run a keyring, such as gnome-keyring',
  keep: (account, label, token) => ({
    args: ['store', `--label=${label}`, 'service', SERVICE, 'account', account],
    input: token,
  }),
  find: (account) => ({ args: ['lookup', 'service', SERVICE, 'account', account] }),
  remove: (account) => ({ args: ['clear', 'service', SERVICE, 'account', account] }),
  isMissing: ({ code }, said) => code === 1 && said === '',
  detect: (account) => ({ args: ['search', 'service', SERVICE, 'account', account] }),
}

const SECURITY: Tool = {
  program: 'security',
  remedy: 'it is part of macOS: is /usr/bin on the PATH?',
  keep: (account, label, token) => {
    const words = ['-U', '-s', SERVICE, '-a', account, '-l', label, '-w', token].map(securityWord)
    const input = `add-generic-password ${words.join(' ')}\n`
    if (input.length > MAX_SECURITY_LINE)
      throw new AppError(
        'usage',
        "The token is too long for the keychain's program, which takes some 4000 characters.",
        {
          hints: ['keep it in the settings file: --no-keyring', 'or by --credential-process of the profile'],
        },
      )
    return { args: ['-i'], input }
  },
  find: (account) => ({ args: ['find-generic-password', '-s', SERVICE, '-a', account, '-w'] }),
  remove: (account) => ({ args: ['delete-generic-password', '-s', SERVICE, '-a', account] }),
  isMissing: ({ code }) => code === NOT_FOUND,
}

const POWERSHELL: Tool = {
  program: 'powershell.exe',
  remedy: 'it is part of Windows: is System32\\WindowsPowerShell\\v1.0 on the PATH?',
  keep: (account, _label, token) => vaultStep({ do: 'keep', account, token }),
  find: (account) => vaultStep({ do: 'find', account }),
  remove: (account) => vaultStep({ do: 'remove', account }),
  isMissing: ({ code }) => code === NOT_FOUND,
}

function securityWord(word: string): string {
  return /^[\w.:@/-]+$/.test(word) ? word : `"${word.replace(/["\\]/g, '\\$&')}"`
}

function vaultStep(request: Record<string, string>): Step {
  const script = Buffer.from(WINDOWS_VAULT_SCRIPT, 'utf16le').toString('base64')
  return {
    args: ['-NoProfile', '-NonInteractive', '-EncodedCommand', script],
    input: JSON.stringify({ service: SERVICE, ...request }),
  }
}

/** Uses the system's own programs: a native library would have to be installed for each system. */
export class Keyring {
  readonly #around: ProgramSurroundings
  readonly #tool: Tool

  constructor(around: ProgramSurroundings, platform: NodeJS.Platform = process.platform) {
    this.#around = around
    this.#tool = platform === 'darwin' ? SECURITY : platform === 'win32' ? POWERSHELL : SECRET_TOOL
  }

  /** `keyring of the system, by secret-tool` */
  get place(): string {
    return `keyring of the system, by ${this.#tool.program}`
  }

  /** In place of what is there. @throws AppError `config` without a keyring, `auth` for one that is locked */
  async keep(entry: KeyringEntry, token: string): Promise<void> {
    const { end, said } = await this.#run(
      this.#tool.keep(accountOf(entry), `rma: ${entry.profile}`, token),
      entry,
    )
    if (end.code !== 0) throw this.#failure(entry, end, said)
    // Some programs end with 0 whatever became of it.
    if ((await this.find(entry)) !== token)
      throw new AppError('config', `The ${this.place} did not keep the token.`, {
        hints: withoutKeyring(entry),
      })
  }

  /** Returns undefined if there is no such entry. @throws AppError as `keep` */
  async find(entry: KeyringEntry): Promise<string | undefined> {
    const { end, said } = await this.#run(this.#tool.find(accountOf(entry)), entry)
    if (end.code === 0) return end.printed.trim() || undefined
    if (!this.#tool.isMissing(end, said)) throw this.#failure(entry, end, said)
    await this.#assertUnlocked(entry)
    return undefined
  }

  /** Does nothing if there is no such entry. @throws AppError as `keep` */
  async remove(entry: KeyringEntry): Promise<void> {
    const { end, said } = await this.#run(this.#tool.remove(accountOf(entry)), entry)
    if (end.code === 0) return
    if (!this.#tool.isMissing(end, said)) throw this.#failure(entry, end, said)
    await this.#assertUnlocked(entry)
  }

  async #assertUnlocked(entry: KeyringEntry): Promise<void> {
    const step = this.#tool.detect?.(accountOf(entry))
    if (step === undefined) return
    const { end } = await this.#run(step, entry)
    if (end.printed !== '') throw lockedError(entry, 'it is locked')
  }

  async #run({ args, input }: Step, entry: KeyringEntry): Promise<{ end: ProgramEnd; said: string }> {
    const { program, remedy } = this.#tool
    let said = ''
    const end = await runTokenProgram(
      {
        what: `the keyring (${program}), which may ask for its password`,
        words: [program, ...args],
        input,
        limitMs: LIMIT_MS,
        fail: (what, cause) =>
          errorCode(cause) === 'ENOENT'
            ? new AppError('config', `The keyring needs the program ${program}, which is not there.`, {
                hints: [remedy, ...withoutKeyring(entry)],
                cause,
              })
            : lockedError(entry, `${program} ${what}`),
      },
      { ...this.#around, onText: (text) => (said += text) },
    )
    return { end, said: said.trim() }
  }

  /** In the program's own words, which never hold the token. */
  #failure(entry: KeyringEntry, { code, killer }: ProgramEnd, said: string): AppError {
    const { program, remedy } = this.#tool
    const words = said.split('\n').at(-1)?.replace(/\.$/, '') || `${program} ended with ${code ?? killer}`
    if (/lock|denied|dismiss|cancel|not allowed|not correct/i.test(words)) return lockedError(entry, words)
    return new AppError('config', `There is no keyring to be used: ${words}.`, {
      hints: [remedy, ...withoutKeyring(entry)],
    })
  }
}

function accountOf({ profile, origin }: KeyringEntry): string {
  return `${profile}@${origin}`
}

function lockedError(entry: KeyringEntry, why: string): AppError {
  return new AppError('auth', `The keyring does not give access: ${why}.`, {
    hints: ['unlock it (sign in to the desktop), then run this again', ...withoutKeyring(entry)],
  })
}

function withoutKeyring({ profile }: KeyringEntry): string[] {
  return [
    'give the token in RMA_TOKEN, or with --token-file FILE',
    `or keep it in the settings file: rma auth login --profile ${profile} --no-keyring`,
  ]
}
