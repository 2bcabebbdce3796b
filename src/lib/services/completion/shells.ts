import { splitWords } from '../../config/command-words.ts'
import type { Env } from '../../config/paths.ts'
import type { Answer, Candidate } from './answer.ts'

export const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof SHELLS)[number]

interface TypedLine {
  words: readonly string[]
  skipped: number
}

/** `args` are those of the script. */
export function readShellLine(shell: Shell, args: readonly string[], env: Env): TypedLine {
  if (shell === 'zsh') return { words: args.slice(1), skipped: 0 }
  // fish takes its quotes off all words but the last.
  if (shell === 'fish') return { words: [...args.slice(1, -1), unquoted(args.at(-1))], skipped: 0 }
  const [line = '', replaced = ''] =
    shell === 'bash' ? args : [env._RMA_COMPLETE_LINE ?? '', env._RMA_COMPLETE_WORD ?? '']
  const { words, isOpen } = splitWords(line, shell === 'bash' ? 'posix' : 'powershell')
  if (/\s$/.test(line) && !isOpen) words.push('')
  const last = words.at(-1) ?? ''
  const part = unquoted(replaced)
  // A lone = or : is a word to bash.
  const isBreak = shell === 'bash' && /^[=:]$/.test(replaced)
  const skipped = isBreak ? last.length : last.endsWith(part) ? last.length - part.length : 0
  return { words: words.slice(1), skipped }
}

function unquoted(word = ''): string {
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
            withoutSlash(kept + (areFiles ? value : value.replaceAll(' ', '\\ ')), areFiles).slice(skipped),
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

/** bash adds the slash of a folder. */
function withoutSlash(value: string, isFile: boolean): string {
  return isFile ? value.replace(/\/$/, '') : value
}

function plain(text: string): string {
  return text.replace(/[\t\n\r]+/g, ' ')
}

function described({ value, about }: Candidate, all: readonly Candidate[]): string {
  if (!about) return value
  const width = Math.max(...all.map((one) => one.value.length))
  return `${value.padEnd(width)}  -- ${plain(about)}`
}

/** Marks a file as written by rma. */
export const MARK = 'Completion of rma'

const about = (shell: Shell) => `# ${MARK} for ${shell}, written by: rma completion ${shell}`

/** Scripts hand over the line and show the candidates that come back. */
export const SCRIPTS: Readonly<Record<Shell, string>> = {
  bash: `${about('bash')}
_rma() {
  local line how=''
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $how ]]; then how=$line; else COMPREPLY+=("$line"); fi
  done < <(command rma __complete bash "\${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null </dev/null)
  # bash 3.2, as macOS has it, knows no compopt.
  if type compopt &>/dev/null; then
    [[ $how == files ]] && compopt -o filenames
    [[ $how == open ]] && compopt -o nospace
  fi
  return 0
}
complete -F _rma rma
`,
  zsh: `#compdef rma
${about('zsh')}
_rma() {
  local -a lines values shown how options=()
  lines=("\${(@f)$(command rma __complete zsh "\${(@Q)words[1,CURRENT-1]}" "\${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  how=(\${=lines[1]})
  (( \${#lines} > 1 )) || return 1
  values=("\${(@)lines[2,-1]%%$'\\t'*}")
  shown=("\${(@)lines[2,-1]#*$'\\t'}")
  compset -p $how[2]
  [[ $how[1] == files ]] && options=(-f)
  [[ $how[1] == open || ( $how[1] == files && $values[1] == */ ) ]] && options+=(-S '')
  [[ "$values" == "$shown" ]] || options+=(-l)
  compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' "\${options[@]}" -d shown -a -- values
}
if [[ $funcstack[1] == _rma ]]; then _rma "$@"; else compdef _rma rma; fi
`,
  fish: `${about('fish')}
function __rma_complete
    command rma __complete fish (commandline -opc) (commandline -ct) 2>/dev/null </dev/null
end
complete -c rma -f -a '(__rma_complete)'
`,
  powershell: `${about('powershell')}
Register-ArgumentCompleter -Native -CommandName rma -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $length = $cursorPosition - $commandAst.Extent.StartOffset
  $env:_RMA_COMPLETE_LINE = $commandAst.ToString().PadRight($length).Substring(0, $length)
  $env:_RMA_COMPLETE_WORD = $wordToComplete
  try {
    rma __complete powershell 2>$null | ForEach-Object {
      $value, $about = $_ -split "\`t", 2
      [System.Management.Automation.CompletionResult]::new($value, $value, 'ParameterValue', $about)
    }
  } finally {
    $env:_RMA_COMPLETE_LINE = $null
    $env:_RMA_COMPLETE_WORD = $null
  }
}
`,
}
