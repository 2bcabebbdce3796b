import { spawn } from '@lydell/node-pty'
import xterm from '@xterm/headless'
import { BIN, RUNNER, spawnEnv } from './spawn-cli.ts'

export interface TerminalRun {
  code: number
  /** Everything that was written, control sequences and all. */
  raw: string
  /** The lines that a person sees at the end. */
  screen: string[]
}

export interface TerminalOptions {
  env?: Record<string, string>
  columns?: number
  cwd?: string
  rows?: number
  /** Set NO_COLOR, which is otherwise taken away. */
  noColor?: boolean
  /** Called with all that was written so far; `type` presses keys. */
  onOutput?: (raw: string, type: (keys: string) => void) => void
}

/** Run the built binary in a real pseudo-terminal. */
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
    let raw = ''
    child.onData((text) => {
      raw += text
      terminal.write(text)
      options.onOutput?.(raw, (keys) => child.write(keys))
    })
    child.onExit(({ exitCode }) => {
      // Written last, so that all before it has been drawn when it calls back.
      terminal.write('', () => {
        const { active } = terminal.buffer
        const lines = Array.from(
          { length: active.length },
          (_unused, row) => active.getLine(row)?.translateToString(true) ?? '',
        )
        while (lines.at(-1) === '') lines.pop()
        resolve({ code: exitCode, raw, screen: lines })
      })
    })
  })
}
