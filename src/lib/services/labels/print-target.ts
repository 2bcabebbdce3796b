import { existsSync } from 'node:fs'
import type { Context } from '../../cli/context.ts'
import { createPrinterStore } from '../../config/settings-file.ts'
import { AppError } from '../../errors.ts'
import { type PrintLayout, printLayout } from '../../labels/paper/sheet-layout.ts'
import { parsePrinter } from '../../labels/printing/printer.ts'
import type { PrinterLanguage } from '../../wire/enumerations.ts'

export type PrintTarget =
  | { file: string }
  | 'standard output'
  /** Its name, if it is kept by one, else its address. */
  | { printer: string; address: string }

export interface PrintFlags {
  sheet?: string | undefined
  'per-page'?: string | undefined
  'start-at'?: number | undefined
  dpi?: string | undefined
  out?: string | undefined
  force?: boolean | undefined
  printer?: string | undefined
}

export interface PrintPlan {
  target: PrintTarget
  language: PrinterLanguage
  layout: PrintLayout
}

const DEFAULT_FILE = 'labels'

/** Plans where and how labels are printed. @throws AppError `usage`, before any label is fetched */
export async function printPlan(
  flags: PrintFlags,
  context: Pick<Context, 'streams' | 'paths'>,
): Promise<PrintPlan> {
  const perPage = flags['per-page']
  const said = {
    sheet: flags.sheet,
    perPage: perPage === undefined ? undefined : Number(perPage),
    startAt: flags['start-at'],
    dpi: flags.dpi === undefined ? undefined : Number(flags.dpi),
  }
  if (flags.printer === undefined) {
    return { target: fileTarget(flags, context), language: 'pdf', layout: printLayout('pdf', said) }
  }
  const { name, address, language, ...kept } = await findPrinter(flags.printer, context)
  const given = Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined))
  const target = { printer: name ?? address, address }
  return { target, language, layout: printLayout(language, { ...kept, ...given }) }
}

/** A printer that is kept by name, else the one at an address. @throws AppError `usage` if it is neither */
export async function findPrinter(text: string, { paths }: Pick<Context, 'paths'>) {
  const kept = (await createPrinterStore(paths.configDir).list()).find(({ name }) => name === text)
  if (kept) return kept
  const address = parsePrinter(text)
  const language: PrinterLanguage = 'queue' in address ? 'pdf' : 'zpl'
  return { name: undefined, address: text, language }
}

/** A PDF; without --out the first free of labels.pdf, labels-2.pdf, … */
export function fileTarget(
  { out }: Pick<PrintFlags, 'out'>,
  { streams }: Pick<Context, 'streams'>,
): PrintTarget {
  if (out === '-') {
    if (!streams.out.isTerminal) return 'standard output'
    throw new AppError('usage', 'A PDF is a file that a terminal can not show.', {
      hints: ['--out FILE.pdf'],
    })
  }
  if (out !== undefined) return { file: out }
  let file = `${DEFAULT_FILE}.pdf`
  for (let number = 2; existsSync(file); number++) file = `${DEFAULT_FILE}-${number}.pdf`
  return { file }
}
