import type { FieldPlace, ZplPainter } from './zpl-canvas.ts'
import type { MatrixEncoder } from './zpl-codes.ts'
import type { ZplFont, ZplTypeface } from './zpl-font.ts'

/** What fields are drawn with. */
export interface FieldTools {
  canvas: ZplPainter
  fonts: Readonly<Record<ZplTypeface, ZplFont>>
  zxing: MatrixEncoder
}

/** Where a field stands: `^FO`, or `^FT` if it is from its base line or lower edge. */
export interface FieldOrigin extends FieldPlace {
  isFromBottom: boolean
  isFromRight: boolean
}
