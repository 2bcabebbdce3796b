import type { Shell } from './shells.ts'

/** First line of each script but zsh's, which begins with what it is for. */
export const MARK = 'Completion of rma'

const about = (shell: Shell) => `# ${MARK} for ${shell}, written by: rma completion ${shell}`

/** They only hand over the line and show what comes back: what can be completed is known by `rma` itself. */
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
  compadd "\${options[@]}" -d shown -a -- values
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
