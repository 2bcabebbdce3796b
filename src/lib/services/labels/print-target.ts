import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { type PrinterAddress, parsePrinter } from '../../labels/printer.ts'
import type { PerPage, Sheet } from '../../labels/sheet-layout.ts'
import { SHEETS } from '../../labels/sheet-layout.ts'
import { PRINTER_DPIS } from '../../labels/zpl-raster.ts'
import type { SheetFlags } from './print.ts'

export interface PrintFlags {
  sheet?: string | undefined
  'per-page'?: string | undefined
  'start-at'?: number | undefined
  dpi?: string | undefined
  out?: string | undefined
  force: boolean
  printer?: string | undefined
}

const PER_PAGE: Readonly<Record<string, PerPage>> = { 1: 1, 2: 2, 4: 4 }

/** Where labels are to be printed. @throws AppError `usage`, before any label is fetched */
export function printPlan(
  flags: PrintFlags,
  { streams }: Pick<Context, 'streams'>,
): SheetFlags | PrinterAddress {
  const { out, printer, force } = flags
  if (printer !== undefined) return parsePrinter(printer)
  if (out === undefined) {
    throw new AppError('usage', 'Where should the labels be printed?', {
      hints: ['--out FILE.pdf for an office printer', '--printer HOST for a label printer'],
    })
  }
  if (out === '-' && streams.out.isTerminal) {
    throw new AppError('usage', 'A PDF is a file that a terminal can not show.', {
      hints: ['--out FILE.pdf'],
    })
  }
  const perPage = PER_PAGE[flags['per-page'] ?? '1'] ?? 1
  const startAt = flags['start-at'] ?? 1
  if (startAt > perPage) {
    throw new AppError('usage', `A sheet with ${perPage} a page has no place ${startAt}.`, {
      hints: [`--start-at is from 1 to the number of labels a page (--per-page)`],
    })
  }
  const dpi = PRINTER_DPIS.find((one) => String(one) === flags.dpi)
  return { sheet: isSheet(flags.sheet) ? flags.sheet : 'a4', perPage, startAt, dpi, out, force }
}

function isSheet(name: string | undefined): name is Sheet {
  return name !== undefined && Object.hasOwn(SHEETS, name)
}
