/** Files that are taken in as texts: sentences that people may replace, styles of pages, scripts of shells. */
export const TEXT_FILES = Object.fromEntries(
  ['yaml', 'css', 'bash', 'zsh', 'fish', 'ps1'].map((ending) => [`.${ending}`, 'text']),
)
