import { Flags } from '@oclif/core'

export const initFlags = {
  name: Flags.string({ helpValue: 'NAME', summary: 'Name of the mapping; by default that of the file' }),
  map: Flags.string({
    helpValue: 'FIELD=COLUMN',
    summary: 'The column of a field, where that can not be told; repeatable',
    multiple: true,
  }),
  set: Flags.string({
    helpValue: 'FIELD=VALUE',
    summary: 'A value for every row; repeatable',
    multiple: true,
  }),
  status: Flags.string({
    helpValue: 'TEXT=STATUS',
    summary: 'What a word of the status column stands for; /…/ is a pattern; repeatable',
    multiple: true,
  }),
  'date-format': Flags.string({
    helpValue: 'FORMAT',
    summary: "As the dates are written: 'DD.MM.YYYY HH:mm'",
  }),
  sheet: Flags.string({ helpValue: 'NAME', summary: 'The sheet of a workbook' }),
  force: Flags.boolean({ summary: 'Replace the mapping of that name' }),
}
