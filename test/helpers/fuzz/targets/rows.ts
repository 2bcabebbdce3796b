import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { failedCsv } from '../../../../src/lib/bulk/rows/failed-csv.ts'
import { openRows } from '../../../../src/lib/bulk/rows/open.ts'
import { type RawRow, sourceText } from '../../../../src/lib/bulk/rows/row.ts'
import { newFolder } from '../../files.ts'
import { zip } from '../../row-input.ts'
import type { FuzzTarget } from '../play.ts'

const path = join(newFolder(), 'input')
/** More than an input has. */
const BLOCK_BYTES = 4096

async function rowsIn(content: string | Uint8Array, blockBytes = BLOCK_BYTES) {
  writeFileSync(path, content)
  const { header = [], rows } = await openRows(path, { name: 'FILE', blockBytes })
  const all: RawRow[] = []
  for await (const batch of rows()) all.push(...batch)
  for (const [at, { row }] of all.entries()) assert(row > (all[at - 1]?.row ?? 0), 'rows are out of order')
  return { header, all }
}

/** The block size does not change the rows. Failed rows survive a round trip. */
export const csv: FuzzTarget = {
  kinds: ['usage'],
  async check(bytes) {
    const { header, all } = await rowsIn(bytes)
    // Only for some inputs, since each block costs system calls.
    if (bytes.length % 8 === 0) assert.deepEqual((await rowsIn(bytes, 1 + (bytes.length % 61))).all, all)
    const sound = all.filter(({ fault }) => fault === undefined)
    const own = header.some((name) => /^_/.test(name))
    if (own || header.length === 0 || sound.length === 0) return
    const failed = failedCsv(header)
    const lines = sound.map((row) => failed.line(row, { code: 'X', message: 'refused' }))
    const again = await rowsIn(failed.header + lines.join(''))
    const cells = (rows: RawRow[]) => rows.map((row) => row.cells.slice(0, header.length).map(sourceText))
    assert.deepEqual(cells(again.all), cells(sound))
  },
}

const PARTS = [
  'xl/workbook.xml',
  'xl/_rels/workbook.xml.rels',
  'xl/worksheets/sheet1.xml',
  'xl/sharedStrings.xml',
  'xl/styles.xml',
]

/** A workbook, as an archive or as parts separated by form feeds, yields rows or is refused. */
export const xlsx: FuzzTarget = {
  kinds: ['usage'],
  async check(bytes) {
    const isArchive = bytes.toString('latin1', 0, 2) === 'PK'
    const parts = bytes
      .toString('latin1')
      .split('\f')
      .map((part) => Buffer.from(part, 'latin1'))
    const files = Object.fromEntries(PARTS.map((name, at) => [name, parts[at] ?? '']))
    const { all } = await rowsIn(isArchive ? bytes : zip(files))
    for (const { cells } of all) for (const cell of cells) assert.equal(typeof sourceText(cell), 'string')
  },
}
