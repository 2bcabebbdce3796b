import { Args, Flags } from '@oclif/core'
import { listFlag, switchFlag, textFlag } from '../config/flag-kinds.ts'
import { SHEET_NAMES } from '../wire/enumerations.ts'

const GLOBAL = 'GLOBAL'
const NETWORK = 'CONNECTION'

export { defaultedFlag, listFlag, switchFlag, textFlag } from '../config/flag-kinds.ts'

export const requiredArg = (description: string) =>
  Args.string({ description, required: true, ignoreStdin: true })
export const optionalArg = (description: string) => Args.string({ description, ignoreStdin: true })
export const repeatedArg = (description: string) =>
  Args.string({ description, required: true, multiple: true, ignoreStdin: true })

export const RETURN_FORMS =
  'R#-LU105189, or LU105189 alone; an id, a client reference, the id of a label, a tracking code'

/** @throws AppError `usage` if the text is blank */
export async function namedReturn(text: string): Promise<string> {
  if (text.trim() !== '') return text
  throw (await import('../api/return-references.ts')).noneNamed()
}

export const returnArg = { ...requiredArg(RETURN_FORMS), parse: namedReturn }

const setting = (helpValue: string, summary: string, char?: 'o' | 'p') =>
  Flags.string({ helpGroup: GLOBAL, helpValue, summary, ...(char && { char }) })
const globalSwitch = (summary: string, more: { char?: 'q' | 'v'; exclusive?: string[] } = {}) =>
  Flags.boolean({ helpGroup: GLOBAL, summary, ...more })
const connecting = (helpValue: string, summary: string) =>
  Flags.string({ helpGroup: NETWORK, helpValue, summary })

/** Texts, since the settings check the values of flags, variables and profiles alike. */
export const globalFlags = {
  profile: setting('NAME', 'Profile to use [env: RMA_PROFILE]', 'p'),
  shop: setting('CODE', 'Shop to work for [env: RMA_SHOP]'),
  output: setting('FORMAT', 'table, json, ndjson, csv or yaml [env: RMA_OUTPUT]', 'o'),
  json: globalSwitch('The same as -o json'),
  columns: setting('A,B,…', 'Columns of table and CSV, by name or by path (customer.email)'),
  jq: setting('EXPR', 'Filter the JSON result; texts come out raw'),
  'no-headers': globalSwitch('Leave out the header of table and CSV'),
  'no-color': globalSwitch('No colour [env: NO_COLOR]'),
  'no-pager': globalSwitch('Show long results without $RMA_PAGER, $PAGER or less'),
  'time-zone': setting('ZONE', 'Zone of dates, such as Europe/Madrid [env: RMA_TIME_ZONE]'),
  quiet: globalSwitch('Only errors on standard error', { char: 'q', exclusive: ['verbose'] }),
  verbose: globalSwitch('Show each request and answer, private data masked [env: RMA_DEBUG]', { char: 'v' }),
  'base-url': connecting('URL', 'Address of the platform [env: RMA_BASE_URL]'),
  'token-file': connecting(
    'FILE',
    'File that holds the token, - for standard input [env: RMA_TOKEN, the token itself]',
  ),
  timeout: connecting('SECONDS', 'Time limit of each attempt, 30 by default [env: RMA_TIMEOUT]'),
  retries: connecting('N', 'How often to try again, 3 by default [env: RMA_RETRIES]'),
  'ca-file': connecting('FILE', 'More trust anchors, in PEM form [env: NODE_EXTRA_CA_CERTS]'),
  trace: connecting('FILE', 'Write each request and answer as HAR, masked'),
  strict: Flags.boolean({
    helpGroup: NETWORK,
    summary: 'Departures of an answer from the specification are errors',
  }),
  'api-revision': connecting('REV', 'Revision of the interface: 1.4 (default) or 1.2.10'),
}

export function isGlobalFlag({ helpGroup }: { helpGroup?: string }) {
  return helpGroup === GLOBAL || helpGroup === NETWORK
}

export const labelHostFlags = {
  'label-host': listFlag('HOST', 'Host inside your network that labels may be fetched from (repeatable)', {
    multipleNonGreedy: true,
  }),
}

export const paperFlags = {
  sheet: textFlag('SIZE', 'a4 (default), letter, a6 or 4x6 (inches; default of label printers)', {
    options: [...SHEET_NAMES],
  }),
  'per-page': textFlag('N', 'Labels a sheet: 1 (default), 2 or 4', { char: 'u', options: ['1', '2', '4'] }),
  dpi: textFlag(
    'DPI',
    "Printer's dots an inch: 203, 300 or 600; for ZPL on sheets guessed from its size if not given",
    { options: ['203', '300', '600'] },
  ),
}

export const databaseFlags = {
  database: textFlag(
    'URL',
    'PostgreSQL database that holds the mirror, in place of a file [env: RMA_DATABASE]',
  ),
}

export const writeFlags = {
  'dry-run': switchFlag('Print the request that would be sent, and send nothing', { char: 'n' }),
  yes: switchFlag('Answer the questions of protected profiles, of purchases and of new status words', {
    char: 'y',
  }),
}

export const removalFlags = {
  yes: switchFlag('Answer the question that is asked on a terminal', { char: 'y' }),
}
