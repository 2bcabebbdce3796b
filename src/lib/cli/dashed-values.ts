/** A noncharacter of Unicode, which no text has. */
const MARK = '\u{fdd0}'

/** Arguments with their dashed values (`--number=-n1`) marked: oclif would take such a value for a flag. */
export function markDashedValues(argv: readonly string[]): string[] {
  const end = argv.indexOf('--')
  return argv.map((arg, at) =>
    end !== -1 && at > end ? arg : arg.replace(/^(--[^=]+=)(?=-[^\d])/, `$1${MARK}`),
  )
}

/** A flag's value, or the words of an error, as they were given. */
export function unmarked<T>(value: T): T
export function unmarked(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(unmarked)
  return typeof value === 'string' ? value.replaceAll(MARK, '') : value
}
