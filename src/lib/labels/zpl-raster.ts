import { AppError } from '../errors.ts'
import type { Size } from './sheet-layout.ts'

/** The part of `zpl-renderer-js` that is used; it draws offline. */
export interface ZplRenderer {
  ready: Promise<{
    api: {
      zplToBase64MultipleAsync(
        zpl: string,
        widthMm?: number,
        heightMm?: number,
        dpmm?: number,
      ): Promise<string[]>
    }
  }>
}

/** Resolutions of label printers, and their dots a millimetre as the renderer counts them. */
const DOTS_PER_MM = { 203: 8, 300: 12, 600: 24 } as const

export type PrinterDpi = keyof typeof DOTS_PER_MM
export const PRINTER_DPIS: readonly PrinterDpi[] = [203, 300, 600]

/** Points of a dot: 203 dpi are 8 dots a millimetre exactly, the others what they are called. */
const POINTS_PER_DOT = { 203: 72 / 25.4 / 8, 300: 72 / 300, 600: 72 / 600 } as const
/** Labels for parcels are no wider: the printers for them print 4 inches. */
const WIDEST_MM = 112
const DEFAULT_POINTS = { width: (100 * 72) / 25.4, height: (150 * 72) / 25.4 }

/** The optional package, 9 MB, that draws ZPL. */
export function loadZplRenderer(): Promise<ZplRenderer> {
  return import('zpl-renderer-js')
}

export interface DrawnZpl {
  images: { png: Uint8Array; size: Size }[]
  /** What was assumed or left out, for people. */
  remarks: string[]
}

/**
 * Draws each label of a ZPL file as a PNG, with its size in points: `^PW` by `^LL`, else 100 × 150 mm. `dpi` is that of
 * the printer it was made for; if not given, the lowest at which it is no wider than labels are.
 *
 * @throws AppError `usage` if the renderer is not installed, `contract` if it can't draw the label `name`
 */
export async function rasterizeZpl(
  name: string,
  bytes: Uint8Array,
  {
    load = loadZplRenderer,
    ...given
  }: { load?: () => Promise<ZplRenderer>; dpi?: PrinterDpi | undefined } = {},
): Promise<DrawnZpl> {
  const { api } = await (await renderer(load)).ready
  const zpl = decode(bytes)
  const [wide, long] = [largest(zpl, /\^PW\s*(\d+)/gi), largest(zpl, /\^LL\s*(\d+)/gi)]
  const dpi = given.dpi ?? likelyDpi(wide, long)
  const point = POINTS_PER_DOT[dpi]
  const dots = {
    width: wide ?? Math.round(DEFAULT_POINTS.width / point),
    height: long ?? Math.round(DEFAULT_POINTS.height / point),
  }
  const perMm = DOTS_PER_MM[dpi]
  const images: string[] = []
  try {
    for (const part of independentParts(zpl)) {
      images.push(
        ...(await api.zplToBase64MultipleAsync(part, dots.width / perMm, dots.height / perMm, perMm)),
      )
    }
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new AppError('contract', `The label ${name} can't be drawn from its ZPL: ${reason}`, {
      cause,
      hints: [HINT],
    })
  }
  if (images.length === 0) {
    throw new AppError('contract', `The label ${name} has ZPL that draws nothing.`, { hints: [HINT] })
  }
  const remarks: string[] = []
  if (given.dpi === undefined && dpi !== 203) {
    remarks.push(`The label ${name} is taken for one of ${dpi} dpi, by its size (--dpi 203 if it is not)`)
  }
  const copies = largest(zpl, /\^PQ\s*(\d+)/gi) ?? 1
  if (copies > 1) {
    remarks.push(
      `The label ${name} asks a printer for ${copies} copies: here it is once (name it again for more)`,
    )
  }
  const size = { width: dots.width * point, height: dots.height * point }
  return { images: images.map((image) => ({ png: Buffer.from(image, 'base64'), size })), remarks }
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

const HINT = 'send it to a ZPL printer as it is: --printer HOST'

async function renderer(load: () => Promise<ZplRenderer>): Promise<ZplRenderer> {
  try {
    return await load()
  } catch (cause) {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code !== 'ERR_MODULE_NOT_FOUND' && code !== 'MODULE_NOT_FOUND') throw cause
    throw new AppError('usage', 'ZPL labels can only be put on a sheet with an optional package.', {
      hints: ['npm install zpl-renderer-js (beside rma: with -g if rma was installed so)', HINT],
      cause,
    })
  }
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
