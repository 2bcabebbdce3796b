import type { PDFDocument } from '@cantoo/pdf-lib'
import { ZplPainter, ZplResources } from './zpl-canvas.ts'
import type { MatrixEncoder } from './zpl-codes.ts'
import { ZplFields } from './zpl-fields.ts'
import { NotSimple } from './zpl-operands.ts'
import type { OutlineZpl } from './zpl-raster.ts'

/** Draws labels into a PDF as text and areas: in less time than their pictures, and sharp at any size. */
export async function openZplOutlines(
  lib: typeof import('@cantoo/pdf-lib'),
  target: PDFDocument,
): Promise<OutlineZpl> {
  // A CommonJS module, whose names Node.js does not find.
  const { default: zxing } = (await import('@zxing/library')) as unknown as { default: MatrixEncoder }
  const resources = await ZplResources.of(lib, target)
  return (label, dots) => {
    const canvas = new ZplPainter(resources)
    try {
      new ZplFields({ canvas, fonts: resources.fonts, zxing }, dots.width).draw(label)
    } catch (error) {
      if (error instanceof NotSimple) return undefined
      throw error
    }
    return canvas.finish(dots)
  }
}
