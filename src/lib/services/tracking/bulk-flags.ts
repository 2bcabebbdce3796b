import { Flags } from '@oclif/core'
import { AppError } from '../../errors.ts'

export const rowFlags = {
  file: Flags.string({
    char: 'f',
    helpValue: 'FILE',
    summary: 'CSV, TSV, NDJSON, JSON or XLSX, told apart by content; - for standard input',
  }),
  map: Flags.string({
    helpValue: 'FIELD=COLUMN',
    summary: 'Take a field from a column of another name; repeatable',
    multiple: true,
  }),
  mapping: Flags.string({
    char: 'm',
    helpValue: 'NAME',
    summary: "Read a carrier's export: a ready-made mapping (ups), or one that rma mappings init made",
  }),
  set: Flags.string({
    helpValue: 'FIELD=VALUE',
    summary: 'Give a field one value in every row; repeatable',
    multiple: true,
  }),
  errors: Flags.string({
    helpValue: 'FILE',
    summary: 'File (CSV) for every row that can not be sent, and why',
  }),
  names: Flags.string({
    helpValue: 'loose',
    summary: 'loose takes LU105189 for R#-LU105189; names are sent as written without',
    options: ['loose'],
  }),
  'skip-invalid': Flags.boolean({ summary: 'Leave out rows that can not be sent, instead of sending none' }),
  shard: Flags.string({
    helpValue: 'I/N',
    summary: 'Only the i-th of n parts (from 1), divided by shipment',
  }),
}

export const bulkFlags = {
  concurrency: Flags.integer({
    helpValue: 'N',
    summary: 'Requests under way at once, at most; 8 by default',
    min: 1,
    max: 256,
  }),
  rate: Flags.string({ helpValue: 'N/s', summary: 'Most requests in a second (or N/m in a minute)' }),
  'max-failures': Flags.string({ helpValue: 'N|P%', summary: 'Stop when more rows than that fail' }),
}

/** Requests a second. @throws AppError `usage` */
export function readRate(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const [, count = '', unit] = /^(\d+(?:\.\d+)?)(?:\/(s|m))?$/.exec(text) ?? []
  const perSecond = Number(count) / (unit === 'm' ? 60 : 1)
  if (count !== '' && perSecond > 0) return perSecond
  throw new AppError('usage', `--rate: ${JSON.stringify(text)} is not a rate.`, { hints: ['50/s, or 600/m'] })
}

/** A number of rows, or a percentage of them. @throws AppError `usage` */
export function readMaxFailures(text: string | undefined): number | { percent: number } | undefined {
  if (text === undefined) return undefined
  const [, count = '', sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  const number = Number(count)
  if (sign === '%' && number <= 100) return { percent: number }
  if (sign === '' && Number.isInteger(number)) return number
  throw new AppError(
    'usage',
    `--max-failures: ${JSON.stringify(text)} is neither a number nor a percentage.`,
    {
      hints: ['--max-failures 100, or --max-failures 5%'],
    },
  )
}
