import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { AppError } from '../errors.ts'
import { makeFolders } from '../files/make-folder.ts'
import { replaceFile } from '../files/temporary-file.ts'
import { splitWords } from './command-words.ts'
import { readToken } from './token.ts'
import { type ProgramSurroundings, runTokenProgram } from './token-program.ts'

/** A person may have to approve. */
const LIMIT_MS = 120_000
/** One that expires so soon may do so on its way. */
const SPARE_MS = 60_000

export interface CredentialProcess {
  profile: string
  baseUrl: string
  /** Taken apart as a shell does, and run without one. */
  command: string
}

export interface CredentialSurroundings extends ProgramSurroundings {
  cacheDir: string
  now: number
}

/** Returns the file that keeps a token until it expires, one for each command and address. */
export function credentialCacheFile(
  { profile, baseUrl, command }: CredentialProcess,
  cacheDir: string,
): string {
  const hash = createHash('sha256')
    .update(JSON.stringify([profile, baseUrl, command]))
    .digest('hex')
  return join(cacheDir, 'tokens', `${hash.slice(0, 16)}.json`)
}

/**
 * Runs the command, which prints `{"token", "expiresAt"?}` or the token alone. @throws AppError `auth` without a token
 */
export async function processToken(
  process: CredentialProcess,
  around: CredentialSurroundings,
): Promise<string> {
  const file = credentialCacheFile(process, around.cacheDir)
  const kept = await readKept(file)
  if (kept !== undefined && kept.expiresAt - around.now > SPARE_MS) return kept.token
  const printed = readPrinted(await run(process, around), process)
  const expiresAt = printed.expiresAt ?? readToken(printed.token).expiresAt
  if (expiresAt === undefined) return printed.token
  try {
    await makeFolders(dirname(file), 0o700)
    await replaceFile(file, JSON.stringify({ token: printed.token, expiresAt }))
  } catch {
    // It is asked for again, then.
  }
  return printed.token
}

/** For a token that the platform did not accept. */
export async function forgetProcessToken(process: CredentialProcess, cacheDir: string): Promise<void> {
  await rm(credentialCacheFile(process, cacheDir), { force: true }).catch(() => {})
}

async function readKept(file: string): Promise<{ token: string; expiresAt: number } | undefined> {
  try {
    const { token, expiresAt } = JSON.parse(await readFile(file, 'utf8'))
    return typeof token === 'string' && typeof expiresAt === 'number' ? { token, expiresAt } : undefined
  } catch {
    return undefined
  }
}

/** The output is never shown: it may be the token. */
function readPrinted(text: string, process: CredentialProcess): { token: string; expiresAt?: number } {
  const asToken = (value: string) => {
    if (/\s/.test(value.trim()))
      throw failure(process, 'printed no token: there is a space or a line break in it')
    return readToken(value).value
  }
  if (!text.startsWith('{')) {
    if (text === '') throw failure(process, 'printed nothing')
    return { token: asToken(text) }
  }
  let printed: { token?: unknown; expiresAt?: unknown }
  try {
    printed = JSON.parse(text)
  } catch {
    throw failure(process, 'printed what is not valid JSON')
  }
  const { token, expiresAt } = printed
  if (typeof token !== 'string') throw failure(process, 'printed JSON without a text "token"')
  const value = asToken(token)
  if (expiresAt === undefined || expiresAt === null) return { token: value }
  const instant = typeof expiresAt === 'string' ? Date.parse(expiresAt) : Number.NaN
  if (Number.isNaN(instant)) throw failure(process, 'printed an "expiresAt" that is not a time in ISO 8601')
  return { token: value, expiresAt: instant }
}

async function run(process: CredentialProcess, around: CredentialSurroundings): Promise<string> {
  const { words, isOpen } = splitWords(process.command)
  const [program, ...args] = words
  if (program === undefined || isOpen)
    throw failure(process, 'is not a command: a quote is open, or nothing is there')
  const fail = (what: string, cause?: Error) => failure(process, what, cause)
  const what = `the credential process of the profile ${process.profile}`
  const end = await runTokenProgram({ what, words: [program, ...args], limitMs: LIMIT_MS, fail }, around)
  if (end.code === 0) return end.printed.trim()
  throw fail(end.code === null ? `was ended by ${end.killer}` : `ended with exit code ${end.code}`)
}

function failure({ profile, command }: CredentialProcess, what: string, cause?: unknown): AppError {
  return new AppError('auth', `The credential process of the profile ${profile} ${what}.`, {
    hints: [`run it by hand: ${command}`, `change it: rma profiles set ${profile} --credential-process CMD`],
    cause,
  })
}
