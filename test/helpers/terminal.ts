import { closeSync, constants, openSync } from 'node:fs'
import type { Readable } from 'node:stream'
import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { BIN, RUNNER, spawnEnv } from './spawn-cli.ts'
import { times } from './values-of.ts'

export interface TerminalRun {
  code: number
  /** Output with control sequences. */
  raw: string
  /** Lines visible at the end. */
  screen: string[]
}

export interface TerminalOptions {
  env?: Record<string, string>
  columns?: number
  cwd?: string
  rows?: number
  /** Sets NO_COLOR, removed by default. */
  noColor?: boolean
  /** Called with all output so far; `type` presses keys. */
  onOutput?: (raw: string, type: (keys: string) => void) => void
}

/** Types keys when the output first shows a text. */
export function answering(text: string, keys: string): TerminalOptions['onOutput'] {
  let hasTyped = false
  return (raw, type) => {
    if (hasTyped || !raw.includes(text)) return
    hasTyped = true
    type(keys)
  }
}

/** Runs the built binary in a real pseudo-terminal. */
export function runInTerminal(argv: readonly string[], options: TerminalOptions = {}): Promise<TerminalRun> {
  const { columns = 100, rows = 200 } = options
  const terminal = new xterm.Terminal({ cols: columns, rows, allowProposedApi: true })
  return new Promise((resolve) => {
    const { NO_COLOR: _unset, ...env } = options.env ?? spawnEnv()
    const child = spawn(RUNNER, [BIN, ...argv], {
      cols: columns,
      rows,
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
      env: { TERM: 'xterm-256color', ...env, ...(options.noColor ? { NO_COLOR: '1' } : {}) },
    })
    keepUnread(child)
    let raw = ''
    child.onData((text) => {
      raw += text
      terminal.write(text)
      options.onOutput?.(raw, (keys) => child.write(keys))
    })
    child.onExit(({ exitCode }) => {
      // An empty write calls back after all earlier output is drawn.
      terminal.write('', () => {
        const { active } = terminal.buffer
        const lines = times(active.length, (row) => active.getLine(row)?.translateToString(true) ?? '')
        while (lines.at(-1) === '') lines.pop()
        resolve({ code: exitCode, raw, screen: lines })
      })
    })
  })
}

/** A terminal that was silent for this long has been read. */
const SILENCE_MS = 50

/**
 * Some kernels lose what is unread once the last writer has closed: the terminal is held open until node-pty gives up
 * waiting, 200 ms after the end, and the rest has been read. node-pty would not read it then.
 */
function keepUnread(child: object): void {
  const { _socket: socket, _pty: path } = child as { _socket: Readable; _pty: string }
  let held: number | undefined = openSync(path, constants.O_RDWR | constants.O_NOCTTY)
  let isRead = true
  socket.on('data', () => {
    isRead = false
  })
  const letGo = () => {
    if (!isRead) {
      isRead = true
      setTimeout(letGo, SILENCE_MS)
      return
    }
    if (held !== undefined) closeSync(held)
    held = undefined
  }
  const destroy = socket.destroy.bind(socket)
  socket.destroy = (error) => {
    if (error) {
      isRead = true
      letGo()
      return destroy(error)
    }
    isRead = false
    letGo()
    setTimeout(destroy, 2000)
    return socket
  }
}
