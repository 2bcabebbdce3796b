#compdef rma
# Completion of rma for zsh, written by: rma completion zsh
_rma() {
  local -a lines values shown how options=()
  lines=("${(@f)$(command rma __complete zsh "${(@Q)words[1,CURRENT-1]}" "${(Q)PREFIX}" 2>/dev/null </dev/null)}")
  how=(${=lines[1]})
  (( ${#lines} > 1 )) || return 1
  values=("${(@)lines[2,-1]%%$'\t'*}")
  shown=("${(@)lines[2,-1]#*$'\t'}")
  compset -p $how[2]
  [[ $how[1] == files ]] && options=(-f)
  [[ $how[1] == open || ( $how[1] == files && $values[1] == */ ) ]] && options+=(-S '')
  [[ "$values" == "$shown" ]] || options+=(-l)
  compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' "${options[@]}" -d shown -a -- values
}
if [[ $funcstack[1] == _rma ]]; then _rma "$@"; else compdef _rma rma; fi
