import { createHash } from 'node:crypto'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError, rewordError } from '../../errors.ts'
import { writeLabel } from '../../files/write-new-file.ts'
import { makePrintDocument } from '../../labels/paper/print-document.ts'
import { type FailedLabel, undrawnError } from '../../labels/paper/sheets.ts'
import { addressText, parsePrinter, printOn } from '../../labels/printing/printer.ts'
import { counted } from '../../wire/counted.ts'
import { labelFilesView } from './labels.result.ts'
import { keepPrint, lastPrint, type Print, type PrintedLabel } from './last-print.ts'
import { type LoadedLabel, loadLabels, type PrintOrder, sortLabels } from './load-labels.ts'
import { fileTarget, findPrinter, type PrintFlags, type PrintTarget, printPlan } from './print-target.ts'
import { readShipmentIds } from './shipment-ids.ts'

interface PrintLabelsFlags extends PrintFlags {
  copies?: number | undefined
  sort?: string | undefined
  'dry-run': boolean
}

/** Labels of files, folders, returns and shipments: on sheets, or on a printer. */
export async function printLabels(
  given: readonly string[],
  flags: PrintLabelsFlags,
  context: Context,
  connection: Connection,
): Promise<void> {
  await context.checkOutput(labelFilesView)
  if (given.length === 0) {
    throw new AppError('usage', 'Which labels should be printed?', {
      hints: ['name returns, ids of shipments, files or folders', '--reprint-last for what was printed last'],
    })
  }
  const { target, language, layout } = await printPlan(flags, context)
  const references = await readShipmentIds({ given, repeated: true }, context)
  context.progress.start('Reading labels')
  const labels = sortLabels(await loadLabels(references, context, connection), orderOf(flags.sort))
  context.progress.start('Printing labels')
  const { copies = 1 } = flags
  const all = labels.flatMap((label) => Array.from({ length: copies }, () => label))
  const startedMs = performance.now()
  const onDrawn = (done: number, total: number) =>
    context.progress.update(progressText(done, total, performance.now() - startedMs))
  const making = makePrintDocument(language, all, layout, onDrawn)
  const { remarks, failed, ...document } = await context.untilInterrupted(making)
  for (const remark of remarks) await context.warn(remark)
  const left = new Set(failed.filter(({ isWhole }) => isWhole).map(({ label }) => label.bytes))
  const files = labels.filter(({ bytes }) => !left.has(bytes)).map((label) => printedLabel(label, target))
  await print(
    { ...document, target, sheet: layout.sheet, copies, files },
    flags,
    context,
    failuresOf(failed, labels),
  )
  if (failed.length > 0) throw undrawnError(failed, false)
}

function failuresOf(failed: readonly FailedLabel[], labels: readonly LoadedLabel[]) {
  return failed.map(({ label, message }) => {
    const { clientShipmentId = null } = labels.find((one) => one === label) ?? {}
    return { clientShipmentId, kind: 'usage', message }
  })
}

/** Time after which the remaining time can be estimated. */
const TELLING_MS = 2000

function progressText(done: number, total: number, elapsedMs: number): string {
  const text = `Printing labels: ${done} of ${total}`
  if (elapsedMs < TELLING_MS || done === 0 || done === total) return text
  return `${text}, about ${Math.ceil(((elapsedMs / done) * (total - done)) / 1000)} s left`
}

/** The same bytes as the last time, to the same place if no other is named. @throws AppError as `lastPrint` does */
export async function reprintLast(
  given: readonly string[],
  flags: PrintLabelsFlags,
  context: Context,
): Promise<void> {
  await context.checkOutput(labelFilesView)
  if (given.length > 0) {
    throw new AppError('usage', '--reprint-last prints what was printed last, and no label besides.', {
      hints: ['leave it out, or the labels'],
    })
  }
  const last = await lastPrint(context)
  const target = await reprintTarget(last, flags, context)
  const files = last.files.map((file) => ({ ...file, path: pathOf(target) }))
  await print({ ...last, target, files }, flags, context)
}

