import { spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Context } from '../../../cli/context.ts'
import { readEnv } from '../../../config/paths.ts'
import { childEnv } from '../../../files/child-env.ts'
import programs from './clipboard-programs.json'

interface Program {
  program: string
  args: readonly string[]
  /** Platform that has the program. */
  on?: string
  /** Variable that is set where the program can work. */
  needs?: string
}

const PROGRAMS: readonly Program[] = programs

/** Copies by a program, else by the terminal (OSC 52). Returns a sentence about the outcome. */
export async function copyText(text: string, { io, streams }: Context): Promise<string> {
  for (const { on, needs, ...program } of PROGRAMS) {
    const isHere = needs === undefined ? on === process.platform : readEnv(io.env, needs) !== undefined
    if (isHere && (await feed(program, text, io.env))) return 'Copied to the clipboard'
  }
  if (!streams.err.isTerminal) return 'Warning: Not copied: there is no clipboard here (wl-copy, xclip, xsel)'
  await streams.err.write(`\u001b]52;c;${Buffer.from(text).toString('base64')}\u0007`)
  return 'Handed to the terminal for its clipboard'
}

async function feed({ program, args }: Program, text: string, env: Context['io']['env']) {
  // Windows' own program takes UTF-16 with a byte-order mark.
  const bytes = program.startsWith('clip') ? Buffer.from(`\ufeff${text}`, 'utf16le') : Buffer.from(text)
  const child = spawn(program, args, { env: childEnv(env), stdio: ['pipe', 'ignore', 'ignore'] })
  child.stdin.on('error', () => {})
  child.stdin.end(bytes)
  const [code] = await once(child, 'close').catch(() => [-1])
  return code === 0
}
