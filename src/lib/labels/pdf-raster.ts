import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import type { PDFiumLibrary } from '@hyzyla/pdfium'
import { readShipped } from '../files/shipped.ts'
import { POINTS_PER_DOT, type PrinterDpi } from './sheet-layout.ts'
import type { Bitmap } from './zpl/graphic.ts'

/** Grey from which a dot is not printed: dots half covered by ink are. */
const DARKEST_WHITE = 128

let library: Promise<PDFiumLibrary> | undefined

/** Draws pages of a PDF in the dots of a printer. @throws Error if it can't be read */
export async function* drawPages(pdf: Uint8Array, dpi: PrinterDpi): AsyncGenerator<Bitmap> {
  library ??= openLibrary()
  const document = await (await library).loadDocument(pdf)
  try {
    for (const page of document.pages()) {
      const { originalWidth, originalHeight } = page.getOriginalSize()
      const width = Math.round(originalWidth / POINTS_PER_DOT[dpi])
      const height = Math.round(originalHeight / POINTS_PER_DOT[dpi])
      const { data } = await page.render({ render: 'bitmap', colorSpace: 'Gray', width, height })
      yield { width, height, rows: packed(data, width, height) }
    }
  } finally {
    document.destroy()
  }
}

async function openLibrary(): Promise<PDFiumLibrary> {
  const { PDFiumLibrary } = await import('@hyzyla/pdfium')
  const wasm =
    readShipped('pdfium.wasm') ??
    (await readFile(createRequire(import.meta.url).resolve('@hyzyla/pdfium/pdfium.wasm')))
  return PDFiumLibrary.init({ wasmBinary: new Uint8Array(wasm).buffer })
}

function packed(grey: Uint8Array, width: number, height: number): Buffer {
  const bytesPerRow = Math.ceil(width / 8)
  const rows = Buffer.alloc(bytesPerRow * height)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      if ((grey[y * width + x] ?? 255) >= DARKEST_WHITE) continue
      const at = y * bytesPerRow + (x >> 3)
      rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7))
    }
  }
  return rows
}