async function reprintTarget(last: Print, flags: PrintLabelsFlags, context: Context): Promise<PrintTarget> {
  const { target, language } = last
  if (flags.printer !== undefined) {
    const other = await findPrinter(flags.printer, context)
    if (other.language === language) return { printer: flags.printer, address: other.address }
    throw otherLanguage(
      language.toUpperCase(),
      `${flags.printer}, which takes ${other.language.toUpperCase()}`,
    )
  }
  if (flags.out !== undefined) {
    if (language === 'pdf') return fileTarget(flags, context)
    throw otherLanguage('a label printer', 'a PDF')
  }
  return target === 'standard output' ? fileTarget({ out: '-' }, context) : target
}

function otherLanguage(was: string, wanted: string): AppError {
  return new AppError('usage', `The last print was made for ${was}, not for ${wanted}.`, {
    hints: ['print the labels anew: rma labels print LABEL…'],
  })
}

async function print(
  job: Print,
  flags: PrintLabelsFlags,
  context: Context,
  failed: readonly object[] = [],
): Promise<void> {
  const { target, pages, labels, copies } = job
  const isDry = flags['dry-run']
  const isFile = typeof target === 'object' && 'file' in target
  if (isDry) await context.note(`Dry run: ${inWords(job, 'would be')}; nothing was printed`)
  else if (!isFile) await keepPrint(job, context)
  const done = isDry ? {} : await carryOut(job, flags.force, context)
  // A file that is refused is no print, and the one before it stays the last.
  if (!isDry && isFile) await keepPrint(job, context)
  if (target === 'standard output') return
  const where = 'file' in target ? { pages } : { printer: addressText(parsePrinter(target.address)) }
  const rest = { ...where, labels, copies, ...done, ...(failed.length > 0 && { failed }) }
  const envelope = { key: 'files', rest: () => rest }
  await context.render({ kind: 'list', items: job.files, view: labelFilesView, envelope })
}

/** @returns what only the printer can tell */
async function carryOut(job: Print, force: boolean | undefined, context: Context): Promise<object> {
  const { target, data, sheet } = job
  const { interrupt: signal, env } = context.io
  if (target === 'standard output') {
    await context.streams.writeBytes(data)
    return {}
  }
  if ('file' in target) {
    await writeLabel({ what: 'sheet of labels', path: target.file, content: [data], force, signal })
    await context.note(inWords(job))
    return {}
  }
  const { timeoutMs } = await context.settings()
  const options = { sheet, timeoutMs: timeoutMs.value, signal, env }
  try {
    const printed = await printOn(parsePrinter(target.address), job, options)
    await context.note(inWords(job))
    return printed
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const again = 'the same once more: rma labels print --reprint-last'
    throw rewordError(error, error.message, { hints: [...error.hints, again] })
  }
}

/** `3 labels on 1 page in sheets.pdf` */
function inWords({ labels, pages, target }: Print, tense?: 'would be'): string {
  const what = [counted(labels, 'label'), tense].filter(Boolean).join(' ')
  if (typeof target === 'object' && 'printer' in target) return `${what} sent to ${target.printer}`
  const where = target === 'standard output' ? '' : ` in ${target.file}`
  return `${what} on ${counted(pages, 'page')}${where}`
}

function printedLabel(label: LoadedLabel, target: PrintTarget): PrintedLabel {
  const { clientShipmentId = null, parcel, format, bytes, carrierTrackingCode, source } = label
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const path = pathOf(target)
  return { clientShipmentId, parcel, path, format, bytes: bytes.length, sha256, carrierTrackingCode, source }
}

/** The PDF that labels are in; null on a printer. */
function pathOf(target: PrintTarget): string | null {
  return typeof target === 'object' && 'file' in target ? target.file : null
}

function orderOf(sort: string | undefined): PrintOrder | undefined {
  return (['name', 'carrier', 'created'] as const).find((order) => order === sort)
}
