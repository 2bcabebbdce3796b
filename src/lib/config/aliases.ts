import { AppError, nearest } from '../errors.ts'
import { splitWords } from './command-words.ts'
import { createSettingsStorage } from './settings-file.ts'

/**
 * A short name for the beginning of a command line: `late` for `returns stuck --offline`. Not an interface: the file's
 * schema keeps unknown fields.
 */
export type Alias = {
  name: string
  /** Text behind `rma`; `$1` is the first argument, and so on. */
  expansion: string
}

export const ALIAS_NAME = /^[A-Za-z][\w-]*$/

/** Kept in the settings file. Each throws a config error where that can't be read or written. */
export interface AliasStore {
  /** Sorted by name. */
  list(): Promise<Alias[]>
  /** Replaces one of that name. */
  set(alias: Alias): Promise<void>
  /** @throws AppError `not-found`, with the nearest name */
  remove(name: string): Promise<Alias>
}

export function createAliasStore(configDir: string): AliasStore {
  const storage = createSettingsStorage(configDir)
  const others = (aliases: readonly Alias[] = [], name: string) => aliases.filter((one) => one.name !== name)
  const byName = (one: Alias, other: Alias) => (one.name < other.name ? -1 : 1)
  return {
    list: async () => (await storage.read()).aliases ?? [],
    async set(alias) {
      await storage.update((file) => ({
        ...file,
        aliases: [...others(file.aliases, alias.name), alias].sort(byName),
      }))
    },
    async remove(name) {
      let removed: Alias | undefined
      await storage.update((file) => {
        removed = file.aliases?.find((one) => one.name === name)
        if (removed === undefined) throw unknownAlias(name, file.aliases ?? [])
        return { ...file, aliases: others(file.aliases, name) }
      })
      return removed ?? { name, expansion: '' }
    },
  }
}

function unknownAlias(name: string, aliases: readonly Alias[]): AppError {
  const near = nearest(
    name,
    aliases.map((one) => one.name),
  )
  return new AppError('not-found', `There is no alias ${JSON.stringify(name)}.`, {
    hints: near === undefined ? ['rma alias list'] : [`did you mean ${near}?`],
  })
}

/**
 * The words that the alias stands for, and the arguments that no `$1` takes, which come after them. No shell sees them:
 * an argument stays one word, whatever is in it.
 *
 * @throws AppError `usage` where one is missing
 */
export function expandAlias(
  { name, expansion }: Alias,
  args: readonly string[],
): { own: string[]; added: string[] } {
  const taken = new Set<number>()
  const own = splitWords(expansion).words.map((word) =>
    word.replace(/\$([1-9])/g, (_all, digit: string) => {
      const index = Number(digit) - 1
      const arg = args[index]
      if (arg === undefined) {
        throw new AppError('usage', `The alias ${name} needs an argument $${digit}.`, {
          hints: [`it stands for: rma ${expansion}`],
        })
      }
      taken.add(index)
      return arg
    }),
  )
  return { own, added: args.filter((_arg, index) => !taken.has(index)) }
}
