import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { type IPty, spawn } from '@lydell/node-pty'
import { onTestFinished } from 'vitest'
import { type Env, typed } from './command-line.ts'
import { newFolder } from './files.ts'
import { BIN } from './spawn-cli.ts'

const START: Readonly<Record<string, readonly string[]>> = {
  bash: typed`--norc --noprofile -i`,
  zsh: typed`-f -i`,
  fish: typed`--no-config -i`,
}

/** Starts a shell on a terminal with `rma` as the built binary. */
export function openShell(shell: 'bash' | 'zsh' | 'fish', env: Env, cwd: string): ShellTerminal {
  const bin = newFolder()
  symlinkSync(BIN, join(bin, 'rma'))
  const terminal = spawn(shell, [...(START[shell] ?? [])], {
    cols: 500,
    rows: 60,
    cwd,
    env: { TERM: 'xterm', ...env, PATH: `${bin}:${process.env.PATH}` },
  })
  onTestFinished(() => terminal.kill('SIGKILL'))
  return new ShellTerminal(terminal)
}

class ShellTerminal {
  readonly #terminal: IPty
  /** Text written since the last keys. */
  #raw = ''
  #onData: () => void = () => {}

  constructor(terminal: IPty) {
    this.#terminal = terminal
    terminal.onData((text) => {
      // fish asks for the type of terminal and waits for an answer.
      if (text.includes('\u001b[c') || text.includes('\u001b[0c')) terminal.write('\u001b[?62;c')
      if (text.includes('\u001b[6n')) terminal.write('\u001b[1;1R')
      this.#raw += text
      this.#onData()
    })
  }

  /** Types, and resolves with the text written since, once the pattern matches it. */
  async type(keys: string, until: RegExp): Promise<string> {
    this.#raw = ''
    this.#terminal.write(keys)
    while (!until.test(plain(this.#raw))) {
      await new Promise<void>((resolve) => {
        this.#onData = resolve
      })
    }
    return plain(this.#raw)
  }

  /** Runs a line. Its end marker is computed by the shell, so that the echoed line does not match. */
  async run(line: string): Promise<string> {
    return this.type(`${line}; printf '%s%s\\n' en ded\r`, /\bended/)
  }
}

/** Text without control sequences. */
function plain(raw: string): string {
  return raw.replace(/\u001b(?:\[[\d;?]*[A-Za-z]|[()][AB0]|[=>78]|\][^\u0007]*\u0007)/g, '')
}
