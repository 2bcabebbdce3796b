import { spawn } from 'node:child_process'
import { AppError, errorCode } from '../errors.ts'
import { childEnv } from '../files/child-env.ts'
import type { Env } from './paths.ts'

const MAX_CHARS = 1024 * 1024
/** Share of the time limit after which a message says what the command waits for. */
const SILENT_PART = 1 / 20

/** A program of the person's, or of the system, that gives or keeps a token. */
export interface TokenProgram {
  /** Said while it is waited for: `the credential process of the profile live`. */
  what: string
  /** Program and arguments, run without a shell; all users of the machine may see them. */
  words: readonly [string, ...string[]]
  /** Standard input; undefined for none. */
  input?: string | undefined
  limitMs: number
  /** Makes the error for a failure: `took longer than 60 s`. */
  fail: (what: string, cause?: Error) => AppError
}

export interface ProgramSurroundings {
  env: Env
  signal: AbortSignal
  /** Called with the text of standard error. */
  onText: (text: string) => void
  /** A line for the person who waits. */
  onNote: (text: string) => void
}

export interface ProgramEnd {
  printed: string
  /** Null: a signal ended it. */
  code: number | null
  killer: NodeJS.Signals | null
}

/** To its end, whatever that is. @throws AppError by `fail`, or `interrupted` */
export function runTokenProgram(
  { what, words: [program, ...args], input, limitMs, fail }: TokenProgram,
  { env, signal, onText, onNote }: ProgramSurroundings,
): Promise<ProgramEnd> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      env: childEnv(env),
      // Standard input belongs to the command that needs the token.
      stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
      signal: AbortSignal.any([signal, AbortSignal.timeout(limitMs)]),
      windowsHide: true,
    })
    const waiting = setTimeout(
      () => onNote(`Waiting for ${what}, ${limitMs / 1000} s at most`),
      limitMs * SILENT_PART,
    )
    let printed = ''
    const giveUp = (error: AppError) => {
      clearTimeout(waiting)
      // A program that it started may go on writing, and reading that would never end.
      for (const stream of [child.stdout, child.stderr]) stream?.destroy()
      child.kill()
      reject(error)
    }
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      printed += part
      if (printed.length > MAX_CHARS) giveUp(fail(`printed more than ${MAX_CHARS} characters`))
    })
    child.stderr?.setEncoding('utf8').on('data', onText)
    // It may end before it has read all.
    child.stdin?.on('error', () => {})
    child.stdin?.end(input)
    child.on('error', (cause) => {
      if (signal.aborted) return giveUp(new AppError('interrupted', 'Interrupted.', { cause }))
      const why = cause.name === 'AbortError' ? `took longer than ${limitMs / 1000} s` : "can't be started"
      giveUp(fail(`${why} (${errorCode(cause) ?? cause.name})`, cause))
    })
    child.on('close', (code, killer) => {
      clearTimeout(waiting)
      resolve({ printed, code, killer })
    })
  })
}
