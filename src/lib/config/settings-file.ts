import { existsSync } from 'node:fs'
import path from 'node:path'
import { AppError, type ErrorDetail, errorCode, nearest } from '../errors.ts'
import { diskTrouble } from '../files/file-failure.ts'
import { assertLocksOwned, withLock } from '../files/lock.ts'
import { makeFolders } from '../files/make-folder.ts'
import { splitWords } from './command-words.ts'
import { PROFILE_NAME } from './profile.ts'
import type { KeptPrinter, SettingsFile } from './profile-schema.ts'

/** `config.json`, mode 0600, in a folder of mode 0700. */
interface SettingsStorage {
  readonly path: string
  /** Loads nothing without a file. Throws a config error if it can't be read. */
  read(): Promise<SettingsFile>
  /** Reads again under a lock: no change is lost. @throws AppError `config` if the place can't be written */
  update(change: (settings: SettingsFile) => SettingsFile): Promise<SettingsFile>
}

const SETTINGS_LOCK = { what: 'The settings file', kind: 'config', waitMs: 10_000 } as const

export function createSettingsStorage(directory: string): SettingsStorage {
  const file = path.join(directory, 'config.json')
  return {
    path: file,
    async read() {
      if (!existsSync(file)) return {}
      try {
        return (await openConf(directory, file)).store
      } catch (error) {
        throw explain(error, file, 'read')
      }
    },
    async update(change) {
      try {
        await makeFolders(directory, 0o700)
        // Before the lock, which is then held for a moment only.
        await loadConf()
        return await withLock(`${file}.lock`, SETTINGS_LOCK, async () => {
          const conf = await openConf(directory, file)
          const settings = change(conf.store)
          assertLocksOwned()
          conf.store = settings
          return settings
        })
      } catch (error) {
        throw explain(error, file, 'write')
      }
    },
  }
}

/** conf and zod take 35 ms to load. */
async function loadConf() {
  const [{ default: Conf }, { describeIssues, settingsFileSchema }] = await Promise.all([
    import('conf'),
    import('./profile-schema.ts'),
  ])
  return { Conf, describeIssues, settingsFileSchema }
}

async function openConf(directory: string, file: string) {
  const { Conf, describeIssues, settingsFileSchema } = await loadConf()
  return new Conf<SettingsFile>({
    cwd: directory,
    configFileMode: 0o600,
    // Dots in a name would make a path.
    accessPropertiesByDotNotation: false,
    serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
    deserialize: (text) => {
      const parsed = settingsFileSchema.safeParse(JSON.parse(text))
      if (parsed.success) return parsed.data
      throw unusable(file, 'is not what it should be', describeIssues(parsed.error))
    },
  })
}

function unusable(file: string, problem: string, details: ErrorDetail[] = []): AppError {
  return new AppError('config', `The settings file ${file} ${problem}.`, {
    details,
    hints: ['correct the file by hand', `or move it away and start anew: mv "${file}" "${file}.broken"`],
  })
}

function explain(error: unknown, file: string, doing: 'read' | 'write'): unknown {
  if (error instanceof AppError) return error
  // The engine's message quotes the text, which may be a token.
  if (error instanceof SyntaxError) return unusable(file, 'is not valid JSON')
  const code = errorCode(error)
  if (code === undefined) return error
  const trouble = diskTrouble(error)
  const why = trouble ? `: ${trouble.words} (${code}); it is as it was.` : ` (${code}).`
  return new AppError('config', `Can't ${doing} the settings file ${file}${why}`, {
    hints: [
      trouble?.remedy ?? 'check the permissions of the file and its directory',
      'or keep the settings elsewhere: RMA_CONFIG_DIR',
    ],
    cause: error,
  })
}

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

/** Printers by name, in the settings file beside the profiles. */
interface PrinterStore {
  /** In the order of addition. */
  list(): Promise<KeptPrinter[]>
  /** @throws AppError `config` for an unknown name */
  get(name: string): Promise<KeptPrinter>
  /** @throws AppError `usage` for a bad name, `config` if it is taken */
  add(printer: KeptPrinter): Promise<void>
  /** @throws AppError `config` for an unknown name */
  remove(name: string): Promise<void>
}

export function createPrinterStore(configDir: string): PrinterStore {
  const storage = createSettingsStorage(configDir)
  return {
    list: async () => (await storage.read()).printers ?? [],
    get: async (name) => find((await storage.read()).printers ?? [], name),
    async add(printer) {
      const { name } = printer
      if (!PROFILE_NAME.test(name)) {
        const message = `A printer's name may hold letters, digits, ".", "_" and "-" only, not ${JSON.stringify(name)}.`
        throw new AppError('usage', message, { hints: ['rma printers add zebra 192.168.1.50'] })
      }
      await storage.update((file) => {
        const printers = file.printers ?? []
        if (printers.some((one) => one.name === name)) {
          const hints = [`rma printers remove ${name}, then add it anew`]
          throw new AppError('config', `The printer ${name} exists already.`, { hints })
        }
        return { ...file, printers: [...printers, printer] }
      })
    },
    async remove(name) {
      await storage.update((file) => {
        const printers = file.printers ?? []
        find(printers, name)
        return { ...file, printers: printers.filter((one) => one.name !== name) }
      })
    },
  }
}

function find(printers: readonly KeptPrinter[], name: string): KeptPrinter {
  const found = printers.find((one) => one.name === name)
  if (found) return found
  const names = printers.map((one) => one.name)
  const near = nearest(name, names)
  throw new AppError('config', `There is no printer ${JSON.stringify(name)}.`, {
    hints: [
      ...(near === undefined ? [] : [`did you mean ${near}?`]),
      ...(names.length === 0 ? [] : [`known printers: ${names.join(', ')}`]),
      'keep one: rma printers add NAME HOST',
    ],
  })
}
