/** Files imported as text: replaceable messages, style sheets and shell scripts. */
export const TEXT_FILES = Object.fromEntries(
  ['yaml', 'css', 'bash', 'zsh', 'fish', 'ps1'].map((ending) => [`.${ending}`, 'text']),
)
