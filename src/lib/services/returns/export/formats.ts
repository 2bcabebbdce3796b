import { extname } from 'node:path'
import { usageError } from '../../../errors.ts'
import { csvRow } from '../../../output/formats/csv.ts'
import { ndjsonLine } from '../../../output/formats/json.ts'
import { plainDate } from '../../../wire/plain.ts'
import type { Return } from '../../../wire/returns.ts'
import { EXPORT_COLUMNS, type ExportWriter, type WritePiece } from './columns.ts'

export const WRITERS = {
  csv: async () => writeCsv,
  ndjson: async () => writeNdjson,
  xlsx: async () => (await import('./xlsx-file.ts')).writeXlsx,
  parquet: async () => (await import('./parquet-file.ts')).writeParquet,
} satisfies Record<string, () => Promise<ExportWriter>>

type ExportFormat = keyof typeof WRITERS

export function exportFormat(file: string): ExportFormat {
  const extension = extname(file).slice(1).toLowerCase()
  if (isFormat(extension)) return extension
  const known = Object.keys(WRITERS).map((one) => `.${one}`)
  const what = extension === '' ? 'has no extension' : `ends with .${extension}`
  throw usageError(
    `--out: ${JSON.stringify(file)} ${what}, which is not a format to export.`,
    `name it by its format: ${known.join(', ')}`,
  )
}

function isFormat(word: string): word is ExportFormat {
  return Object.hasOwn(WRITERS, word)
}

async function writeNdjson(records: AsyncIterable<Return>, write: WritePiece) {
  for await (const record of records) write(ndjsonLine(record))
}

async function writeCsv(records: AsyncIterable<Return>, write: WritePiece) {
  write(csvRow(EXPORT_COLUMNS.map(({ name }) => name)))
  for await (const record of records) {
    const cells = EXPORT_COLUMNS.map(({ kind, value }) => {
      const sent = value(record)
      return kind === 'date' ? (plainDate(sent) ?? sent) : sent
    })
    write(csvRow(cells))
  }
}
