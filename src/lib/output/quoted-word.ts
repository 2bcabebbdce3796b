/** A word of a command line, for a POSIX shell. */
export function quotedWord(word: string): string {
  return /^[\w./:@=-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}
