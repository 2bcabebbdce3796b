import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.ts'
import type { paperFlags } from '../../cli/global-flags.ts'
import { countFlag, type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { createPrinterStore } from '../../config/settings-file.ts'
import { AppError, isOfKind, usageError, withHints } from '../../errors.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { makePrintDocument, type PrintDocument } from '../../labels/paper/print-document.ts'
import { printLayout, undrawnError } from '../../labels/paper/sheet-layout.ts'
import { chosenLabels, rangesOf } from '../../labels/printing/label-numbers.ts'
import { addressText, parsePrinter, printOn } from '../../labels/printing/printer.ts'
import { counted } from '../../wire/counted.ts'
import type { PrinterLanguage } from '../../wire/enumerations.ts'
import { at, defined, joinParts } from '../../wire/raw.ts'
import { loadLabels, sortLabels } from './load-labels.ts'
import { printedLabelsView, printRunsView } from './print.result.ts'
import { keepRun, keptRuns, noteEnd, type PrintedLabel, type PrintRun, readRun } from './print-runs.ts'
import { readShipmentIds } from './shipment-ids.ts'

export const printFlags = {
  'start-at': countFlag('N', 'First free position of a partly used sheet'),
  'from-label': countFlag('N', 'Go on at this label'),
  only: textFlag('NUMBERS', 'Only these labels: 17-19,22', { exclusive: ['from-label'] }),
  'no-files': switchFlag('Take labels from the platform, even where files have their names'),
  sort: textFlag('ORDER', 'name, carrier or created; by default as given', {
    options: ['name', 'carrier', 'created'],
  }),
  copies: countFlag('N', 'Copies of each label, one after the other', 100),
  out: textFlag('FILE', 'PDF to write, or - for standard output'),
  force: switchFlag('Replace the PDF if it has other content'),
  printer: textFlag('PRINTER', 'Name (printers add), HOST[:PORT] of a label printer, or cups:QUEUE', {
    char: 'P',
    exclusive: ['out', 'force'],
  }),
  reprint: textFlag('RUN', 'Print a run again (its number, or last), where it was or elsewhere', {
    exclusive: ['sort'],
  }),
  history: switchFlag('List the runs that are kept, newest first', {
    exclusive: ['reprint', 'out', 'printer'],
  }),
  'dry-run': switchFlag('Say what would be printed, and print nothing', { char: 'n' }),
}

type PrintFlags = FlagValues<typeof paperFlags & typeof printFlags>
type PrintTarget = PrintRun['target']

export async function printLabels(given: readonly string[], flags: PrintFlags, context: Context) {
  const { reprint } = flags
  if (reprint === undefined && !flags.history && given.length === 0) {
    throw usageError(
      'Which labels should be printed?',
      'name returns, ids of shipments, files or folders',
      '--reprint last for what was printed last',
    )
  }
  if ((reprint !== undefined || flags.history) && given.length > 0) {
    const what = flags.history ? '--history lists' : '--reprint prints'
    throw usageError(`${what} what was printed, and takes no label besides.`, 'leave it out, or the labels')
  }
  if (flags.history) return showRuns(context)
  const former = reprint === undefined ? undefined : await readRun(reprint, context)
  const plan = await printPlan(flags, context, former)
  const all = former?.labels ?? (await numberedLabels(given, flags, context))
  const labels = chosenLabels(all, { only: flags.only, from: flags['from-label'] })
  context.io.interruptOnTermination()
  context.progress.start('Printing labels')
  const copies = flags.copies ?? former?.copies ?? 1
  const sheets = labels.flatMap((label) => Array.from({ length: copies }, () => label))
  const making = makePrintDocument(plan.language, sheets, plan.layout, (done, total) =>
    context.progress.count('Printing labels', done, total),
  )
  const document = await context.untilInterrupted(making)
  for (const remark of document.remarks) await context.warn(remark)
  const { pages, positions, failed } = document
  const printed = labels.filter((label) => positions.has(label))
  const run = { ...plan, pages, copies, labels: printed, ...(former && { of: former.run }) }
  await print(run, document, flags, context)
  if (failed.length > 0) throw undrawnError(failed, false)
}

async function showRuns(context: Context) {
  const items = (await keptRuns(context)).map(({ target: { file, printer }, labels, ...kept }) => {
    const { run, of, printedAt, pages, copies, failed } = kept
    const numbers = rangesOf(labels.map(({ number }) => number))
    return { run, printedAt, labels: labels.length, numbers, pages, copies, file, printer, of, failed }
  })
  await context.renderList(items, printRunsView, 'runs')
}

async function numberedLabels(given: readonly string[], flags: PrintFlags, context: Context) {
  const references = await readShipmentIds(given, context)
  context.progress.start('Reading labels')
  const labels = sortLabels(await loadLabels(references, flags['no-files'], context), flags.sort)
  return labels.map(({ carrierCode: _, createdAt: _at, clientShipmentId = null, ...label }, index) => {
    const sha256 = hash('sha256', label.bytes)
    return { ...label, number: index + 1, clientShipmentId, size: label.bytes.length, sha256 }
  })
}

async function printPlan(flags: PrintFlags, context: Context, former?: PrintRun) {
  const { sheet, 'per-page': perPage, 'start-at': startAt, dpi, out } = flags
  const numbers = { perPage: Number(perPage) || undefined, startAt, dpi: Number(dpi) || undefined }
  const given = defined({ sheet, ...numbers })
  // Part of a run begins on a new sheet.
  const layoutOf = (language: PrinterLanguage, kept: object = {}) => {
    const same = former?.language === language && { ...former.layout, ...(isPart(flags) && { startAt: 1 }) }
    return printLayout(language, { ...kept, ...same, ...given })
  }
  const again = flags.printer === undefined && out === undefined ? former : undefined
  const printer = flags.printer ?? again?.target.printer
  if (printer === undefined) {
    const target = fileTarget(again ? (again.target.file ?? '-') : out, context)
    return { target, language: 'pdf' as const, layout: layoutOf('pdf') }
  }
  const { name, address, language, ...kept } = await findPrinter(printer, context, again)
  const target = { printer: name ?? address, address }
  return { target, language, layout: layoutOf(language, kept) }
}

function isPart({ only, 'from-label': from }: PrintFlags) {
  return only !== undefined || from !== undefined
}

/** A printer name removed since falls back to the address of the run `again`. */
async function findPrinter(text: string, { paths }: Context, again?: PrintRun) {
  const kept = (await createPrinterStore(paths.configDir).list()).find(({ name }) => name === text)
  if (kept) return kept
  const language: PrinterLanguage = 'queue' in parsePrinter(text) ? 'pdf' : 'zpl'
  return { name: undefined, address: again?.target.address ?? text, language: again?.language ?? language }
}

function fileTarget(out = 'labels.pdf', { streams }: Context): PrintTarget {
  if (out !== '-') return { file: out }
  if (!streams.out.isTerminal) return {}
  throw usageError('A PDF is a file that a terminal can not show.', '--out FILE.pdf')
}

/** Returns the first free of labels.pdf, labels-2.pdf, … */
function freeName(wanted: string) {
  let file = wanted
  for (let number = 2; existsSync(file); number++) file = wanted.replace(/(\.pdf)?$/i, `-${number}$1`)
  return file
}

async function print(job: PrintRun, document: PrintDocument, flags: PrintFlags, context: Context) {
  const { pages, copies, labels } = job
  const isDry = flags['dry-run']
  const { run, target, ...done } = await carryOut(job, document, flags, context)
  if (isDry) await context.note(`Dry run: ${inWords(target, document, 'would be')}; nothing was printed`)
  if (target.file === undefined && target.printer === undefined) return
  if (!isDry) {
    await context.note(inWords(target, document, undefined, run))
    // CUPS queues never confirm.
    if (at(done, 'isConfirmed') === false && at(done, 'job') === undefined)
      await context.warn(`${target.printer} has not confirmed them: look whether they came out`)
    // A broken pipe must not read as if nothing was printed.
    context.streams.outliveReader()
  }
  const { file, address } = target
  const where = address === undefined ? { pages } : { printer: addressText(parsePrinter(address)) }
  const failed = document.failed.map(({ label, message }) => {
    const { clientShipmentId = null } = label as Partial<PrintedLabel>
    return { clientShipmentId, kind: 'usage', message }
  })
  const shared = { ...(run !== undefined && { run }), ...where, labels: document.labels, copies }
  const rest = { ...shared, ...done, ...(failed.length > 0 && { failed }) }
  const items = labels.map((one) => {
    const { number, name: label, size: bytes, ...record } = one
    return { number, label, ...document.positions.get(one), ...record, path: file ?? null, bytes }
  })
  await context.renderList(items, printedLabelsView, 'files', () => rest)
}

async function carryOut(
  job: PrintRun,
  document: PrintDocument,
  flags: PrintFlags,
  context: Context,
): Promise<{ target: PrintTarget; run?: number }> {
  const { interrupt: signal, env } = context.io
  const { force, 'dry-run': isDry } = flags
  const { target } = job
  const { file: wanted, address } = target
  if (wanted !== undefined) {
    const isNamed = flags.out !== undefined || (job.of !== undefined && !isPart(flags))
    const file = isNamed ? wanted : freeName(wanted)
    try {
      await writeNewFile({
        what: 'sheet of labels',
        path: file,
        content: [document.data],
        force,
        isDry,
        signal,
      })
    } catch (error) {
      // Another run may have taken the name meanwhile.
      if (isNamed || !isOfKind(error, 'usage') || !existsSync(file)) throw error
      return carryOut(job, document, flags, context)
    }
    const written = { ...job, target: { file } }
    return { target: { file }, ...(!isDry && { run: await keepRun(written, context) }) }
  }
  if (isDry) return { target }
  const run = await keepRun(job, context, 'It was not finished: a part may have been printed.')
  const { timeoutMs } = await context.settings()
  const again = `rma labels print --reprint ${run}`
  const hints = [`the same once more: ${again}`]
  const rest = job.labels
    .slice(1, 2)
    .map(({ number }) => `from the second label on: ${again} --from-label ${number}`)
  const onReached = () => hints.push(...rest)
  const options = { sheet: job.layout.sheet, timeoutMs: timeoutMs.value, signal, env, onReached }
  try {
    const done = address && (await printOn(parsePrinter(address), document, options))
    if (!done) await context.streams.writeBytes(document.data)
    await noteEnd(run, context)
    return { target, run, ...done }
  } catch (error) {
    if (!(error instanceof AppError) || run === undefined) throw error
    await noteEnd(run, context, error.message)
    throw withHints(error, ...hints)
  }
}

/** `3 labels on 1 page in sheets.pdf, run 7` */
function inWords(target: PrintTarget, { labels, pages }: PrintDocument, tense?: 'would be', run?: number) {
  const what = joinParts([counted(labels, 'label'), tense], ' ')
  const kept = run === undefined ? '' : `, run ${run}`
  if (target.printer !== undefined) return `${what} sent to ${target.printer}${kept}`
  const where = target.file === undefined ? '' : ` in ${target.file}`
  return `${what} on ${counted(pages, 'page')}${where}${kept}`
}
