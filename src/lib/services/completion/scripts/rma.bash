# Completion of rma for bash, written by: rma completion bash
_rma() {
  local line how=''
  COMPREPLY=()
  while IFS= read -r line; do
    if [[ -z $how ]]; then how=$line; else COMPREPLY+=("$line"); fi
  done < <(command rma __complete bash "${COMP_LINE:0:COMP_POINT}" "$2" 2>/dev/null </dev/null)
  # bash 3.2, as macOS has it, knows no compopt.
  if type compopt &>/dev/null; then
    [[ $how == files ]] && compopt -o filenames
    [[ $how == open ]] && compopt -o nospace
  fi
  return 0
}
complete -F _rma rma
