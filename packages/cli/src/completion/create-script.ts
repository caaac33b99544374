import type { Shell } from './shells.ts'

/** A few lines for the shell; what there is to choose from, the program itself says. */
export function createCompletionScript(shell: Shell): string {
  switch (shell) {
    case 'bash':
      return BASH
    case 'zsh':
      return ZSH
    case 'fish':
      return FISH
    default:
      return shell satisfies never
  }
}

const BASH = `_longhaul() {
  local IFS=$'\\n'
  COMPREPLY=($(longhaul complete -- "\${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null | cut -f1))
}
complete -o default -F _longhaul longhaul
`

const ZSH = `#compdef longhaul
_longhaul() {
  local -a found
  while IFS=$'\\t' read -r value about; do
    found+=("\${value//:/\\\\:}:$about")
  done < <(longhaul complete -- "\${(@)words[2,CURRENT]}" 2>/dev/null)
  if (( \${#found} )); then _describe longhaul found; else _files; fi
}
if [ "$funcstack[1]" = "_longhaul" ]; then _longhaul "$@"; else compdef _longhaul longhaul; fi
`

const FISH = `function __longhaul_complete
  set -l words (commandline -opc) (commandline -ct)
  longhaul complete -- $words[2..-1] 2>/dev/null
end
# Files only where nothing of our own fits.
complete -c longhaul -f -n 'count (__longhaul_complete) >/dev/null' -a '(__longhaul_complete)'
`
