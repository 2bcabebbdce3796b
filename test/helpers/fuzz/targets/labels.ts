import assert from 'node:assert/strict'
import { composeSheets } from '../../../../src/lib/labels/paper/sheets.ts'
import type { FuzzTarget } from '../play.ts'

/** A label is drawn on a sheet or refused with a message. */
const drawn = (format: 'PDF' | 'ZPL'): FuzzTarget => ({
  kinds: ['contract', 'usage'],
  async check(bytes) {
    const label = { name: 'SHP-7', format, bytes }
    const { pdf, labels } = await composeSheets([label], { sheet: 'a4', perPage: 1 })
    assert(labels > 0 && Buffer.from(pdf).toString('latin1', 0, 5) === '%PDF-', 'no PDF was made')
  },
})

export const pdf = drawn('PDF')
export const zpl = drawn('ZPL')
