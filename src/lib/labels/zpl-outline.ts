import type { PDFDocument } from '@cantoo/pdf-lib'
import { ZplPainter, ZplResources } from './zpl-canvas.ts'
import { NotSimple, ZplFields } from './zpl-fields.ts'
import type { OutlineZpl } from './zpl-raster.ts'

/** Draws labels into a PDF as text and areas, at a twentieth of the time that their pictures take. */
export async function openZplOutlines(
  lib: typeof import('@cantoo/pdf-lib'),
  target: PDFDocument,
): Promise<OutlineZpl> {
  const bwip = await import('bwip-js/node')
  const resources = await ZplResources.of(lib, target)
  return (label, dots) => {
    const canvas = new ZplPainter(resources)
    try {
      new ZplFields(canvas, { fonts: resources.fonts, bwip }, dots.width).draw(label)
    } catch (error) {
      // The encoder refuses by an Error in its own words.
      if (error instanceof NotSimple || String(error).includes('bwipp.')) return undefined
      throw error
    }
    return canvas.finish(dots)
  }
}
