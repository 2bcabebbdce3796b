import { AppError, nearest } from '../errors.ts'
import { PROFILE_NAME } from './profile.ts'
import type { KeptPrinter } from './profile-schema.ts'
import { createSettingsStorage } from './settings-file.ts'

/** Printers by name, in the settings file beside the profiles. */
export interface PrinterStore {
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
