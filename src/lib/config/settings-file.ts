import { existsSync } from 'node:fs'
import path from 'node:path'
import {
  AppError,
  appError,
  causedBy,
  type ErrorDetail,
  errorCode,
  nearHints,
  quotedWord,
  usageError,
} from '../errors.ts'
import { diskTrouble } from '../files/file-failure.ts'
import { assertLocksOwned, withLock } from '../files/lock.ts'
import { makeFolders } from '../files/make-folder.ts'
import { splitWords } from './command-words.ts'
import { PROFILE_NAME } from './profile.ts'
import type { KeptPrinter, SettingsFile } from './profile-schema.ts'

const SETTINGS_LOCK = { what: 'The settings file', kind: 'config', waitMs: 10_000 } as const

/** `config.json`, mode 0600, in a folder of mode 0700. An update reads it again under a lock. */
export function createSettingsStorage(directory: string) {
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
    async update(change: (settings: SettingsFile) => SettingsFile): Promise<SettingsFile> {
      try {
        await makeFolders(directory, 0o700)
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

async function loadConf() {
  const [{ default: Conf }, { describeIssues, settingsFileSchema }] = await Promise.all([
    import('conf'),
    import('./profile-schema.ts'),
  ])
  removeSignalRepeaters()
  return { Conf, describeIssues, settingsFileSchema }
}

/** Removes listeners of a dependency of conf, which sends each signal again: a second signal ends the process. */
function removeSignalRepeaters() {
  for (const signal of process.eventNames().filter((name) => /^SIG/.test(String(name)))) {
    for (const listener of process.rawListeners(signal)) {
      if ('listener' in listener) process.removeListener(signal, listener.listener as () => void)
    }
  }
}

async function openConf(directory: string, file: string) {
  const { Conf, describeIssues, settingsFileSchema } = await loadConf()
  return new Conf<SettingsFile>({
    cwd: directory,
    configFileMode: 0o600,
    accessPropertiesByDotNotation: false,
    serialize: (value) => `${JSON.stringify(value, undefined, 2)}\n`,
    deserialize: (text) => {
      const parsed = settingsFileSchema.safeParse(JSON.parse(text))
      if (parsed.success) return parsed.data
      throw unusable(file, 'is not what it should be', describeIssues(parsed.error))
    },
  })
}

function unusable(file: string, problem: string, details: ErrorDetail[] = []) {
  return new AppError('config', `The settings file ${file} ${problem}.`, {
    details,
    hints: [
      'correct the file by hand',
      `or move it away and start anew: mv ${quotedWord(file)} ${quotedWord(`${file}.broken`)}`,
    ],
  })
}

function explain(error: unknown, file: string, doing: 'read' | 'write'): unknown {
  if (error instanceof AppError) return error
  if (error instanceof SyntaxError) return unusable(file, 'is not valid JSON')
  const code = errorCode(error)
  if (code === undefined) return error
  const trouble = diskTrouble(error)
  const why = trouble ? `: ${trouble.words} (${code}); it is as it was.` : ` (${code}).`
  return causedBy(
    error,
    'config',
    `Can't ${doing} the settings file ${file}${why}`,
    trouble?.remedy ?? 'check the permissions of the file and its directory',
    'or keep the settings elsewhere: RMA_CONFIG_DIR',
  )
}

/** For example `late` for `returns stuck --offline`. A type, since the file keeps unknown fields. */
export type Alias = {
  name: string
  expansion: string
}

interface Named {
  aliases: Alias
  printers: KeptPrinter
}

type Unknown = (shownName: string, near: string[], names: readonly string[]) => AppError

/** @throws the error that `unknown` makes */
export function itemNamed<T extends { name: string }>(items: readonly T[], name: string, unknown: Unknown) {
  const item = items.find((one) => one.name === name)
  if (item) return item
  const names = items.map((one) => one.name)
  throw unknown(JSON.stringify(name), nearHints(name, names), names)
}

function namedStore<K extends keyof Named>(configDir: string, key: K, unknown: Unknown) {
  const storage = createSettingsStorage(configDir)
  const itemsOf = (file: SettingsFile) => (file[key] ?? []) as Named[K][]
  return {
    list: async () => itemsOf(await storage.read()),
    get: async (name: string) => itemNamed(itemsOf(await storage.read()), name, unknown),
    update: async (change: (items: readonly Named[K][]) => readonly Named[K][]) => {
      await storage.update((file) => ({ ...file, [key]: change(itemsOf(file)) }))
    },
    async remove(name: string) {
      const item = await this.get(name)
      await storage.update((file) => ({ ...file, [key]: itemsOf(file).filter((one) => one.name !== name) }))
      return item
    },
  }
}

export function createAliasStore(configDir: string) {
  const store = namedStore(configDir, 'aliases', (name, near) =>
    appError('not-found', `There is no alias ${name}.`, ...(near.length > 0 ? near : ['rma alias list'])),
  )
  return {
    ...store,
    set: (alias: Alias) =>
      store.update((all) =>
        [...all.filter(({ name }) => name !== alias.name), alias].sort((one, other) =>
          one.name < other.name ? -1 : 1,
        ),
      ),
  }
}

export function createPrinterStore(configDir: string) {
  const store = namedStore(configDir, 'printers', (name, near, names) => {
    const known = names.length === 0 ? [] : [`known printers: ${names.join(', ')}`]
    const hints = [...near, ...known, 'keep one: rma printers add NAME HOST']
    return appError('config', `There is no printer ${name}.`, ...hints)
  })
  return {
    ...store,
    async add(printer: KeptPrinter) {
      const { name } = printer
      if (!PROFILE_NAME.test(name)) {
        throw usageError(
          `A printer's name may hold letters, digits, ".", "_" and "-" only, not ${JSON.stringify(name)}.`,
          'rma printers add zebra 192.168.1.50',
        )
      }
      await store.update((all) => {
        if (!all.some((one) => one.name === name)) return [...all, printer]
        throw appError(
          'config',
          `The printer ${name} exists already.`,
          `rma printers remove ${name}, then add it anew`,
        )
      })
    },
  }
}

/**
 * Returns the words of the alias, and the arguments that no `$1` takes. @throws AppError `usage` for a
 * missing argument
 */
export function expandAlias({ name, expansion }: Alias, args: readonly string[]) {
  const taken = new Set<number>()
  const own = splitWords(expansion).words.map((word) =>
    word.replace(/\$([1-9])/g, (_all, digit: string) => {
      const index = Number(digit) - 1
      const arg = args[index]
      if (arg === undefined) {
        throw usageError(`The alias ${name} needs an argument $${digit}.`, `it stands for: rma ${expansion}`)
      }
      taken.add(index)
      return arg
    }),
  )
  return { own, added: args.filter((_arg, index) => !taken.has(index)) }
}
