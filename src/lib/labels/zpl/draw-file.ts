import { setImmediate } from 'node:timers/promises'
import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import { AppError } from '../../errors.ts'
import { POINTS_PER_DOT, POINTS_PER_MM, PRINTER_DPIS, type PrinterDpi, type Size } from '../sheet-layout.ts'
import { ZplResources } from './painter.ts'
import { ZplPrinter } from './printer.ts'

/** Printers for parcel labels print 4 inches. */
const WIDEST_MM = 112
const DEFAULT_MM = { width: 100, height: 150 }
/** Labels drawn before other work, such as Ctrl-C, gets its turn. */
const LABELS_A_TURN = 20

export interface DrawnZpl {
  /** Forms of the PDF, with their sizes in points. */
  forms: { form: PDFRef; size: Size }[]
  /** Labels that can't be drawn. The problem ends the sentence "The label X can't be drawn on a sheet: …". */
  problems: { place: number; problem: string }[]
  /** Labels of the file. */
  count: number
  /** Messages on assumptions and omissions. */
  remarks: string[]
}

export interface DrawZplOptions {
  /** Density of the printer that the label was made for. */
  dpi?: PrinterDpi | undefined
  /** Called first with the number of labels that a file seems to have. */
  expect?: ((labels: number) => void) | undefined
  onDrawn?: (() => void) | undefined
}

export type DrawZpl = (name: string, bytes: Uint8Array, options?: DrawZplOptions) => Promise<DrawnZpl>

/** Opens drawing into a PDF as text and areas, which is faster than pictures and sharp at any size. */
export async function openZplDrawing(
  lib: typeof import('@cantoo/pdf-lib'),
  target: PDFDocument,
): Promise<DrawZpl> {
  const resources = await ZplResources.of(lib, target)
  return (name, bytes, options = {}) => drawFile(resources, name, bytes, options)
}

/**
 * Draws each label of a file, as large as `^PW` and `^LL` say, else 100 × 150 mm. Without a given density it is the
 * lowest at which the label is no wider than labels are.
 *
 * @throws AppError `contract` if the file has no label
 */
async function drawFile(
  resources: ZplResources,
  name: string,
  bytes: Uint8Array,
  { dpi: givenDpi, expect, onDrawn }: DrawZplOptions,
): Promise<DrawnZpl> {
  const zpl = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  const [wide, long] = [firstNumber(zpl, /\^PW\s*0*([1-9]\d*)/i), firstNumber(zpl, /\^LL\s*0*([1-9]\d*)/i)]
  const dpi = givenDpi ?? likelyDpi(wide, long)
  const point = POINTS_PER_DOT[dpi]
  const dotsPerMm = POINTS_PER_MM / point
  const width = wide ?? Math.round(DEFAULT_MM.width * dotsPerMm)
  const height = long ?? Math.round(DEFAULT_MM.height * dotsPerMm)
  const printer = new ZplPrinter(resources, { width, height }, dotsPerMm)
  const drawn: DrawnZpl = { forms: [], problems: [], count: 0, remarks: [] }
  expect?.(zpl.match(/\^XZ/gi)?.length ?? 1)
  for (const outcome of printer.draw(zpl)) {
    drawn.count += 1
    if ('problem' in outcome) drawn.problems.push({ place: drawn.count, problem: outcome.problem })
    else {
      const size = { width: outcome.size.width * point, height: outcome.size.height * point }
      drawn.forms.push({ form: outcome.form, size })
    }
    onDrawn?.()
    if (drawn.count % LABELS_A_TURN === 0) await setImmediate()
  }
  if (drawn.count === 0) {
    throw new AppError('contract', `The label ${name} has ZPL that draws nothing.`, {
      hints: ['send it to a ZPL printer as it is: --printer HOST'],
    })
  }
  if (givenDpi === undefined && dpi !== 203) {
    drawn.remarks.push(
      `The label ${name} is taken for one of ${dpi} dpi, by its size (--dpi 203 if it is not)`,
    )
  }
  const copies = Math.max(...Array.from(zpl.matchAll(/\^PQ\s*(\d+)/gi), ([, count]) => Number(count)), 1)
  if (copies > 1) {
    drawn.remarks.push(
      `The label ${name} asks a printer for ${copies} copies: here it is once (name it again for more)`,
    )
  }
  const [font] = printer.foreignFonts
  if (font !== undefined) {
    drawn.remarks.push(
      `The label ${name} names a font that only its printer has (${font}): another one is used`,
    )
  }
  return drawn
}

function firstNumber(zpl: string, pattern: RegExp): number | undefined {
  const found = pattern.exec(zpl)?.[1]
  return found === undefined ? undefined : Number(found)
}

function likelyDpi(wide: number | undefined, long: number | undefined): PrinterDpi {
  if (wide === undefined) return 203
  const shorter = Math.min(wide, long ?? wide)
  const isUsual = (dpi: PrinterDpi) => (shorter * POINTS_PER_DOT[dpi]) / POINTS_PER_MM <= WIDEST_MM
  return PRINTER_DPIS.find(isUsual) ?? 203
}
