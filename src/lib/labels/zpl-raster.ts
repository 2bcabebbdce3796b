import { setImmediate } from 'node:timers/promises'
import type { PDFRef } from '@cantoo/pdf-lib'
import { AppError } from '../errors.ts'
import type { Size } from './sheet-layout.ts'
import { independentLabels } from './zpl-labels.ts'
import { type DrawZpl, ZPL_PRINTER_HINT } from './zpl-threads.ts'

/** Resolutions of label printers, and their dots a millimetre as the renderer counts them. */
const DOTS_PER_MM = { 203: 8, 300: 12, 600: 24 } as const

export type PrinterDpi = keyof typeof DOTS_PER_MM
export const PRINTER_DPIS: readonly PrinterDpi[] = [203, 300, 600]

/** Points of a dot: 203 dpi are 8 dots a millimetre exactly, the others what they are called. */
export const POINTS_PER_DOT = { 203: 72 / 25.4 / 8, 300: 72 / 300, 600: 72 / 600 } as const
/** Labels for parcels are no wider: the printers for them print 4 inches. */
const WIDEST_MM = 112
const DEFAULT_POINTS = { width: (100 * 72) / 25.4, height: (150 * 72) / 25.4 }

/** Draws one label in the PDF itself; undefined for one that has to be drawn as a picture. */
export type OutlineZpl = (label: string, dots: Size) => PDFRef | undefined

export interface ZplWays {
  draw: DrawZpl
  outline: OutlineZpl
  /** Told how many labels a file has. */
  expect?: (labels: number) => void
}

export interface DrawnZpl {
  /** A PNG, or what `OutlineZpl` made. */
  images: { content: Buffer | PDFRef; size: Size }[]
  /** What was assumed or left out, for people. */
  remarks: string[]
}

/**
 * Draws each label of a ZPL file, with its size in points: `^PW` by `^LL`, else 100 × 150 mm. `dpi` is that of the
 * printer it was made for; if not given, the lowest at which it is no wider than labels are.
 *
 * @throws AppError `contract` if the renderer can't draw the label `name`, and as `draw` does
 */
export async function rasterizeZpl(
  name: string,
  bytes: Uint8Array,
  { draw, outline, expect }: ZplWays,
  givenDpi?: PrinterDpi,
): Promise<DrawnZpl> {
  const zpl = decode(bytes).replace(USUAL_SIGNS, '')
  const [wide, long] = [largest(zpl, /\^PW\s*(\d+)/gi), largest(zpl, /\^LL\s*(\d+)/gi)]
  const dpi = givenDpi ?? likelyDpi(wide, long)
  const point = POINTS_PER_DOT[dpi]
  const dots = {
    width: wide ?? Math.round(DEFAULT_POINTS.width / point),
    height: long ?? Math.round(DEFAULT_POINTS.height / point),
  }
  const dotsPerMm = DOTS_PER_MM[dpi]
  const canvas = { widthMm: dots.width / dotsPerMm, heightMm: dots.height / dotsPerMm, dotsPerMm }
  const drawPictures = (part: string) => draw(part, canvas)
  let images: (Buffer | PDFRef)[]
  try {
    const labels = independentLabels(zpl)
    if (labels) expect?.(labels.length)
    const aCall = Math.min(MOST_A_CALL, Math.ceil(DOTS_A_CALL / (dots.width * dots.height)))
    if (labels) {
      images = await drawEach(labels, { aCall, drawPictures, outline: (label) => outline(label, dots) })
    } else {
      const count = zpl.match(/\^XZ/gi)?.length ?? 0
      if (count * dots.width * dots.height > DOTS_TOGETHER) {
        throw new Error(`its ${count} labels build on one another, and are too many to be drawn at once`)
      }
      images = await drawPictures(zpl)
    }
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('contract', `The label ${name} can't be drawn from its ZPL: ${reason}`, {
      cause,
      hints: [ZPL_PRINTER_HINT],
    })
  }
  if (images.length === 0) {
    throw new AppError('contract', `The label ${name} has ZPL that draws nothing.`, {
      hints: [ZPL_PRINTER_HINT],
    })
  }
  const remarks: string[] = []
  if (givenDpi === undefined && dpi !== 203) {
    remarks.push(`The label ${name} is taken for one of ${dpi} dpi, by its size (--dpi 203 if it is not)`)
  }
  const copies = largest(zpl, /\^PQ\s*(\d+)/gi) ?? 1
  if (copies > 1) {
    remarks.push(
      `The label ${name} asks a printer for ${copies} copies: here it is once (name it again for more)`,
    )
  }
  const size = { width: dots.width * point, height: dots.height * point }
  return { images: images.map((content) => ({ content, size })), remarks }
}

/** The signs that commands begin with, named as they are anyway: what designers' programs begin each label with. */
const USUAL_SIGNS = /(?:(?<=^\s*|\^XZ\s*)CT~(?=~CD,))?[~^](?:CD,|CC\^|CT~)/gi

/**
 * Dots drawn in one call. The renderer may not free memory within one, and has 4 GiB at most: a file in a single call
 * took all of it. The first label of a call costs half as much again as the others.
 */
const DOTS_A_CALL = 2_000_000
const MOST_A_CALL = 20
/** About 40 labels of 4 × 6 inches at 203 dpi: what a file may have that has to be drawn in one call. */
const DOTS_TOGETHER = 40_000_000

/** Pictures of a few at a time, as the renderer slows down with thousands. Their order stays. */
async function drawEach(
  labels: readonly string[],
  {
    aCall,
    drawPictures,
    outline,
  }: {
    aCall: number
    drawPictures(zpl: string): Promise<Buffer[]>
    outline(label: string): PDFRef | undefined
  },
): Promise<(Buffer | PDFRef)[]> {
  const drawn: (PDFRef | Promise<Buffer[]>)[] = []
  let others: string[] = []
  const draw = () => {
    if (others.length > 0) drawn.push(drawPictures(others.join('')))
    others = []
  }
  for (const [index, label] of labels.entries()) {
    // Else Ctrl-C would wait for all.
    if (index % MOST_A_CALL === 0) await setImmediate()
    const outlined = outline(label)
    if (outlined === undefined) others.push(label)
    if (outlined !== undefined || others.length === aCall) draw()
    if (outlined !== undefined) drawn.push(outlined)
  }
  draw()
  return (await Promise.all(drawn)).flat()
}

function likelyDpi(wide: number | undefined, long: number | undefined): PrinterDpi {
  if (wide === undefined) return 203
  const shorter = Math.min(wide, long ?? wide)
  return PRINTER_DPIS.find((dpi) => shorter / DOTS_PER_MM[dpi] <= WIDEST_MM) ?? 203
}

/** `^CI28` asks for UTF-8; without it most labels are in a Latin code page. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('latin1').decode(bytes)
  }
}

/** Largest of the numbers that a pattern finds, as a file may hold several labels; none of them is 0. */
function largest(zpl: string, pattern: RegExp): number | undefined {
  const found = [...zpl.matchAll(pattern)].map(([, digits]) => Number(digits)).filter((count) => count > 0)
  return found.length > 0 ? Math.max(...found) : undefined
}
