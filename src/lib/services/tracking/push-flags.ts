import type { Interfaces } from '@oclif/core'
import type { writeFlags } from '../../cli/global-flags.ts'
import { countFlag, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'

export const oneFlags = {
  status: textFlag('STATUS', 'Where the parcel is: a code, or its words as tables show them'),
  carrier: textFlag('NAME', 'Carrier'),
  number: textFlag('NUMBER', 'Tracking number'),
  url: textFlag('URL', 'Where the parcel can be followed'),
  description: textFlag('TEXT', 'The status in words'),
  date: textFlag('DATE', 'When that was, in any zone; now by default'),
}

export const allowFlags = {
  'allow-unknown-status': switchFlag('Send statuses that the specification does not know'),
  'allow-future': switchFlag('Send dates that are more than 24 hours ahead'),
}

export const rowFlags = {
  file: textFlag('FILE', 'CSV, TSV, NDJSON, JSON or XLSX, told apart by content; - for standard input', {
    char: 'f',
  }),
  map: listFlag('FIELD=COLUMN', 'Take a field from a column of another name; repeatable'),
  mapping: textFlag(
    'NAME',
    "Read a carrier's export: a ready-made mapping (ups), or one that rma mappings init made",
    { char: 'm' },
  ),
  by: textFlag('tracking-number', "Find each row's return by the tracking number of its active transport", {
    options: ['tracking-number'],
  }),
  unknown: textFlag(
    'refuse',
    'With --by: send nothing if a tracking number is unknown or of several returns',
    {
      options: ['refuse'],
    },
  ),
  dates: textFlag('DMY|MDY', 'How dates like 01/11/2026 are read', { options: ['DMY', 'MDY'] }),
  set: listFlag('FIELD=VALUE', 'Give a field one value in every row; repeatable'),
  errors: textFlag('FILE', 'File (CSV) for every row that can not be sent, and why'),
  names: textFlag('loose', 'loose takes LU105189 for R#-LU105189; by default names are sent as written', {
    options: ['loose'],
  }),
  'skip-invalid': switchFlag('Leave out rows that can not be sent, instead of sending none'),
}

export const fileFlags = {
  plan: textFlag('FILE', 'Do what rma tracking plan found acceptable'),
  'only-new': switchFlag('Send only the rows that move a shipment on: plan and push in one'),
  again: switchFlag('Send a file that was sent before once more'),
  ...rowFlags,
  shard: textFlag('I/N', 'Only the i-th of n parts (from 1), divided by shipment'),
  concurrency: countFlag('N', 'Requests under way at once, at most; 8 by default', 256),
  rate: textFlag('N/s', 'Most requests in a second (or N/m in a minute)'),
  'max-failures': textFlag('N|P%', 'Stop when more rows than that fail'),
}

type Given<F extends Interfaces.FlagInput> = Partial<Interfaces.InferredFlags<F>>

export type AllowFlags = Given<typeof allowFlags> & Pick<Given<typeof rowFlags>, 'names'>
export type OneFlags = Given<typeof oneFlags & typeof writeFlags> & AllowFlags
export type RowFlags = Given<typeof rowFlags & Pick<typeof writeFlags, 'dry-run'>> & AllowFlags
export type FileFlags = Given<typeof fileFlags & typeof writeFlags> & AllowFlags
