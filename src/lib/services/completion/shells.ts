import { splitWords } from '../../config/command-words.ts'
import type { Env } from '../../config/paths.ts'
import type { Answer, Candidate } from './answer.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

/** @param args from the shell's script. @returns words up to the cursor, and characters of the last one that the shell keeps */
export function readShellLine(shell: Shell, args: readonly string[], env: Env) {
  if (shell === 'zsh') return { words: args.slice(1), skipped: 0 }
  // fish removes the quotes of all words but the last.
  if (shell === 'fish') return { words: [...args.slice(1, -1), unquoted(args.at(-1))], skipped: 0 }
  const [line = '', replaced = ''] =
    shell === 'bash' ? args : [env._RMA_COMPLETE_LINE ?? '', env._RMA_COMPLETE_WORD ?? '']
  const { words, isOpen } = splitWords(line, shell === 'bash' ? 'posix' : 'powershell')
  if (/\s$/.test(line) && !isOpen) words.push('')
  const last = words.at(-1) ?? ''
  const part = unquoted(replaced)
  // bash splits words at = and :, and replaces only the separator itself.
  const isBreak = shell === 'bash' && /^[=:]$/.test(replaced)
  const skipped = isBreak ? last.length : last.endsWith(part) ? last.length - part.length : 0
  return { words: words.slice(1), skipped }
}

function unquoted(word = '') {
  return splitWords(word).words.at(-1) ?? ''
}

export function formatAnswer(
  shell: Shell,
  { kept, candidates, isOpen, areFiles }: Answer,
  skipped: number,
): string {
  const sound = candidates.filter(({ value }) => !/[\t\n\r]/.test(value))
  if (sound.length === 0) return ''
  const how = areFiles ? 'files' : isOpen ? 'open' : 'words'
  return `${lines().join('\n')}\n`

  function lines(): string[] {
    switch (shell) {
      case 'bash':
        return [
          how,
          ...sound.map(({ value }) =>
            // bash adds a folder's slash itself.
            (areFiles ? (kept + value).replace(/\/$/, '') : kept + value.replaceAll(' ', '\\ ')).slice(
              skipped,
            ),
          ),
        ]
      case 'zsh':
        return [`${how} ${kept.length}`, ...sound.map((one) => `${one.value}\t${described(one, sound)}`)]
      case 'fish':
        return sound.map(({ value, about }) => kept + value + (about ? `\t${plain(about)}` : ''))
      case 'powershell':
        return sound.map(({ value, about }) => {
          const word = (kept + value).slice(skipped)
          return `${/^[\w./:@=,+-]+$/.test(word) ? word : `'${word.replaceAll("'", "''")}'`}\t${plain(about || value)}`
        })
    }
  }
}

function plain(text: string) {
  return text.replace(/[\t\n\r]+/g, ' ')
}

function described({ value, about }: Candidate, all: readonly Candidate[]) {
  if (!about) return value
  const width = Math.max(...all.map((one) => one.value.length))
  return `${value.padEnd(width)}  -- ${plain(about)}`
}
