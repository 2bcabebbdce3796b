import type { Context } from '../../cli/context.ts'
import type { paperFlags } from '../../cli/global-flags.ts'
import type { FlagValues } from '../../config/flag-kinds.ts'
import type { KeptPrinter } from '../../config/profile-schema.ts'
import { createPrinterStore } from '../../config/settings-file.ts'
import { makePrintDocument, testLabel } from '../../labels/paper/print-document.ts'
import { printLayout } from '../../labels/paper/sheet-layout.ts'
import { addressText, parsePrinter, printOn } from '../../labels/printing/printer.ts'
import { prose } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

type PrinterFlags = FlagValues<typeof paperFlags> & { language: string | undefined }

export async function addPrinter(
  context: Context,
  { name, address: text }: { name: string; address: string },
  { language: wanted, sheet, 'per-page': perPage, dpi }: PrinterFlags,
) {
  const parsed = parsePrinter(text)
  const address = addressText(parsed)
  const language = wanted === 'pdf' || (!wanted && 'queue' in parsed) ? 'pdf' : 'zpl'
  const paper = {
    sheet,
    perPage: perPage === undefined ? perPage : Number(perPage),
    dpi: dpi === undefined ? dpi : Number(dpi),
  }
  printLayout(language, paper)
  const printer: KeptPrinter = { name, address, language, ...paper }
  await createPrinterStore(context.paths.configDir).add(printer)
  const line = `The printer ${name} gets ${language.toUpperCase()} at ${address}. Try it: rma printers test ${name}`
  await context.render(prose(line, printer))
}

export async function listPrinters(context: Context) {
  await context.checkOutput(printersView)
  const items = await createPrinterStore(context.paths.configDir).list()
  await context.renderList(items, printersView)
}

export async function removePrinter(context: Context, name: string) {
  const printer = await createPrinterStore(context.paths.configDir).remove(name)
  await context.render(prose(`Removed the printer ${name}.`, printer))
}

/** Prints a label that tells by ruler and barcode whether size and density are right. It is no last print. */
export async function testPrinter(context: Context, name: string, isDryRun: boolean) {
  const kept = await createPrinterStore(context.paths.configDir).get(name)
  const { language, sheet, dpi } = kept
  const layout = printLayout(language, { sheet, dpi })
  const address = parsePrinter(kept.address)
  const printer = addressText(address)
  const bytes = testLabel(`${name}  ${printer}`, layout.dpi)
  const label = { name: 'test label', format: 'ZPL' as const, bytes }
  const document = await makePrintDocument(language, [label], layout)
  for (const remark of document.remarks) await context.warn(remark)
  if (isDryRun) {
    const text = `Dry run: a test label would be sent to ${printer}; nothing was printed.`
    return context.render(prose(text, { name, printer, language }))
  }
  const { timeoutMs } = await context.settings()
  const { interrupt: signal, env } = context.io
  const options = { sheet: layout.sheet, timeoutMs: timeoutMs.value, signal, env }
  const done = await printOn(address, document, options)
  const text = `A test label was sent to ${printer}. Its ruler is 80 mm long; if not, add it with another --dpi.`
  await context.render(prose(text, { name, language, ...done }))
}

export const printerSchema = lazySchema((z, { count, text }) =>
  z.object({
    name: text,
    address: text,
    language: text,
    sheet: text.optional(),
    perPage: count.optional(),
    dpi: count.optional(),
  }),
)

export const printerTestSchema = lazySchema((z, { text }) =>
  z.object({
    name: text,
    language: text,
    printer: text,
    isConfirmed: z.boolean().optional(),
    job: text.optional().describe('Id of the CUPS job'),
  }),
)

const printersView: View<RecordOf<typeof printerSchema>> = {
  columns: [
    { name: 'name', identifies: true },
    { name: 'address', identifies: true },
    'language',
    'sheet',
    'per-page',
    'dpi',
  ],
  schema: printerSchema,
  empty: 'No printers; rma printers add NAME HOST keeps one',
}
