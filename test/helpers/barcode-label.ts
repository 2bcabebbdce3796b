import { degrees, PDFDocument } from '@cantoo/pdf-lib'
import { toBuffer } from 'bwip-js/node'
import type { SheetLabel } from '../../src/lib/labels/paper/sheet-layout.ts'

const MM = 72 / 25.4

/** A label of some pages, by default 100 × 150 mm, each with its name as text and barcode. */
export async function pdfLabel(
  name: string,
  { pages = 1, width = 100, height = 150, turn = 0, origin = 0 } = {},
): Promise<SheetLabel> {
  const document = await PDFDocument.create()
  for (let number = 1; number <= pages; number++) {
    const text = pages > 1 ? `${name}-${number}` : name
    const page = document.addPage([width * MM, height * MM])
    if (origin !== 0) page.setMediaBox(origin, origin, width * MM, height * MM)
    page.setRotation(degrees(turn))
    const image = await document.embedPng(await barcode(text))
    page.drawImage(image, {
      x: origin + 28,
      y: origin + 60,
      width: Math.min(width * MM - 56, 220),
      height: 40,
    })
    page.drawText(text, { x: origin + 28, y: origin + 20, size: 12 })
  }
  return { name, format: 'PDF', bytes: await document.save() }
}

export const barcode = (text: string) => toBuffer({ bcid: 'code128', text, scale: 3, height: 10 })
