import { nearest, nearness } from '../errors.ts'

export type KnownFlags = Readonly<
  Record<string, { type: string; char?: string | undefined; multiple?: boolean }>
>

/** Returns the flags that unknown flags probably mean, each once: `--limit`. */
export function nearestFlags(given: readonly string[], known: KnownFlags): string[] {
  const near = given.map((arg) => {
    const name = arg.replace(/^-+/, '').split('=', 1)[0] ?? ''
    if (arg.startsWith('--') || name.length > 1) return nearest(name, Object.keys(known))
    return Object.keys(known).find((flag) => known[flag]?.char?.toLowerCase() === name.toLowerCase())
  })
  return [...new Set(near)].filter((name) => name !== undefined).map((name) => `--${name}`)
}

/** More commands with one verb are no help. */
const MAX_VERBS = 3

/**
 * Returns the commands that unknown words probably mean, with or without arguments behind them: `returns list` for
 * `retruns lst LU1`; a topic if only that is near; for a verb alone all commands that have it.
 */
export function nearestCommands(given: readonly string[], ids: readonly string[]): string[] {
  const commands = ids.map((id) => id.split(':'))
  const [first = '', second = ''] = given
  if (ids.includes(`${second}:${first}`)) return [`${second} ${first}`]
  const topics = [...new Set(commands.filter(({ length }) => length > 1).map(([topic = '']) => topic))]
  const near =
    nearestWords(given, commands) ??
    nearestWords(
      given,
      topics.map((topic) => [topic]),
    )
  if (near?.length === 1 && !ids.includes(near.join()) && ids.includes(second)) return [second]
  if (near) return [(onlyVerb(near, commands) ?? near).join(' ')]
  const withVerb = commands.filter(([, verb]) => verb === first.toLowerCase())
  return withVerb.length > MAX_VERBS ? [] : withVerb.map((words) => words.join(' '))
}

/** The command of a topic that has but one. */
function onlyVerb(
  near: readonly string[],
  commands: readonly (readonly string[])[],
): readonly string[] | undefined {
  const [first, ...others] = near.length === 1 ? commands.filter(([topic]) => topic === near[0]) : []
  return others.length === 0 ? first : undefined
}

/** The one that the first of the given words come nearest to, each of them near enough. */
function nearestWords(
  given: readonly string[],
  known: readonly (readonly string[])[],
): readonly string[] | undefined {
  const far = (words: readonly string[]) =>
    words.reduce((sum, word, at) => sum + (nearness(given[at] ?? '', word) ?? Number.POSITIVE_INFINITY), 0)
  const [best] = known
    .map((words) => ({ words, far: far(words) }))
    .filter((one) => Number.isFinite(one.far))
    .sort((one, other) => one.far - other.far)
  return best?.words
}

/** The command that is named somewhere in a line whose first flags can't be read: `--limt 5 returns list`. */
export function commandIn(argv: readonly string[], ids: readonly string[]): string | undefined {
  return ids.find((id) => {
    let at = -1
    return id.split(':').every((word) => {
      at = argv.indexOf(word, at + 1)
      return at !== -1
    })
  })
}
