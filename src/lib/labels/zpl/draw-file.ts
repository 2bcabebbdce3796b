import { setImmediate } from 'node:timers/promises'
import type { PDFDocument, PDFRef } from '@cantoo/pdf-lib'
import { appError } from '../../errors.ts'
import {
  bufferOf,
  POINTS_PER_DOT,
  POINTS_PER_MM,
  PRINTER_DPIS,
  type PrinterDpi,
  type SheetLabel,
  type Size,
} from '../paper/sheet-layout.ts'
import { rangesOf } from '../printing/label-numbers.ts'
import { ZplResources } from './painter.ts'
import { LARGEST_MM, ZplPrinter } from './printer.ts'

/** Labels drawn before other work, such as Ctrl-C, is let in. */
const LABELS_A_TURN = 20

interface DrawZplOptions {
  dpi: PrinterDpi | undefined
  /** Called first with the file's estimated number of labels. */
  expect: (labels: number) => void
  onDrawn: () => void
}

/** Draws vectors, which are faster than images and sharp at any size. */
export async function openZplDrawing(target: PDFDocument) {
  const resources = await ZplResources.of(target)
  return (label: SheetLabel, options: DrawZplOptions) => drawFile(resources, label, options)
}

async function drawFile(
  resources: ZplResources,
  label: SheetLabel,
  { dpi: givenDpi, expect, onDrawn }: DrawZplOptions,
) {
  const { name } = label
  const zpl = bufferOf(label).toString('latin1')
  const [wide, long] = [firstNumber(zpl, /\^PW\s*0*([1-9]\d*)/i), firstNumber(zpl, /\^LL\s*0*([1-9]\d*)/i)]
  const dpi = givenDpi ?? likelyDpi(wide, long)
  const point = POINTS_PER_DOT[dpi]
  const printer = new ZplPrinter(resources, { width: wide, height: long }, POINTS_PER_MM / point)
  const forms: { form: PDFRef; size: Size }[] = []
  const failed: { nth: number; problem: string }[] = []
  const cut: number[] = []
  const remarks: string[] = []
  let count = 0
  expect(zpl.match(/\^XZ/gi)?.length ?? 1)
  for (const outcome of printer.draw(zpl)) {
    count += 1
    if ('problem' in outcome) failed.push({ nth: count, problem: outcome.problem })
    else {
      const size = { width: outcome.size.width * point, height: outcome.size.height * point }
      forms.push({ form: outcome.form, size })
      if (outcome.isCut) cut.push(count)
    }
    onDrawn()
    if (count % LABELS_A_TURN === 0) await setImmediate()
  }
  if (count === 0) {
    throw appError(
      'contract',
      `The label ${name} has ZPL that draws nothing.`,
      'send it to a ZPL printer as it is: --printer HOST',
    )
  }
  if (givenDpi === undefined && dpi !== 203) {
    remarks.push(`The label ${name} is taken for one of ${dpi} dpi, by its size (--dpi 203 if it is not)`)
  }
  const copies = Math.max(...Array.from(zpl.matchAll(/\^PQ\s*(\d+)/gi), ([, count]) => Number(count)), 1)
  if (copies > 1) {
    remarks.push(
      `The label ${name} asks a printer for ${copies} copies: here it is once (name it again for more)`,
    )
  }
  const [font] = printer.foreignFonts
  if (font !== undefined) {
    remarks.push(`The label ${name} names a font that only its printer has (${font}): another one is used`)
  }
  const which = (nth: string | number) => (count === 1 ? '' : ` (${nth} of ${count})`)
  if (cut.length > 0) {
    const nth = which(rangesOf(cut))
    remarks.push(`The label ${name}${nth} draws beyond its size: that is cut off, as on a printer`)
  }
  const problems = failed.map(
    ({ nth, problem }) => `The label ${name}${which(nth)} can't be drawn on a sheet: ${problem}.`,
  )
  return { forms, problems, remarks }
}

function firstNumber(zpl: string, pattern: RegExp) {
  return Number(pattern.exec(zpl)?.[1]) || undefined
}

/** Returns the lowest density at which the label is no wider than printers are. */
function likelyDpi(wide: number | undefined, long: number | undefined): PrinterDpi {
  if (wide === undefined) return 203
  const shorter = Math.min(wide, long ?? wide)
  return (
    PRINTER_DPIS.find((dpi) => (shorter * POINTS_PER_DOT[dpi]) / POINTS_PER_MM <= LARGEST_MM.width) ?? 203
  )
}
