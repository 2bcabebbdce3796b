import type { Alias } from '../config/aliases.ts'
import type { CommandTable } from './cli-config.ts'
import { isOwnWord, LEADING_FLAGS, readCommandLine } from './command-line.ts'
import type { KnownFlags } from './near-misses.ts'
import type { Io } from './process-io.ts'

/** The line that an alias stands for, in its place. The settings are read only where no command of ours is meant. */
export async function withoutAlias(
  argv: readonly string[],
  io: Io,
  { ids, load }: CommandTable,
): Promise<readonly string[]> {
  const { words, flags, after, stray } = readCommandLine(argv, ids)
  const [name] = words
  if (name === undefined || stray !== undefined || isOwnWord(name, ids)) return argv
  const alias = await aliasOf(name, io)
  if (alias === undefined) return argv
  const { expandAlias } = await import('../config/aliases.ts')
  const { own, added } = expandAlias(alias, after)
  const { id } = readCommandLine(own, ids)
  const known = { ...LEADING_FLAGS, ...(id === undefined ? {} : (await load(id)).flags) }
  const given = new Set([...flags, ...added].flatMap((word) => flagIn(word, known)?.name ?? []))
  return [...flags, ...withoutFlags(own, given, known), ...added]
}

export async function aliasOf(name: string, { env }: Pick<Io, 'env'>): Promise<Alias | undefined> {
  const [{ createAliasStore }, { resolvePaths }] = await Promise.all([
    import('../config/aliases.ts'),
    import('../config/paths.ts'),
  ])
  return (await createAliasStore(resolvePaths(env).configDir).list()).find((one) => one.name === name)
}

/** Removes flags of the alias that the person gives, but for flags that may be repeated. */
function withoutFlags(words: readonly string[], given: ReadonlySet<string>, known: KnownFlags): string[] {
  const kept: string[] = []
  for (let at = 0; at < words.length; at += 1) {
    const word = words[at] ?? ''
    const flag = flagIn(word, known)
    const isGiven = flag && given.has(flag.name) && !known[flag.name]?.multiple
    if (!isGiven) kept.push(word)
    else if (flag.takesNext) at += 1
  }
  return kept
}

/** `--rule=x`, `--no-rule`, `-r`; of several short ones in a word the first. */
function flagIn(word: string, known: KnownFlags): { name: string; takesNext: boolean } | undefined {
  const [, long, value] = /^--([^=]+)(=.*)?$/s.exec(word) ?? []
  const [, char, rest] = /^-([^-])(.*)$/s.exec(word) ?? []
  const name =
    char === undefined
      ? [long, long?.replace(/^no-/, '')].find((one) => one !== undefined && Object.hasOwn(known, one))
      : Object.keys(known).find((one) => known[one]?.char === char)
  if (name === undefined) return undefined
  return { name, takesNext: known[name]?.type === 'option' && value === undefined && !rest }
}
