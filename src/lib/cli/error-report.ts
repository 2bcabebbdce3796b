import { Errors } from '@oclif/core'
import { AppError, nearest } from '../errors.ts'
import { HASH_HINT } from '../wire/return-names.ts'
import { nearestFlags } from './command-line.ts'
import type { Io } from './process-io.ts'

export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error
  if (error instanceof Errors.CLIError) return usageError(error)
  const message = error instanceof Error ? error.message : String(error)
  return new AppError('bug', `This is a fault of rma's own: ${message}`, {
    cause: error,
    hints: ['run it again with --verbose and report what it prints, with the command that you ran'],
  })
}

/** The work came to no end: nothing is left that could still settle what the command waits for. */
export function neverEnded(): AppError {
  return new AppError('bug', "This is a fault of rma's own: the command waited for what never came.", {
    hints: [
      'what it was to write may have been written or not: look before you run it again',
      'run it with --verbose and report what it prints, with the command that you ran',
    ],
  })
}

function usageError(error: Errors.CLIError): AppError {
  const text = error.message.replace(/\n?See more help with --help\s*$/, '').trim()
  const [first = text, ...rest] = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
  const grouped = /^The following errors? occurred:$/.test(first)
  const [message = first, ...details] = grouped ? rest : [first, ...rest]
  return new AppError('usage', message.replace(/^Nonexistent flag/, 'Unknown flag'), {
    details: details.map((line) => ({ message: line })),
    hints: [
      ...meantFlags(error),
      ...lostWord(error),
      ...dashedValue(message),
      'add --help to the command to see its flags and arguments',
    ],
    cause: error,
  })
}

/** Nothing where a return, a shipment or a label has to be named: a word with a # in front is lost on the way. */
function lostWord(error: Errors.CLIError): string[] {
  const isLost =
    /^Missing \d+ required args?:\s*(?:return|id|label|shipment)\b/.test(error.message) ||
    /^Flag --for expects a value/.test(error.message)
  return isLost ? [HASH_HINT] : []
}

function meantFlags(error: Errors.CLIError): string[] {
  if (!('flags' in error && 'parse' in error)) return []
  const { flags, parse } = error as NonExistentFlagsError
  return nearestFlags(flags, parse.input?.flags ?? {})
}

/** What looks like a flag is no value, unless it is written as one. */
function dashedValue(message: string): string[] {
  const [, flag] = /^Flag (--\S+) expects a value/.exec(message) ?? []
  return flag === undefined ? [] : [`a value that begins with - stands behind =: ${flag}=-1A`]
}

/** oclif does not export it. */
interface NonExistentFlagsError extends Errors.CLIError {
  flags: string[]
  parse: { input?: { flags: Parameters<typeof nearestFlags>[1] } }
}

export function unknownCommand(ids: readonly string[], id: string): AppError {
  const name = id.replaceAll(':', ' ')
  const known = ids.map((one) => one.replaceAll(':', ' '))
  const near = nearest(name, known)
  return new AppError('usage', `"${name}" is not a command of rma.`, {
    hints:
      near === undefined
        ? ['rma --help lists the commands']
        : [`rma ${near}`, 'rma --help lists the commands'],
  })
}

/** Resolves when it is written, or can't be. */
export async function reportError(error: AppError, argv: readonly string[], io: Io): Promise<void> {
  const { formatError, errorJson } = await import('../output/errors.ts')
  const json = wantsJsonErrors(argv, io.env)
  const lines = [json ? errorJson(error) : formatError(error)]
  if (error.kind === 'bug' && isVerbose(argv, io.env) && error.cause instanceof Error) {
    lines.push(error.cause.stack ?? '')
  }
  await new Promise<void>((resolve) => io.stderr.write(`${lines.join('\n')}\n`, () => resolve()))
}

/** From the bare words: the failure may be that they could not be parsed. */
function wantsJsonErrors(argv: readonly string[], env: Io['env']): boolean {
  let format = env.RMA_OUTPUT
  for (const [index, arg] of argv.entries()) {
    if (arg === '--') break
    const value = /^(?:--output=|-o=?)(.+)$/.exec(arg)?.[1]
    if (arg === '--json' || arg === '--jq' || arg.startsWith('--jq=')) return true
    if (value !== undefined) format = value
    else if (arg === '-o' || arg === '--output') format = argv[index + 1]
  }
  return format === 'json' || format === 'ndjson' || format === 'geojson'
}

function isVerbose(argv: readonly string[], env: Io['env']): boolean {
  return argv.includes('-v') || argv.includes('--verbose') || Boolean(env.RMA_DEBUG)
}
