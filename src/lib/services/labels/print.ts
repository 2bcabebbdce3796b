import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Interfaces } from '@oclif/core'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import type { paperFlags } from '../../cli/global-flags.ts'
import { createPrinterStore } from '../../config/settings-file.ts'
import { AppError, rewordError } from '../../errors.ts'
import { writeLabel } from '../../files/write-new-file.ts'
import { makePrintDocument } from '../../labels/paper/print-document.ts'
import { printLayout } from '../../labels/paper/sheet-layout.ts'
import { undrawnError } from '../../labels/paper/sheets.ts'
import { addressText, parsePrinter, printOn } from '../../labels/printing/printer.ts'
import { counted } from '../../wire/counted.ts'
import type { PrinterLanguage } from '../../wire/enumerations.ts'
import { labelFilesView } from './labels.result.ts'
import { keepPrint, lastPrint, type Print, type PrintedLabel } from './last-print.ts'
import { type LoadedLabel, loadLabels, sortLabels } from './load-labels.ts'
import { readShipmentIds } from './shipment-ids.ts'

interface PrintFlags extends Interfaces.InferredFlags<typeof paperFlags> {
  'start-at': number | undefined
  sort: string | undefined
  copies: number | undefined
  out: string | undefined
  force: boolean
  printer: string | undefined
  'reprint-last': boolean
  'dry-run': boolean
}

type PrintTarget = Print['target']

export async function printLabels(
  given: readonly string[],
  flags: PrintFlags,
  context: Context,
  connection: Connection,
): Promise<void> {
  if (flags['reprint-last']) return reprintLast(given, flags, context)
  if (given.length === 0) {
    throw new AppError('usage', 'Which labels should be printed?', {
      hints: ['name returns, ids of shipments, files or folders', '--reprint-last for what was printed last'],
    })
  }
  const { target, language, layout } = await printPlan(flags, context)
  const references = await readShipmentIds({ given, repeated: true }, context)
  context.progress.start('Reading labels')
  const labels = sortLabels(await loadLabels(references, context, connection), flags.sort)
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
  const failures = failed.map(({ label, message }) => {
    const { clientShipmentId = null } = labels.find((one) => one === label) ?? {}
    return { clientShipmentId, kind: 'usage', message }
  })
  await print({ ...document, target, sheet: layout.sheet, copies, files }, flags, context, failures)
  if (failed.length > 0) throw undrawnError(failed, false)
}

async function printPlan(flags: PrintFlags, context: Context) {
  const { sheet, 'per-page': perPage, 'start-at': startAt, dpi, printer } = flags
  const numbers = { perPage: perPage && Number(perPage), startAt, dpi: dpi && Number(dpi) }
  const given = Object.fromEntries(
    Object.entries({ sheet, ...numbers }).filter(([, value]) => value !== undefined),
  )
  if (printer === undefined) {
    const target = fileTarget(flags.out, context)
    return { target, language: 'pdf' as const, layout: printLayout('pdf', given) }
  }
  const { name, address, language, ...kept } = await findPrinter(printer, context)
  const target = { printer: name ?? address, address }
  return { target, language, layout: printLayout(language, { ...kept, ...given }) }
}

async function findPrinter(text: string, { paths }: Context) {
  const kept = (await createPrinterStore(paths.configDir).list()).find(({ name }) => name === text)
  if (kept) return kept
  const language: PrinterLanguage = 'queue' in parsePrinter(text) ? 'pdf' : 'zpl'
  return { name: undefined, address: text, language }
}

/** The default is the first free of labels.pdf, labels-2.pdf, … */
function fileTarget(out: string | undefined, { streams }: Context): PrintTarget {
  if (out === '-') {
    if (!streams.out.isTerminal) return 'standard output'
    throw new AppError('usage', 'A PDF is a file that a terminal can not show.', {
      hints: ['--out FILE.pdf'],
    })
  }
  let file = out ?? 'labels.pdf'
  for (let number = 2; out === undefined && existsSync(file); number++) file = `labels-${number}.pdf`
  return { file }
}

const TELLING_MS = 2000

function progressText(done: number, total: number, elapsedMs: number): string {
  const text = `Printing labels: ${done} of ${total}`
  if (elapsedMs < TELLING_MS || done === 0 || done === total) return text
  return `${text}, about ${Math.ceil(((elapsedMs / done) * (total - done)) / 1000)} s left`
}

async function reprintLast(given: readonly string[], flags: PrintFlags, context: Context): Promise<void> {
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

async function reprintTarget(
  { target, language }: Print,
  { printer, out }: PrintFlags,
  context: Context,
): Promise<PrintTarget> {
  const otherLanguage = (was: string, wanted: string) =>
    new AppError('usage', `The last print was made for ${was}, not for ${wanted}.`, {
      hints: ['print the labels anew: rma labels print LABEL…'],
    })
  if (printer !== undefined) {
    const other = await findPrinter(printer, context)
    if (other.language === language) return { printer, address: other.address }
    throw otherLanguage(language.toUpperCase(), `${printer}, which takes ${other.language.toUpperCase()}`)
  }
  if (out !== undefined && language !== 'pdf') throw otherLanguage('a label printer', 'a PDF')
  if (out !== undefined) return fileTarget(out, context)
  return target === 'standard output' ? fileTarget('-', context) : target
}

async function print(
  job: Print,
  flags: PrintFlags,
  context: Context,
  failed: readonly object[] = [],
): Promise<void> {
  const { target, pages, labels, copies } = job
  const isDry = flags['dry-run']
  const isFile = pathOf(target) !== null
  if (isDry) await context.note(`Dry run: ${inWords(job, 'would be')}; nothing was printed`)
  else if (!isFile) await keepPrint(job, context)
  const done = isDry ? {} : await carryOut(job, flags.force, context)
  if (!isDry && isFile) await keepPrint(job, context)
  if (target === 'standard output') return
  const where = 'file' in target ? { pages } : { printer: addressText(parsePrinter(target.address)) }
  const rest = { ...where, labels, copies, ...done, ...(failed.length > 0 && { failed }) }
  const envelope = { key: 'files', rest: () => rest }
  await context.render({ kind: 'list', items: job.files, view: labelFilesView, envelope })
}

async function carryOut(job: Print, force: boolean, context: Context): Promise<object> {
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

function pathOf(target: PrintTarget): string | null {
  return typeof target === 'object' && 'file' in target ? target.file : null
}
