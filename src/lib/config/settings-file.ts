import { existsSync } from 'node:fs'
import path from 'node:path'
import { AppError, type ErrorDetail, errorCode } from '../errors.ts'
import { diskTrouble } from '../files/file-failure.ts'
import { assertLocksOwned, withLock } from '../files/lock.ts'
import { makeFolders } from '../files/make-folder.ts'
import type { SettingsFile } from './profile-schema.ts'

/** `config.json`, mode 0600, in a folder of mode 0700. */
export interface SettingsStorage {
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
