import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { PNG } from 'pngjs'
import type { ReaderOptions } from 'zxing-wasm/reader'

const modules = join(import.meta.dirname, '../../node_modules')

/*
 * Readers that share no code with the label writers: pdf.js for PDF, zebrash for ZPL, ZXing for barcodes. All come from
 * npm and work offline.
 */

export interface Barcode {
  text: string
  /** ZXing's name: `Code128`, `QRCode`, `DataMatrix`, … */
  format: string
}

export interface PdfPage {
  /** Size as shown, with the rotation of the page. */
  widthMm: number
  heightMm: number
  /** Text of the page, one line a line. */
  text: string
}

export interface ReadOptions {
  /** Resolution of drawings; default 203, that of a thermal printer. */
  dpi?: number
}

/** Size and text of each page. */
export function pdfPages(bytes: Uint8Array): Promise<PdfPage[]> {
  return askReader({ bytes })
}

/** Red, green, blue and alpha of each point, row by row. */
export interface Drawing {
  data: Uint8ClampedArray
  width: number
  height: number
}

/** Draws each page. */
export function drawnPages(bytes: Uint8Array, { dpi = 203 }: ReadOptions = {}): Promise<Drawing[]> {
  return askReader({ bytes, dpi })
}

/** Barcodes of all pages, in the order of pages. */
export async function barcodesInPdf(bytes: Uint8Array, options: ReadOptions = {}): Promise<Barcode[]> {
  return barcodesInDrawings(await drawnPages(bytes, options))
}

/** Draws each label of a ZPL file at 203 dpi. */
export async function drawnZpl(bytes: Uint8Array, widthMm = 100, heightMm = 150): Promise<Drawing[]> {
  const { ready } = await import('zpl-renderer-js')
  const { api } = await ready
  const zpl = new TextDecoder().decode(bytes)
  const images = await api.zplToBase64MultipleAsync(zpl, widthMm, heightMm, 8)
  return images.map((image) => drawingOf(Buffer.from(image, 'base64')))
}

/** Barcodes of all labels of a ZPL file. */
export async function barcodesInZpl(bytes: Uint8Array): Promise<Barcode[]> {
  return barcodesInDrawings(await drawnZpl(bytes))
}

/** Barcodes of all drawings, in their order. */
export async function barcodesInDrawings(drawings: readonly Drawing[]): Promise<Barcode[]> {
  const found: Barcode[] = []
  for (const drawn of drawings) found.push(...(await barcodesIn(drawn)))
  return found
}

/** Barcodes of an image, top to bottom. */
export async function barcodesInPng(bytes: Uint8Array): Promise<Barcode[]> {
  return barcodesIn(drawingOf(Buffer.from(bytes)))
}

/** Reads the code of a drawing that contains nothing else; MaxiCode included. */
export async function barcodesInPure(drawing: Drawing): Promise<Barcode[]> {
  return read(drawing, { isPure: true, textMode: 'Plain' })
}

function drawingOf(png: Buffer): Drawing {
  const { data, width, height } = PNG.sync.read(png)
  return { data: new Uint8ClampedArray(data.buffer, data.byteOffset, data.length), width, height }
}

const barcodesIn = (drawing: Drawing) =>
  read(drawing, { tryHarder: true, tryInvert: false, tryDownscale: false, maxNumberOfSymbols: 50 })

async function read(drawing: Drawing, options: ReaderOptions): Promise<Barcode[]> {
  const { readBarcodes } = await loadZxing()
  const part = inkedPart(drawing)
  if (!part) return []
  const results = await readBarcodes({ ...part, colorSpace: 'srgb' } as const, options)
  return results
    .filter(({ isValid }) => isValid)
    .sort(
      (a, b) => a.position.topLeft.y - b.position.topLeft.y || a.position.topLeft.x - b.position.topLeft.x,
    )
    .map(({ text, format }) => ({ text, format }))
}

/** White margin in dots, larger than any code requires. */
const MARGIN = 100

/**
 * Returns the inked part of a drawing on white, since ZXing takes transparent for black. Cropping saves most of ZXing's
 * time. Undefined for a blank page.
 */
function inkedPart({ data, width, height }: Drawing) {
  const dots = new Uint32Array(data.buffer, data.byteOffset, width * height)
  let [left, right, top, bottom] = [width, 0, height, 0]
  for (let at = 0; at < dots.length; at++) {
    if (dots[at] === WHITE) continue
    putOnWhite(data, at * 4)
    if (dots[at] === WHITE) continue
    const [x, y] = [at % width, Math.floor(at / width)]
    if (x < left) left = x
    if (x > right) right = x
    if (top > y) top = y
    bottom = y
  }
  if (top === height) return
  ;[left, top] = [Math.max(0, left - MARGIN), Math.max(0, top - MARGIN)]
  ;[right, bottom] = [Math.min(width, right + MARGIN), Math.min(height, bottom + MARGIN)]
  const part = new Uint32Array((right - left) * (bottom - top))
  for (let y = top; y < bottom; y++)
    part.set(dots.subarray(y * width + left, y * width + right), (y - top) * (right - left))
  return { data: new Uint8ClampedArray(part.buffer), width: right - left, height: bottom - top }
}

const WHITE = 0xff_ff_ff_ff

/** Blends the pixel at byte offset `at` with white. */
function putOnWhite(data: Uint8ClampedArray, at: number): void {
  const alpha = (data[at + 3] ?? 255) / 255
  if (alpha === 1) return
  for (let i = at; i < at + 3; i++) data[i] = Math.round((data[i] ?? 0) * alpha + 255 * (1 - alpha))
  data[at + 3] = 255
}

let reader: Worker | undefined
let asked = 0

/** Asks a worker thread, because pdf.js replaces globals such as `JSON` and `Array` with slower ones. */
function askReader<T>(question: { bytes: Uint8Array; dpi?: number }): Promise<T> {
  if (!reader) {
    reader = new Worker(new URL('./pdf-reader.mjs', import.meta.url))
    reader.setMaxListeners(100)
  }
  const thread = reader
  const id = asked++
  thread.ref()
  return new Promise((resolve, reject) => {
    const settle = (settled: () => void) => {
      thread.off('message', hear).off('error', reject)
      if (thread.listenerCount('message') === 0) thread.unref()
      settled()
    }
    const hear = (answer: { id: number; pages?: T; error?: unknown }) => {
      if (answer.id !== id) return
      settle(() => (answer.pages === undefined ? reject(answer.error) : resolve(answer.pages)))
    }
    thread.on('message', hear).once('error', reject)
    thread.postMessage({ id, ...question })
  })
}

let zxing: Promise<typeof import('zxing-wasm/reader')> | undefined

function loadZxing() {
  zxing ??= import('zxing-wasm/reader').then((module) => {
    // A local copy avoids the network.
    const wasm = readFileSync(join(modules, 'zxing-wasm/dist/reader/zxing_reader.wasm'))
    module.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })
    return module
  })
  return zxing
}
