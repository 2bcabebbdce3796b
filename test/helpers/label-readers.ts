import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PNG } from 'pngjs'

const modules = join(import.meta.dirname, '../../node_modules')

/*
 * Readers that share no code with what writes the labels: pdf.js for PDF, zebrash for ZPL, ZXing for barcodes. All
 * from npm, without network, so that a fresh machine can check a label.
 */

export interface Barcode {
  text: string
  /** ZXing's name: `Code128`, `QRCode`, `DataMatrix`, … */
  format: string
}

export interface PdfPage {
  /** As shown, a rotation of the page included. */
  widthMm: number
  heightMm: number
  /** All text on it, lines separated by a line break. */
  text: string
}

export interface ReadOptions {
  /** Resolution that pages are drawn at; without it 203, as on a thermal printer. */
  dpi?: number
}

const MM_PER_POINT = 25.4 / 72

/** Size and text of each page. */
export async function pdfPages(bytes: Uint8Array): Promise<PdfPage[]> {
  return eachPage(bytes, async (page) => {
    const { width, height } = page.getViewport({ scale: 1 })
    const { items } = await page.getTextContent()
    let text = ''
    let end = { x: 0, y: Number.NaN }
    for (const item of items) {
      if (!('str' in item)) continue
      const [, , , , x, y] = item.transform
      // pdf.js tells breaks inside a block of text only.
      const gap = end.y === y ? ' ' : '\n'
      const touches = text === '' || /\s$/.test(text) || (end.y === y && Math.abs(x - end.x) < 1)
      text += `${touches ? '' : gap}${item.str}${item.hasEOL ? '\n' : ''}`
      end = { x: x + item.width, y }
    }
    return { widthMm: width * MM_PER_POINT, heightMm: height * MM_PER_POINT, text }
  })
}

/** Red, green, blue and alpha of each point, row by row. */
export interface Drawing {
  data: Uint8ClampedArray
  width: number
  height: number
}

/** Each page as it is drawn, to be measured. */
export async function drawnPages(bytes: Uint8Array, { dpi = 203 }: ReadOptions = {}): Promise<Drawing[]> {
  return eachPage(bytes, async (page, canvasFactory) => {
    const viewport = page.getViewport({ scale: dpi / 72 })
    const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)]
    const { context } = canvasFactory.create(width, height)
    await page.render({ canvas: null, canvasContext: context, viewport }).promise
    return { data: context.getImageData(0, 0, width, height).data, width, height }
  })
}

/** Barcodes of all pages, in the order of pages. */
export async function barcodesInPdf(bytes: Uint8Array, options: ReadOptions = {}): Promise<Barcode[]> {
  const found: Barcode[] = []
  for (const page of await drawnPages(bytes, options)) found.push(...(await barcodesIn(page)))
  return found
}

/** Each label of a ZPL file as it is drawn at 203 dpi. */
export async function drawnZpl(bytes: Uint8Array, widthMm = 100, heightMm = 150): Promise<Drawing[]> {
  const { ready } = await import('zpl-renderer-js')
  const { api } = await ready
  const zpl = new TextDecoder().decode(bytes)
  const images = await api.zplToBase64MultipleAsync(zpl, widthMm, heightMm, 8)
  return images.map((image) => drawingOf(Buffer.from(image, 'base64')))
}

/** Barcodes of all labels of a ZPL file. */
export async function barcodesInZpl(bytes: Uint8Array): Promise<Barcode[]> {
  const found: Barcode[] = []
  for (const drawn of await drawnZpl(bytes)) found.push(...(await barcodesIn(drawn)))
  return found
}

/** Barcodes of an image, top to bottom. */
export async function barcodesInPng(bytes: Uint8Array): Promise<Barcode[]> {
  return barcodesIn(drawingOf(Buffer.from(bytes)))
}

function drawingOf(png: Buffer): Drawing {
  const { data, width, height } = PNG.sync.read(png)
  return { data: new Uint8ClampedArray(data), width, height }
}

async function barcodesIn({ data, width, height }: Drawing): Promise<Barcode[]> {
  const { readBarcodes } = await loadZxing()
  // On white paper: where the image is transparent, ZXing sees black.
  for (let at = 0; at < data.length; at += 4) {
    const alpha = (data[at + 3] ?? 255) / 255
    if (alpha === 1) continue
    for (let i = at; i < at + 3; i++) data[i] = Math.round((data[i] ?? 0) * alpha + 255 * (1 - alpha))
  }
  const image = { data, width, height, colorSpace: 'srgb' } as const
  const results = await readBarcodes(image, { tryHarder: true, maxNumberOfSymbols: 50 })
  return results
    .filter(({ isValid }) => isValid)
    .sort(
      (a, b) => a.position.topLeft.y - b.position.topLeft.y || a.position.topLeft.x - b.position.topLeft.x,
    )
    .map(({ text, format }) => ({ text, format }))
}

type Pdfjs = typeof import('pdfjs-dist/legacy/build/pdf.mjs')
type PdfDocument = Awaited<ReturnType<Pdfjs['getDocument']>['promise']>
type Page = Awaited<ReturnType<PdfDocument['getPage']>>
type DrawingContext = NonNullable<Parameters<Page['render']>[0]['canvasContext']>

/** What pdf.js draws on in Node.js: @napi-rs/canvas, which it brings along; its types only know the browser's. */
interface CanvasFactory {
  create(width: number, height: number): { context: DrawingContext }
}

async function eachPage<T>(
  bytes: Uint8Array,
  read: (page: Page, canvasFactory: CanvasFactory) => Promise<T>,
): Promise<T[]> {
  const { getDocument, VerbosityLevel } = await import('pdfjs-dist/legacy/build/pdf.mjs')
  const assets = (folder: string) => `${join(modules, 'pdfjs-dist', folder)}/`
  const task = getDocument({
    // A copy, because pdf.js takes the buffer over.
    data: new Uint8Array(bytes),
    standardFontDataUrl: assets('standard_fonts'),
    cMapUrl: assets('cmaps'),
    wasmUrl: assets('wasm'),
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await task.promise
    const results: T[] = []
    for (let number = 1; number <= pdf.numPages; number++) {
      results.push(await read(await pdf.getPage(number), pdf.canvasFactory as CanvasFactory))
    }
    return results
  } finally {
    await task.destroy()
  }
}

let zxing: Promise<typeof import('zxing-wasm/reader')> | undefined

function loadZxing() {
  zxing ??= import('zxing-wasm/reader').then((module) => {
    // Else it would be fetched from the network.
    const wasm = readFileSync(join(modules, 'zxing-wasm/dist/reader/zxing_reader.wasm'))
    module.prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasm).buffer } })
    return module
  })
  return zxing
}
