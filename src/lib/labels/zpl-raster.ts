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

/** 203 dpi, as printers count it. */
const DOTS_PER_MM = 8
const DEFAULT_MM = { width: 100, height: 150 }
const POINTS_PER_MM = 72 / 25.4

/** The optional package, 9 MB, that draws ZPL. */
export function loadZplRenderer(): Promise<ZplRenderer> {
  return import('zpl-renderer-js')
}

/**
 * Draws each label of a ZPL file at 203 dpi as a PNG, with its size in points: `^PW` by `^LL`, else 100 × 150 mm.
 *
 * @throws AppError `usage` if the renderer is not installed, `contract` if it can't draw the label `name`
 */
export async function rasterizeZpl(
  name: string,
  bytes: Uint8Array,
  load: () => Promise<ZplRenderer> = loadZplRenderer,
): Promise<{ png: Uint8Array; size: Size }[]> {
  const { api } = await (await renderer(load)).ready
  const zpl = decode(bytes)
  const widthMm = largest(zpl, /\^PW\s*(\d+)/gi) ?? DEFAULT_MM.width
  const heightMm = largest(zpl, /\^LL\s*(\d+)/gi) ?? DEFAULT_MM.height
  let images: string[]
  try {
    images = await api.zplToBase64MultipleAsync(zpl, widthMm, heightMm, DOTS_PER_MM)
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
  const size = { width: widthMm * POINTS_PER_MM, height: heightMm * POINTS_PER_MM }
  return images.map((image) => ({ png: Buffer.from(image, 'base64'), size }))
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

/** Largest of the sizes in dots that a pattern finds, in millimetres: a file may hold several labels. */
function largest(zpl: string, pattern: RegExp): number | undefined {
  const dots = [...zpl.matchAll(pattern)].map(([, digits]) => Number(digits)).filter((count) => count > 0)
  return dots.length > 0 ? Math.max(...dots) / DOTS_PER_MM : undefined
}
