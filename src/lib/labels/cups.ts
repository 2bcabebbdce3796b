import { spawn } from 'node:child_process'
import { AppError, errorCode } from '../errors.ts'
import { childEnv } from '../files/child-env.ts'
import type { Sheet } from '../wire/print.ts'
import type { PrintDocument } from './print-document.ts'

/** Self-describing media names (PWG 5101.1). */
const MEDIA: Readonly<Record<Sheet, string>> = {
  a4: 'iso_a4_210x297mm',
  letter: 'na_letter_8.5x11in',
  a6: 'iso_a6_105x148mm',
  '4x6': 'na_index-4x6_4x6in',
}

export interface QueueOptions {
  sheet: Sheet
  timeoutMs: number
  signal: AbortSignal
  env: Readonly<Record<string, string | undefined>>
}

/**
 * Sends a document to a CUPS queue with `lp`.
 *
 * @returns the job's id, if `lp` tells it
 * @throws AppError `config` without `lp`, `unavailable` in the words of `lp` if it refuses
 */
export async function printOnQueue(
  queue: string,
  { language, data }: Pick<PrintDocument, 'language' | 'data'>,
  { sheet, timeoutMs, signal, env }: QueueOptions,
): Promise<string | undefined> {
  const how = language === 'zpl' ? ['raw'] : ['print-scaling=none', `media=${MEDIA[sheet]}`]
  const time = AbortSignal.timeout(timeoutMs)
  const child = spawn('lp', ['-d', queue, '-t', 'rma labels', ...how.flatMap((option) => ['-o', option])], {
    // The job id is read from the answer, which must not be translated.
    env: { ...childEnv(env), LC_ALL: 'C' },
    signal: AbortSignal.any([time, signal]),
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const said = { out: '', err: '' }
  child.stdout.setEncoding('utf8').on('data', (text) => (said.out += text))
  child.stderr.setEncoding('utf8').on('data', (text) => (said.err += text))
  // `lp` may refuse before it has read all input.
  child.stdin.on('error', () => undefined)
  child.stdin.end(data)
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', (cause) => reject(failure(queue, cause, { time, signal })))
    child.once('close', resolve)
  })
  if (code === 0) return /request id is (\S+)/.exec(said.out)?.[1]
  const reason = said.err
    .trim()
    .replace(/^lp: (?:Error - )?/, '')
    .replace(/\.$/, '')
  throw new AppError(
    'unavailable',
    `The queue ${queue} can't be printed on: ${reason || `lp ended with ${code}`}.`,
    {
      hints: ['lpstat -e lists the queues', 'lpstat -t tells how they are'],
    },
  )
}

function failure(queue: string, cause: Error, { time, signal }: { time: AbortSignal; signal: AbortSignal }) {
  if (signal.aborted) return new AppError('interrupted', 'Interrupted: the queue may have the labels or not.')
  if (time.aborted) {
    const message = `The queue ${queue} did not answer in time: it may have the labels or not.`
    return new AppError('unavailable', message, { hints: [`lpstat -o ${queue} lists its jobs`], cause })
  }
  const code = errorCode(cause)
  const why = code === 'ENOENT' ? 'is not installed' : `can't be started (${code})`
  return new AppError('config', `Printing on a queue needs the program lp, which ${why}.`, {
    hints: ['install the client of CUPS (Debian: cups-client)', 'or print on its address: --printer HOST'],
    cause,
  })
}
