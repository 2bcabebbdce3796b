import { AppError } from '../errors.ts'
import { type PrinterLanguage, SHEET_NAMES, type Sheet } from '../wire/print.ts'
import { type PerPage, PRINTER_DPIS, type PrinterDpi } from './sheet-layout.ts'

export interface PrintLayout {
  /** Of a ZPL printer, the largest label that its roll has. */
  sheet: Sheet
  perPage: PerPage
  startAt: number
  /** Of the printer: 203 for graphics, and told from the size for ZPL on sheets, if not given. */
  dpi: PrinterDpi | undefined
}

/** As flags or the settings file say it. */
export interface WantedLayout {
  sheet?: string | undefined
  perPage?: number | undefined
  startAt?: number | undefined
  dpi?: number | undefined
}

const DEFAULT_SHEETS: Readonly<Record<PrinterLanguage, Sheet>> = { pdf: 'a4', zpl: '4x6' }

/** @throws AppError `usage` for what no printer of this language can do */
export function printLayout(language: PrinterLanguage, wanted: WantedLayout): PrintLayout {
  const sheet = wanted.sheet ?? DEFAULT_SHEETS[language]
  const perPage = ([1, 2, 4] as const).find((count) => count === (wanted.perPage ?? 1))
  const dpi = PRINTER_DPIS.find((one) => one === wanted.dpi)
  if (!isSheet(sheet)) throw unknown('sheet', sheet, SHEET_NAMES)
  if (perPage === undefined)
    throw unknown('number of labels a sheet', String(wanted.perPage), ['1', '2', '4'])
  if (dpi !== wanted.dpi) throw unknown('density of a printer', `${wanted.dpi} dpi`, PRINTER_DPIS.map(String))
  const { startAt = 1 } = wanted
  if (language === 'zpl' && (perPage > 1 || startAt > 1)) {
    throw new AppError(
      'usage',
      'A label printer prints one label after the other: it has no sheets to share.',
      {
        hints: ['leave --per-page and --start-at out, or write a PDF: --out FILE.pdf'],
      },
    )
  }
  if (startAt > perPage) {
    throw new AppError('usage', `A sheet with ${perPage} a page has no place ${startAt}.`, {
      hints: [`--start-at is from 1 to the number of labels a page (--per-page)`],
    })
  }
  return { sheet, perPage, startAt, dpi }
}

function isSheet(name: string): name is Sheet {
  return SHEET_NAMES.some((known) => known === name)
}

function unknown(what: string, value: string, known: readonly string[]): AppError {
  return new AppError('usage', `${value} is no ${what}.`, { hints: [`one of ${known.join(', ')}`] })
}
