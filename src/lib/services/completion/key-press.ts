import { readFileSync } from 'node:fs'
import { splitWords } from '../../config/command-words.ts'
import type { Env } from '../../config/paths.ts'
import { completeWords, type Lookups } from './answer.ts'
import { filesFor } from './files.ts'
import { lookUpLive, readAliases } from './live.ts'
import { formatAnswer, readShellLine, SHELLS } from './shells.ts'
import type { CompletionTable } from './table.ts'

/**
 * Answers a key press. `args` are the shell's name and the words of its script; `file` is the table made by the build.
 * A failure gives no candidates: the person is typing.
 */
export async function answerKeyPress(file: string, args: readonly string[], env: Env): Promise<string> {
  try {
    const [name, ...rest] = args
    const shell = SHELLS.find((one) => one === name)
    if (shell === undefined) return ''
    const table: CompletionTable = JSON.parse(readFileSync(file, 'utf8'))
    const { words, skipped } = readShellLine(shell, rest, env)
    const lookups: Lookups = {
      // The table's candidates are offered even if live values fail.
      live: (source, typed, flags) => lookUpLive(source, typed, flags, env).catch(() => []),
      files: (typed, extensions) => filesFor(typed, extensions, process.cwd()),
    }
    const found = await completeWords(table, withoutAlias(table, words, env), lookups)
    return formatAnswer(shell, found, skipped)
  } catch {
    return ''
  }
}

/** The command that an alias stands for, in its place. */
function withoutAlias({ commands }: CompletionTable, words: readonly string[], env: Env): readonly string[] {
  const [name, ...rest] = words
  if (rest.length === 0 || Object.keys(commands).some((id) => id.split(':')[0] === name)) return words
  const alias = readAliases(env).find((one) => one.name === name)
  return alias === undefined ? words : [...splitWords(alias.expansion).words, ...rest]
}
