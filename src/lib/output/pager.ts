import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import type { Writable } from 'node:stream'
import { appError } from '../errors.ts'

type Pager = ReturnType<typeof openPager>

/** Returns undefined if no pager is installed or wanted. */
export function openPager(env: NodeJS.ProcessEnv, onOpen: (closed: Promise<unknown>) => void) {
  const { RMA_PAGER, PAGER, PATH = '' } = env
  const { RMA_TOKEN: _, RMA_DATABASE: __, ...others } = env
  const command = RMA_PAGER ?? (PAGER || 'less -FRX')
  const [program = ''] = command.trim().split(/\s+/)
  const places = PATH.split(delimiter).flatMap((folder) =>
    ['', '.exe'].map((end) => join(folder, program + end)),
  )
  const isThere = /[=$~\\"']/.test(program) || [program, ...places].some((place) => existsSync(place))
  if (program === '' || !isThere) return undefined
  // Other pagers may run less, which needs R to show colours.
  const child = spawn(command, {
    shell: true,
    stdio: ['pipe', 'inherit', 'inherit'],
    env: { LESS: 'FRX', LV: '-c', ...others },
  })
  /** Exit code; null after a signal. */
  const closed = new Promise<number | null>((resolve) => {
    child.once('error', () => resolve(1))
    child.once('close', resolve)
  })
  onOpen(closed)
  return { command, input: child.stdin, closed }
}

interface PagedSink {
  readonly columns: number | undefined
  write(text: string): Promise<void>
  push(): Promise<void>
  /** Passes written text to `take` instead. */
  divert(take: ((text: string) => Promise<void>) | undefined): void
  useStream(stream?: Writable): void
}

export type Waiting = [sink: Pick<PagedSink, 'write'>, text: string][]

/**
 * Holds output back until it is longer than the screen, and then opens a pager.
 * @param waiting held output and text for standard error, in order
 */
export async function throughPager(
  out: PagedSink,
  { rows, waiting }: { rows: number; waiting: Waiting },
  write: () => Promise<void>,
  open: () => Pager,
) {
  let pager: Pager
  let code: number | null = null
  let used = 0
  out.divert(async (text) => {
    used += rowsOf(text, out.columns)
    waiting.push([out, text])
    if (used <= rows) return
    out.divert(undefined)
    pager = open()
    if (pager) out.useStream(pager.input)
    const held = waiting.splice(0)
    // Standard error shares the screen with the pager.
    if (pager) waiting.push(...held.filter(([sink]) => sink !== out))
    await Promise.all(held.map(([sink, later]) => (pager && sink !== out ? undefined : sink.write(later))))
  })
  try {
    await write()
  } finally {
    out.divert(undefined)
    if (pager) {
      // The user may have quit early.
      await out.push().catch(() => {})
      out.useStream()
      pager.input.end()
      code = await pager.closed
    }
    for (const [sink, text] of waiting.splice(0)) void sink.write(text).catch(() => {})
  }
  if (!(pager && code)) return
  throw appError(
    'config',
    `The pager failed with exit code ${code}: ${pager.command}`,
    'without a pager: --no-pager',
    'another one: put it into RMA_PAGER, for example less -FRX',
  )
}

function rowsOf(text: string, columns = Number.POSITIVE_INFINITY) {
  const lines = text
    .replace(/\x1b\[\d*m/g, '')
    .split('\n')
    .slice(0, -1)
  return lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / columns)), 0)
}
