import { AppError } from '../errors.ts'
import type { Size } from './sheet-layout.ts'
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

export interface DrawnZpl {
  images: { png: Buffer; size: Size }[]
  /** What was assumed or left out, for people. */
  remarks: string[]
}

/**
 * Draws each label of a ZPL file as a PNG, with its size in points: `^PW` by `^LL`, else 100 × 150 mm. `dpi` is that of
 * the printer it was made for; if not given, the lowest at which it is no wider than labels are.
 *
 * @throws AppError `contract` if the renderer can't draw the label `name`, and as `draw` does
 */
export async function rasterizeZpl(
  name: string,
  bytes: Uint8Array,
  draw: DrawZpl,
  givenDpi?: PrinterDpi,
): Promise<DrawnZpl> {
  const zpl = decode(bytes)
  const [wide, long] = [largest(zpl, /\^PW\s*(\d+)/gi), largest(zpl, /\^LL\s*(\d+)/gi)]
  const dpi = givenDpi ?? likelyDpi(wide, long)
  const point = POINTS_PER_DOT[dpi]
  const dots = {
    width: wide ?? Math.round(DEFAULT_POINTS.width / point),
    height: long ?? Math.round(DEFAULT_POINTS.height / point),
  }
  const dotsPerMm = DOTS_PER_MM[dpi]
  const canvas = { widthMm: dots.width / dotsPerMm, heightMm: dots.height / dotsPerMm, dotsPerMm }
  let images: Buffer[]
  try {
    images = (await Promise.all(independentParts(zpl).map((part) => draw(part, canvas)))).flat()
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
  return { images: images.map((png) => ({ png, size })), remarks }
}

/** What one label leaves behind in the printer for the next: stored formats and graphics. */
const STORES = /(?:\^(?:DF|XF|XG|IM|IS|IL|CW|CC|CD|CT)|~(?:DG|DY|DU|CC|CD|CT))/i
/** Settings that stay until a label changes them. */
const SETTINGS = ['BY', 'CF', 'CI', 'FW', 'LH', 'LR', 'LS', 'LT', 'MU', 'PM', 'PO'].map(
  (name) => new RegExp(`\\^${name}`, 'i'),
)

/** Labels drawn in one call: the first of a call costs half as much again as the others. */
const LABELS_A_CALL = 20

/** A few labels at a time, where none depends on one before: the renderer slows down with thousands. */
function independentParts(zpl: string): string[] {
  const labels = zpl.split(/(?<=\^XZ)/i).filter((part) => part.trim() !== '')
  const isSplittable =
    /\^XZ$/i.test(labels.at(-1) ?? '') &&
    !STORES.test(zpl) &&
    SETTINGS.every((setting) => !setting.test(zpl) || labels.every((label) => setting.test(label)))
  if (!isSplittable) return [zpl]
  const starts = Array.from({ length: Math.ceil(labels.length / LABELS_A_CALL) }, (_, i) => i * LABELS_A_CALL)
  return starts.map((start) => labels.slice(start, start + LABELS_A_CALL).join(''))
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
