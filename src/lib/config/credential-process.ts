import { execFile } from 'node:child_process'
import { hash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { causedBy } from '../errors.ts'
import { childEnv } from '../files/child-env.ts'
import { makeFolders } from '../files/make-folder.ts'
import { replaceFile } from '../files/temporary-file.ts'
import { splitWords } from './command-words.ts'
import type { Env } from './paths.ts'
import { readToken } from './token.ts'

const LIMIT_MS = 120_000
/** Tokens that expire sooner are renewed, since they may expire on their way. */
const SPARE_MS = 60_000
/** Time after the exit for the last output. */
const LAST_OUTPUT_MS = 500
const MAX_CHARS = 1024 * 1024

interface CredentialProcess {
  profile: string
  baseUrl: string
  command: string
}

interface TokenSurroundings {
  cacheDir: string
  now: number
  env: Env
  signal: AbortSignal
  onText: (text: string) => void
  onNote: (text: string) => void
}

export function credentialCacheFile(
  { profile, baseUrl, command }: CredentialProcess,
  cacheDir: string,
): string {
  const key = hash('sha256', JSON.stringify([profile, baseUrl, command]))
  return join(cacheDir, 'tokens', `${key.slice(0, 16)}.json`)
}

/**
 * Runs the command, which prints `{"token", "expiresAt"?}` or the token. @throws AppError `auth` without a
 * token
 */
export async function processToken(
  process: CredentialProcess,
  around: TokenSurroundings,
  limitMs = LIMIT_MS,
): Promise<string> {
  const file = credentialCacheFile(process, around.cacheDir)
  const kept = await readKept(file)
  if (kept !== undefined && kept.expiresAt - around.now > SPARE_MS) return kept.token
  const printed = readPrinted(await run(process, around, limitMs), process)
  const expiresAt = printed.expiresAt ?? readToken(printed.token).expiresAt
  if (expiresAt === undefined) return printed.token
  try {
    await makeFolders(dirname(file), 0o700)
    await replaceFile(file, JSON.stringify({ token: printed.token, expiresAt }))
  } catch {
    // The next command runs the process again.
  }
  return printed.token
}

export async function forgetProcessToken(process: CredentialProcess, cacheDir: string) {
  await rm(credentialCacheFile(process, cacheDir), { force: true }).catch(() => {})
}

async function readKept(file: string) {
  try {
    const { token, expiresAt } = JSON.parse(await readFile(file, 'utf8'))
    return typeof token === 'string' && typeof expiresAt === 'number' ? { token, expiresAt } : undefined
  } catch {
    return undefined
  }
}

/** Never shows the output, which may be the token. */
function readPrinted(text: string, process: CredentialProcess): { token: string; expiresAt?: number } {
  const asToken = (value: string) => {
    if (/\s/.test(value.trim()))
      throw failure(process, 'printed no token: there is a space or a line break in it')
    return readToken(value).value
  }
  if (text === '') throw failure(process, 'printed nothing')
  if (!text.startsWith('{')) return { token: asToken(text) }
  let printed: { token?: unknown; expiresAt?: unknown }
  try {
    printed = JSON.parse(text)
  } catch {
    throw failure(process, 'printed what is not valid JSON')
  }
  if (typeof printed.token !== 'string') throw failure(process, 'printed JSON without a text "token"')
  const token = asToken(printed.token)
  const { expiresAt } = printed
  if (expiresAt === undefined || expiresAt === null) return { token }
  const instant = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  if (Number.isNaN(instant)) throw failure(process, 'printed an "expiresAt" that is not a time in ISO 8601')
  return { token, expiresAt: instant }
}

async function run(
  process: CredentialProcess,
  { env, signal, onText, onNote }: TokenSurroundings,
  limitMs: number,
) {
  const { words, isOpen } = splitWords(process.command)
  const [program, ...args] = words
  if (program === undefined || isOpen)
    throw failure(process, 'is not a command: a quote is open, or nothing is there')
  const note = `Waiting for the credential process of the profile ${process.profile}, ${limitMs / 1000} s at most`
  const waiting = setTimeout(() => onNote(note), limitMs / 20)
  try {
    const options = {
      env: childEnv(env),
      signal,
      timeout: limitMs,
      killSignal: 'SIGKILL' as const,
      maxBuffer: MAX_CHARS,
      windowsHide: true,
    }
    const running = promisify(execFile)(program, args, options)
    // Standard input belongs to the command that needs the token.
    running.child.stdin?.on('error', () => {}).end()
    running.child.stderr?.on('data', onText)
    // A background process, such as an agent, may keep both streams open.
    const close = () => [running.child.stdout, running.child.stderr].map((stream) => stream?.destroy())
    running.child.once('exit', () => setTimeout(close, LAST_OUTPUT_MS).unref())
    return (await running).stdout.trim()
  } catch (cause) {
    if (signal.aborted) throw causedBy(cause, 'interrupted', 'Interrupted.')
    throw failure(process, whyEnded(cause as ExecError, limitMs), cause)
  } finally {
    clearTimeout(waiting)
  }
}

type ExecError = Error & { code?: string | number | null; killed?: boolean; signal?: string | null }

function whyEnded({ code, killed, signal, name }: ExecError, limitMs: number) {
  if (code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER') return `printed more than ${MAX_CHARS} characters`
  if (killed) return `took longer than ${limitMs / 1000} s`
  if (typeof code === 'number') return `ended with exit code ${code}`
  return signal ? `was ended by ${signal}` : `can't be started (${code ?? name})`
}

function failure({ profile, command }: CredentialProcess, what: string, cause?: unknown) {
  return causedBy(
    cause,
    'auth',
    `The credential process of the profile ${profile} ${what}.`,
    `run it by hand: ${command}`,
    `change it: rma profiles set ${profile} --credential-process CMD`,
  )
}
