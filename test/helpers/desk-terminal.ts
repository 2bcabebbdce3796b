import { type IPty, spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { onTestFinished } from 'vitest'
import { BIN, RUNNER, spawnEnv } from './spawn-cli.ts'

export interface DeskTerminal {
  child: IPty
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

/** Runs the built desk in a real pseudo-terminal, by default until the end of the test. */
export function openDesk(
  env: Record<string, string>,
  { argv = [], autoClose = true, columns = 80, cwd, rows = 24 }: DeskOptions = {},
): DeskTerminal {
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  const child = spawn(RUNNER, [BIN, 'desk', ...argv], {
    cols: columns,
    rows,
    ...(cwd === undefined ? {} : { cwd }),
    env: { TERM: 'xterm-256color', ...spawnEnv(), ...env },
  })
  let written = ''
  let drawn = ''
  const waiting = new Set<() => void>()
  const screen = () => {
    const { active } = terminal.buffer
    const lines = Array.from({ length: terminal.rows }, (_, row) =>
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
    child,
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
