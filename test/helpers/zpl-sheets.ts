import { composeSheets } from '../../src/lib/labels/paper/sheets.ts'
import { type Drawing, drawnPages } from './label-readers.ts'

/** Prints a ZPL file on sheets of 4 × 6 inches cropped to the labels. */
export function zplSheets(zpl: string | Uint8Array) {
  const label = { name: 'SHP-7', format: 'ZPL' as const, bytes: Buffer.from(zpl) }
  return composeSheets([label], { sheet: 'a4', perPage: 1, isTrimmed: true })
}

/** Labels of a ZPL file in dots of 203 dpi. */
export async function zplDots(zpl: string | Uint8Array): Promise<Drawing[]> {
  return drawnPages((await zplSheets(zpl)).pdf, { dpi: 203.2 })
}
