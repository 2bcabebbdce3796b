import { code128, type DrawingContext, datamatrix, qrcode } from 'bwip-js/node'

// The encoder is large: imported where a label is made.

/** Modules from the top left corner, filled by the even-odd rule. */
export interface BarcodeShape {
  width: number
  height: number
  outlines: (readonly [x: number, y: number])[][]
}

export function code128Shape(text: string): BarcodeShape {
  return code128({ bcid: 'code128', text, height: 10, scale: 1 }, shapeDrawing())
}

export function dataMatrixShape(text: string): BarcodeShape {
  return datamatrix({ bcid: 'datamatrix', text, scale: 1 }, shapeDrawing())
}

export function qrPng(text: string): Promise<Buffer> {
  return qrcode({
    bcid: 'qrcode',
    text,
    scale: 8,
    padding: 4,
    backgroundcolor: 'ffffff',
    includetext: true,
    alttext: text,
    textxalign: 'center',
    textyoffset: -4,
    textsize: 6,
  })
}

function shapeDrawing(): DrawingContext<BarcodeShape> {
  const shape: BarcodeShape = { width: 0, height: 0, outlines: [] }
  return {
    scale: () => [1, 1],
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init: (width, height) => {
      shape.width = width
      shape.height = height
    },
    line: (...[x, top, , bottom, width]) => {
      // The encoder rounds the middle of an odd number of pixels up.
      const left = Math.floor(x - width / 2)
      const right = left + width
      shape.outlines.push([
        [left, top],
        [right, top],
        [right, bottom],
        [left, bottom],
      ])
    },
    polygon: (points) => void shape.outlines.push(points),
    hexagon: () => {},
    ellipse: () => {},
    fill: () => {},
    text: () => {},
    end: () => shape,
  }
}
