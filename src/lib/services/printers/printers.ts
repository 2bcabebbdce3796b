import type { Context } from '../../cli/context.ts'
import type { KeptPrinter } from '../../config/profile-schema.ts'
import { createPrinterStore } from '../../config/settings-file.ts'
import { printLayout } from '../../labels/paper/sheet-layout.ts'
import { addressText, parsePrinter } from '../../labels/printing/printer.ts'
import { printersView } from './printers.result.ts'

interface PrinterFlags {
  language?: string | undefined
  sheet?: string | undefined
  'per-page'?: string | undefined
  dpi?: string | undefined
}

/** @throws AppError `usage` for an address or a paper that can't be, `config` if the name is taken */
export async function addPrinter(
  context: Context,
  { name, address: text }: { name: string; address: string },
  flags: PrinterFlags,
): Promise<void> {
  const parsed = parsePrinter(text)
  const address = addressText(parsed)
  const language = flags.language === 'pdf' || (!flags.language && 'queue' in parsed) ? 'pdf' : 'zpl'
  const { 'per-page': perPage, dpi, sheet } = flags
  const paper = {
    ...(sheet === undefined ? {} : { sheet }),
    ...(perPage === undefined ? {} : { perPage: Number(perPage) }),
    ...(dpi === undefined ? {} : { dpi: Number(dpi) }),
  }
  printLayout(language, paper)
  const printer: KeptPrinter = { name, address, language, ...paper }
  await createPrinterStore(context.paths.configDir).add(printer)
  const line = `The printer ${name} gets ${language.toUpperCase()} at ${address}. Try it: rma printers test ${name}`
  await context.render({ kind: 'text', text: line, json: printer })
}

export async function listPrinters(context: Context): Promise<void> {
  await context.checkOutput(printersView)
  const items = await createPrinterStore(context.paths.configDir).list()
  await context.render({ kind: 'list', items, view: printersView })
}

/** @throws AppError `config` for an unknown name */
export async function removePrinter(context: Context, name: string): Promise<void> {
  const printer = await createPrinterStore(context.paths.configDir).remove(name)
  await context.render({ kind: 'text', text: `Removed the printer ${name}.`, json: printer })
}
