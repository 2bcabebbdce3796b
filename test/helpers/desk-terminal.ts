import { PassThrough, Writable } from 'node:stream'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { onTestFinished } from 'vitest'
import type { Env } from './command-line.ts'
import { runCli } from './run-cli.ts'
import { BIN, RUNNER, spawnEnv } from './spawn-cli.ts'
import { times } from './values-of.ts'

export interface DeskTerminal {
  press(keys: string): void
  resize(columns: number, rows: number): void
  /** Text that a person sees. */
  screen(): string
  /** Output with control sequences. */
  raw(): string
  /** Resolves with the screen as soon as it shows the text. */
  until(text: string | RegExp): Promise<string>
  pressUntil(keys: string, text: string | RegExp): Promise<string>
  close(): void
  /** Exit code, with what the terminal shows afterwards. */
  ended: Promise<{ code: number; screen: string; isAlternate: boolean }>
}

interface DeskOptions {
  argv?: readonly string[]
  columns?: number
  rows?: number
  cwd?: string
  /** False outside a test (in `beforeAll`): the caller must call `close()`. */
  autoClose?: boolean
}

export const KEYS = { enter: '\r', escape: '\x1b', tab: '\t', down: '\x1b[B', up: '\x1b[A', ctrlC: '\x03' }

/** Program behind a terminal. */
interface Program {
  onData(listener: (text: string) => void): unknown
  onExit(listener: (end: { exitCode: number }) => void): unknown
  write(keys: string): void
  resize(columns: number, rows: number): void
  kill(signal: string): void
}

/** Runs the built desk in a real pseudo-terminal, by default until the end of the test. */
export function openDesk(env: Env, options: DeskOptions = {}) {
  const { argv = [], columns = 80, cwd, rows = 24 } = options
  const child = spawn(RUNNER, [BIN, 'desk', ...argv], {
    cols: columns,
    rows,
    ...(cwd === undefined ? {} : { cwd }),
    env: { TERM: 'xterm-256color', ...spawnEnv(), ...env },
  })
  return { child, ...terminalOf(child, options) }
}

/** Runs the desk in this process, from the sources. */
export function openDeskHere(env: Env, options: Omit<DeskOptions, 'cwd'> = {}): DeskTerminal {
  const { argv = [], columns = 80, rows = 24 } = options
  const stdin = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: () => stdin,
    ref: () => stdin,
    unref: () => stdin,
  })
  let listener: (text: string) => void = () => {}
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    listener(String(chunk))
    done()
  }
  const stdout = Object.assign(new Writable({ decodeStrings: false, write }), { isTTY: true, columns, rows })
  const interrupt = new AbortController()
  // Each desk gives the screen back when the process ends.
  process.setMaxListeners(0)
  const run = runCli(['desk', ...argv], {
    env: { TERM: 'xterm-256color', ...env },
    streams: { stdin, stdout, stderr: stdout },
    interrupt: interrupt.signal,
  })
  return terminalOf(
    {
      onData: (given) => (listener = given),
      onExit: (end) => void run.then(({ code }) => end({ exitCode: code })),
      write: (keys) => stdin.write(keys),
      resize: (toColumns, toRows) => {
        Object.assign(stdout, { columns: toColumns, rows: toRows })
        stdout.emit('resize')
      },
      kill: () => interrupt.abort(),
    },
    options,
  )
}

function terminalOf(
  child: Program,
  { autoClose = true, columns = 80, rows = 24 }: DeskOptions,
): DeskTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true, convertEol: true })
  let written = ''
  let drawn = ''
  const waiting = new Set<() => void>()
  const screen = () => {
    const { active } = terminal.buffer
    const lines = times(terminal.rows, (row) =>
      (active.getLine(active.viewportY + row)?.translateToString(true) ?? '').trimEnd(),
    )
    return lines.join('\n').trimEnd()
  }
  child.onData((text) => {
    written += text
    terminal.write(text, () => {
      drawn += text
      for (const look of waiting) look()
    })
  })
  const ended = new Promise<Awaited<DeskTerminal['ended']>>((resolve) => {
    child.onExit(({ exitCode }) =>
      terminal.write('', () =>
        resolve({
          code: exitCode,
          screen: screen(),
          isAlternate: terminal.buffer.active.type === 'alternate',
        }),
      ),
    )
  })
  let isOver = false
  void ended.then(() => {
    isOver = true
  })
  const close = () => {
    if (!isOver) child.kill('SIGKILL')
  }
  if (autoClose) onTestFinished(close)
  const until = (text: string | RegExp) =>
    new Promise<string>((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(look)
        reject(new Error(`${text} is not on the screen:\n${screen()}`))
      }, 45_000)
      const look = () => {
        // A frame being drawn is skipped.
        if (drawn.lastIndexOf('\x1b[?2026h') > drawn.lastIndexOf('\x1b[?2026l')) return
        const shown = screen()
        if (typeof text === 'string' ? !shown.includes(text) : !text.test(shown)) return
        clearTimeout(timer)
        waiting.delete(look)
        resolve(shown)
      }
      waiting.add(look)
      look()
    })
  return {
    press: (keys) => child.write(keys),
    resize: (toColumns, toRows) => {
      terminal.resize(toColumns, toRows)
      child.resize(toColumns, toRows)
    },
    screen,
    raw: () => written,
    until,
    pressUntil: (keys, text) => {
      child.write(keys)
      return until(text)
    },
    ended,
    close,
  }
}
