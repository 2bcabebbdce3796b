import { Flags, type Interfaces } from '@oclif/core'
import type { writeFlags } from '../../cli/global-flags.ts'

export const oneFlags = {
  status: Flags.string({ helpValue: 'STATUS', summary: 'Where the parcel is' }),
  carrier: Flags.string({ helpValue: 'NAME', summary: 'Carrier' }),
  number: Flags.string({ helpValue: 'NUMBER', summary: 'Tracking number' }),
  url: Flags.string({ helpValue: 'URL', summary: 'Where the parcel can be followed' }),
  description: Flags.string({ helpValue: 'TEXT', summary: 'The status in words' }),
  date: Flags.string({ helpValue: 'DATE', summary: 'When that was, in any zone; now by default' }),
}

export const allowFlags = {
  'allow-unknown-status': Flags.boolean({ summary: 'Send statuses that the specification does not know' }),
  'allow-future': Flags.boolean({ summary: 'Send dates that are more than 24 hours ahead' }),
}

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
}

export const fileFlags = {
  plan: Flags.string({ helpValue: 'FILE', summary: 'Do what rma tracking plan found acceptable' }),
  'only-new': Flags.boolean({
    summary: 'Send only the rows that move a shipment on: plan and push in one',
  }),
  again: Flags.boolean({ summary: 'Send a file that was sent before once more' }),
  ...rowFlags,
  shard: Flags.string({
    helpValue: 'I/N',
    summary: 'Only the i-th of n parts (from 1), divided by shipment',
  }),
  concurrency: Flags.integer({
    helpValue: 'N',
    summary: 'Requests under way at once, at most; 8 by default',
    min: 1,
    max: 256,
  }),
  rate: Flags.string({ helpValue: 'N/s', summary: 'Most requests in a second (or N/m in a minute)' }),
  'max-failures': Flags.string({ helpValue: 'N|P%', summary: 'Stop when more rows than that fail' }),
}

type Given<F extends Interfaces.FlagInput> = Partial<Interfaces.InferredFlags<F>>

export type AllowFlags = Given<typeof allowFlags> & Pick<Given<typeof rowFlags>, 'names'>
export type OneFlags = Given<typeof oneFlags & typeof writeFlags> & AllowFlags
export type RowFlags = Given<typeof rowFlags & Pick<typeof writeFlags, 'dry-run'>> & AllowFlags
export type FileFlags = Given<typeof fileFlags & typeof writeFlags> & AllowFlags
