import { type ErrorKind, EXIT_CODES, EXIT_MEANINGS } from '../../errors.ts'
import { databaseFlags, globalFlags, RETURN_FORMS } from '../global-flags.ts'

export type HelpBlock = string | { heading: string } | { rows: [string, string][] } | { lines: string[] }

export interface HelpTopic {
  summary: string
  blocks: readonly HelpBlock[]
}

type DescribedFlag = { char?: string | undefined; summary?: string | undefined; helpValue?: unknown }

/** Matches `[env: RMA_TOKEN, the token itself]`. */
const VARIABLE = / ?\[env: (?<name>\w+)(?:, (?<itself>[^\]]*))?\]/

function flagRows(group: string): [string, string][] {
  return Object.entries<DescribedFlag & { helpGroup?: string | undefined }>(globalFlags)
    .filter(([, { helpGroup }]) => helpGroup === group)
    .map(([name, { char, helpValue, summary = '' }]) => {
      const value = typeof helpValue === 'string' ? ` ${helpValue}` : ''
      return [`${char === undefined ? '    ' : `-${char}, `}--${name}${value}`, summary]
    })
}

function variableRows(): [string, string][] {
  return Object.entries<DescribedFlag>({ ...globalFlags, ...databaseFlags }).flatMap(
    ([flag, { summary = '' }]): [string, string][] => {
      const { name, itself } = VARIABLE.exec(summary)?.groups ?? {}
      if (name === undefined) return []
      const what =
        itself === undefined ? summary.replace(VARIABLE, '') : `${itself}, not the file that holds it`
      return [[name, `${what} (--${flag})`]]
    },
  )
}

const FLAGS: HelpTopic = {
  summary: 'Flags that every command has',
  blocks: [
    { rows: flagRows('GLOBAL') },
    { heading: 'Connection' },
    { rows: flagRows('CONNECTION') },
    'They may stand before the command as well: rma -p live returns list. A flag takes precedence over its environment ' +
      'variable, that over the profile, that over the default. A command that writes has -n (--dry-run) and -y (--yes), ' +
      'too.',
  ],
}

const EXITS: HelpTopic = {
  summary: 'What the exit code tells a script',
  blocks: [
    {
      rows: [
        ['0', 'success; an empty result is a success'],
        ...Object.entries(EXIT_CODES).map(([kind, code]): [string, string] => {
          const { when, next } = EXIT_MEANINGS[kind as ErrorKind]
          return [`${code} ${kind}`, next === '' ? when : `${when}: ${next}`]
        }),
      ],
    },
    'With -o json or -o ndjson the last line on standard error is the same as JSON:',
    { lines: ['{"error":{"kind","exitCode","message","hints","status","requestId","errors"}}'] },
    'rma commands --json has the codes that each command can end with.',
  ],
}

const ENVIRONMENT: HelpTopic = {
  summary: 'Environment variables that rma reads',
  blocks: [
    { rows: variableRows() },
    { heading: 'Where things are kept' },
    {
      rows: [
        [
          'RMA_CONFIG_DIR',
          'Folder of settings and profiles; else XDG_CONFIG_HOME, or the system’s own place',
        ],
        ['RMA_DATA_DIR', 'Folder of the sandbox, jobs and mirrors; else XDG_DATA_HOME'],
        ['RMA_CACHE_DIR', 'Folder of what can be made again; else XDG_CACHE_HOME'],
        ['RMA_LOCK_DIR', 'Folder that several users share so that no label is bought twice; mode 2770'],
      ],
    },
    { heading: 'Of all programs' },
    {
      rows: [
        ['FORCE_COLOR', 'Colour in pipes, too'],
        [
          'RMA_PAGER, PAGER',
          'Program for results longer than the screen; else less -FRX; an empty RMA_PAGER: none',
        ],
        ['HTTPS_PROXY, HTTP_PROXY, NO_PROXY', 'Proxies, and hosts that need none; in small letters, too'],
      ],
    },
    'RMA_BASE_URL with RMA_TOKEN needs no profile at all. An empty variable is as good as none.',
  ],
}

const FORMATTING: HelpTopic = {
  summary: 'How results are printed: tables, JSON, CSV, jq',
  blocks: [
    {
      rows: [
        ['-o table', 'The default: as wide as the terminal; in a pipe nothing is cut'],
        ['-o json', 'One document, of the shape that rma schema COMMAND prints'],
        ['-o ndjson', 'A record a line, as it arrives'],
        ['-o csv', 'All columns, with a header'],
        ['-o yaml', 'The JSON document as YAML'],
        ['--columns A,B', 'These columns of table and CSV, by name or by path: customer.email'],
        [
          '--jq EXPR',
          'Filters the JSON document, with -o ndjson each record as it arrives; texts come out raw',
        ],
        ['--no-headers', 'Table and CSV without their first line'],
        ['--time-zone ZONE', 'Zone of the dates in tables; JSON has them as they were sent'],
      ],
    },
    'The result is on standard output, all else on standard error. On a terminal, codes are said in words (PENDING: ' +
      'waiting for the parcel); all other formats, and tables in a pipe, have them as they were sent.',
    {
      lines: [
        'rma returns list --columns name,customer.email,totalRefund -o csv',
        'rma returns list --jq \'.returns[] | select(.status == "PENDING") | .name\'',
      ],
    },
  ],
}

const REFERENCES: HelpTopic = {
  summary: 'How returns, labels, jobs, dates and files are named',
  blocks: [
    {
      rows: [
        ['RETURN', `${RETURN_FORMS}. A bare order names all its returns: reads list them, writes refuse`],
        ['SHIPMENT', 'Of tracking: the return. Of a label: its clientShipmentId, else a return'],
        ['JOB', 'Id of a bulk job, or the end of it: x7k2; --last is the newest'],
        ['DATE', '2026-03-01, 2026-03-01T10:30 with an offset or without, today, yesterday, 7d, 12h'],
        ['DURATION', '90s, 15m, 12h, 30d'],
        ['FILE', 'A path; - is standard input, or standard output of --out'],
        ['NAME', 'Of a profile, a mapping: as its list shows it'],
      ],
    },
    'To the shell a word that begins with # is a comment: leave the # out (LU105189), or quote it.',
    {
      lines: [
        'rma returns get LU105189',
        "rma returns get 'R#-LU105189'",
        'cut -d, -f1 names.csv | rma returns get -',
      ],
    },
  ],
}

export const HELP_TOPICS: Readonly<Record<string, HelpTopic>> = {
  flags: FLAGS,
  'exit-codes': EXITS,
  environment: ENVIRONMENT,
  formatting: FORMATTING,
  references: REFERENCES,
}
