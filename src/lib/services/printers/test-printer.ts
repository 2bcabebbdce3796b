import type { Context } from '../../cli/context.ts'
import { createPrinterStore } from '../../config/settings-file.ts'
import { makePrintDocument, testLabel } from '../../labels/paper/print-document.ts'
import { printLayout } from '../../labels/paper/sheet-layout.ts'
import { addressText, parsePrinter, printOn } from '../../labels/printing/printer.ts'

/** One label that tells by ruler and barcode whether size and density are right. It is no last print. */
export async function testPrinter(context: Context, name: string, isDryRun: boolean): Promise<void> {
  const kept = await createPrinterStore(context.paths.configDir).get(name)
  const { language, sheet, dpi } = kept
  const layout = printLayout(language, { sheet, dpi })
  const address = parsePrinter(kept.address)
  const printer = addressText(address)
  const label = { name: 'test label', format: 'PDF' as const, bytes: await testLabel(`${name}  ${printer}`) }
  const document = await makePrintDocument(language, [label], layout)
  for (const remark of document.remarks) await context.warn(remark)
  if (isDryRun) {
    const text = `Dry run: a test label would be sent to ${printer}; nothing was printed.`
    await context.render({ kind: 'text', text, json: { name, printer, language } })
    return
  }
  const { timeoutMs } = await context.settings()
  const { interrupt: signal, env } = context.io
  const done = await printOn(address, document, {
    sheet: layout.sheet,
    timeoutMs: timeoutMs.value,
    signal,
    env,
  })
  const text = `A test label was sent to ${printer}. Its ruler is 80 mm long; if not, add it with another --dpi.`
  await context.render({ kind: 'text', text, json: { name, language, ...done } })
}
