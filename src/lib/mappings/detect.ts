import { quotedWord } from '../errors.ts'
import { TRANSPORTATION_STATUSES } from '../wire/enumerations.ts'
import { formatsOf } from './date-format.ts'
import { detectDate, detectDateColumn } from './detect-dates.ts'
import headerWords from './header-words.json'
import { type Answers, applyMapping, MAPPING_VERSION, type Mapping, type OpenQuestion } from './mapping.ts'
import { plainWords, statusInWords } from './status-words.ts'
import { readTrackingNumber } from './tracking-numbers.ts'

const HEADER_ROWS = 40
const RETURN_NAME = /^R#-\S/
/** Headers of order columns. An order may have several returns. */
const ORDER = new RegExp(headerWords.order)
const STATUS = new RegExp(headerWords.status)
/** Headers of other statuses, such as `Payment status`. */
const OTHER_STATUS = new RegExp(headerWords.otherStatus)
/** Headers of columns where one or two letters may be a status. `State` may be a country's. */
const SHORT_STATUS = new RegExp(headerWords.shortStatus)

export interface Detected {
  mapping: Mapping
  open: readonly OpenQuestion[]
  header: readonly string[]
}

/** Returns undefined without a header. */
export function detectMapping(rows: readonly (readonly string[])[], answers: Answers): Detected | undefined {
  const given = Object.entries(answers.columns ?? {})
  const heads = rows.slice(0, HEADER_ROWS).map((cells) => {
    const { columns, timeColumn } = readHeader(cells)
    const there = Object.fromEntries(given.filter(([, column]) => cells.includes(column)))
    return { columns: { ...columns, ...there }, timeColumn }
  })
  const most = Math.max(...heads.map(({ columns }) => Object.keys(columns).length))
  const named = heads.findIndex(({ columns }) => Object.keys(columns).length === most)
  const at = most < 2 ? headerByShape(rows.slice(0, HEADER_ROWS)) : named
  const head = heads[at]
  const header = rows[at]
  if (head === undefined || header === undefined) return undefined
  const below = rows.slice(at + 1)
  const valuesOf = (column: string | undefined) => {
    const index = column === undefined ? -1 : header.indexOf(column)
    return below.map((row) => row[index]?.trim() ?? '').filter((value) => value !== '')
  }
  const kept = (column: string | undefined) => valuesOf(column).filter((value) => !TOTAL.test(value))
  const { columns } = head
  const { shipmentId: before } = columns
  addColumnsByContent(columns, { header, valuesOf: kept, answers })
  const order = columns.shipmentId === undefined ? before : undefined
  const byNumber = answers.byNumber || (order !== undefined && columns.trackingNumber !== undefined)
  for (const field of Object.keys(answers.constants ?? {})) delete columns[field]
  if (byNumber) delete columns.shipmentId
  const id = columns[byNumber ? 'trackingNumber' : 'shipmentId']
  const { leaveOut: totals, words } = withoutTotals({ header, below }, { id, status: columns.trackingStatus })
  const open = missingColumns({ ...answers.constants, ...columns }, header, byNumber)
  if (byNumber && !answers.byNumber) open.push(oneReturnEach(order))
  if (columns.trackingDate === undefined && answers.constants?.trackingDate === undefined) {
    detectDateColumn(columns, header, kept, open)
  }
  const statuses = statusesOf(words, answers.statuses ?? {}, open)
  const timeColumn = head.timeColumn ?? onlyColumn({ header, valuesOf: kept }, areTimes)
  const date = detectDate(kept(columns.trackingDate), kept(timeColumn), { timeColumn, ...answers }, open)
  const mapping: Mapping = {
    version: MAPPING_VERSION,
    columns,
    statuses,
    ...(date && { date }),
    constants: { ...carrierOf(columns, kept(columns.trackingNumber)), ...answers.constants },
    leaveOut: id === undefined ? totals : [...totals, { column: id, pattern: '^$' }],
    looseNames: !kept(id).some((name) => RETURN_NAME.test(name)),
    commonWords: false,
    ...(byNumber && { by: 'tracking-number' as const }),
    // Each use detects the date column again.
    detect: open.some(({ of }) => of === 'trackingDate'),
  }
  return { mapping, open, header: header.filter((column) => column !== '') }
}

function oneReturnEach(order = ''): OpenQuestion {
  const what = `that each ${order} is of one return, so rows are found by their tracking numbers`
  return { kind: 'column', of: 'shipmentId', what, flag: `--map 'shipmentId=${order}'`, choices: [order] }
}

function missingColumns(
  known: Readonly<Record<string, string>>,
  header: readonly string[],
  byNumber = false,
): OpenQuestion[] {
  const required = {
    ...(byNumber ? { trackingNumber: 'the tracking number' } : { shipmentId: 'the return' }),
    trackingStatus: 'the status',
  }
  const choices = header.filter((column) => column !== '' && !Object.values(known).includes(column))
  return Object.entries(required)
    .filter(([field]) => known[field] === undefined)
    .map(([of, what]) => ({
      kind: 'column',
      of,
      what: `the column of ${what}`,
      flag: `--map ${of}=COLUMN`,
      choices,
      isNeeded: true,
    }))
}

interface Table {
  header: readonly string[]
  valuesOf: (column: string) => string[]
  answers: Answers
}

/** Adds columns by content: the form of a return's name, check digits, known words. */
function addColumnsByContent(columns: Record<string, string>, { header, valuesOf, answers }: Table) {
  const find = (isOne: (value: string, column: string) => boolean) =>
    header.find((column) => {
      const values = valuesOf(column)
      const fitting = values.filter((value) => isOne(value, column)).length
      return column !== '' && fitting > 0 && fitting >= values.length * 0.6
    })
  const isOrder = (column: string) => !answers.namesOnly && ORDER.test(plainWords(column))
  if (!header.includes(answers.columns?.shipmentId ?? '\0')) {
    const isOfReturn = (value: string, column: string) =>
      plainWords(column) === 'return' && SHORT_NAME.test(value)
    const named = find((value) => RETURN_NAME.test(value)) ?? find(isOfReturn)
    if (named !== undefined) columns.shipmentId = named
    if (named === undefined && isOrder(columns.shipmentId ?? '')) delete columns.shipmentId
  }
  const numbers =
    find((value) => readTrackingNumber(value)?.isValid === true) ??
    onlyColumn({ header: header.filter((column) => !isOrder(column)), valuesOf }, areCodes)
  if (numbers !== undefined && !Object.values(columns).includes(numbers)) columns.trackingNumber ??= numbers
  const { status: statusOf } = applyMapping({ statuses: answers.statuses ?? {} })
  const isWord = (value: string, column: string) =>
    !OTHER_STATUS.test(plainWords(column)) &&
    (/\p{L}{3}/u.test(value) || SHORT_STATUS.test(plainWords(column))) &&
    (statusOf(value) !== value || statusInWords(value) !== undefined)
  columns.trackingStatus ??=
    find((value, column) => STATUS.test(plainWords(column)) && isWord(value, column)) ?? find(isWord) ?? ''
  if (columns.trackingStatus === '') delete columns.trackingStatus
}

/** Matches names without `R#-`, but no dates. A column `Return` may also hold Yes and No. */
const SHORT_NAME = /^(?!20\d{6}$)\p{L}*-?\d{3,9}(-\d+)?$/u
const CODE = /^(?=.*\d{6})[A-Z\d][A-Z\d -]{7,34}$/i

function onlyColumn(
  { header, valuesOf }: Pick<Table, 'header' | 'valuesOf'>,
  isOne: (values: readonly string[]) => boolean,
) {
  const [column, ...others] = header.filter((one) => {
    const values = one === '' ? [] : valuesOf(one)
    return values.length > 0 && isOne(values)
  })
  return others.length === 0 ? column : undefined
}

function areCodes(values: readonly string[]) {
  const codes = values.filter((value) => CODE.test(value) && formatsOf([value]).length === 0)
  return codes.length >= values.length * 0.6 && new Set(codes).size === codes.length
}

const areTimes = (values: readonly string[]) =>
  values.every((value) => /^\d{1,2}:\d{2}(:\d{2})?( ?[ap]\.?m\.?)?$/i.test(value))

function carrierOf(
  { carrierName }: Readonly<Record<string, string>>,
  numbers: readonly string[],
): Record<string, string> {
  const carriers = new Set(
    numbers.map((number) => readTrackingNumber(number)).map((read) => read?.isValid && read.carrier),
  )
  carriers.delete(false)
  const [carrier, ...others] = carriers
  if (carrierName !== undefined || !carrier || others.length > 0) return {}
  return { carrierName: carrier }
}

function statusesOf(
  values: readonly string[],
  given: Readonly<Record<string, string>>,
  open: OpenQuestion[],
): Record<string, string> {
  const statuses: Record<string, string> = {}
  const { status: statusOf } = applyMapping({ statuses: given })
  for (const text of new Set(values)) {
    if (statusOf(text) !== text) continue
    const status = statusInWords(text)
    if (status !== undefined) statuses[text] = status
    else {
      const what = `the status ${JSON.stringify(text)}`
      const flag = `--status ${quotedWord(`${text}=STATUS`)}`
      open.push({ kind: 'status', of: text, what, flag, choices: TRANSPORTATION_STATUSES })
    }
  }
  return { ...statuses, ...given }
}

/** Normalised headers in English, German, French, Spanish, Italian and Dutch; best first. */
const FIELDS = Object.entries(headerWords.fields).map(([field, list]) => ({
  field,
  patterns: list.map((source) => new RegExp(source)),
}))
const TIME = new RegExp(headerWords.time)

function readHeader(cells: readonly string[]) {
  const plain = cells.map(plainWords)
  const columns: Record<string, string> = {}
  for (const { field, patterns } of FIELDS) {
    for (const pattern of patterns) {
      const taken = Object.values(columns)
      const column = cells.find((cell, at) => pattern.test(plain[at] ?? '') && !taken.includes(cell))
      if (column === undefined) continue
      columns[field] = column
      break
    }
  }
  return { columns, timeColumn: cells[plain.findIndex((cell) => TIME.test(cell))] }
}

const SAMPLE_ROWS = 20
const DIGIT = /\d/

/**
 * Returns the index of the likeliest header: most cells without digits above columns with digits. -1 if no row has two
 * such cells.
 */
function headerByShape(rows: readonly (readonly string[])[]) {
  const scores = rows.map((cells, at) => {
    const names = cells.filter((cell) => cell !== '')
    if (new Set(names).size < names.length) return 0
    const below = rows.slice(at + 1, at + 1 + SAMPLE_ROWS)
    return cells.reduce((score, cell, column) => {
      const values = below.map((row) => row[column] ?? '').filter((value) => value !== '')
      const digits = values.filter((value) => DIGIT.test(value)).length
      if (cell === '' || values.length === 0) return score
      return DIGIT.test(cell) ? score - 1 : score + (digits > values.length / 2 ? 1 : 0)
    }, 0)
  })
  const best = Math.max(...scores)
  return best < 2 ? -1 : scores.indexOf(best)
}

const TOTAL_PATTERN =
  '^(grand )?(total|totals|summe|gesamt|gesamtsumme|totale|totaal|suma|somme|anzahl|count)\\b'
const TOTAL = new RegExp(TOTAL_PATTERN, 'i')

/**
 * Returns rules that leave out totals, and the status words of all other rows. A total begins with a word such as
 * `Summe`, as other rows may, but lacks a status or a return.
 */
function withoutTotals(
  { header, below }: { header: readonly string[]; below: readonly (readonly string[])[] },
  { id, status }: { id: string | undefined; status: string | undefined },
): { leaveOut: Mapping['leaveOut']; words: string[] } {
  const cellOf = (row: readonly string[], column = '') => row[header.indexOf(column)]?.trim() ?? ''
  const candidates =
    status === undefined ? [id] : header.filter((column) => column !== '' && column !== status)
  const leaveOut = candidates
    .filter((column) => column !== undefined)
    .filter((column) =>
      below.some((row) => TOTAL.test(cellOf(row, column)) && !(status && cellOf(row, status))),
    )
    .map((column) => ({ column, pattern: TOTAL_PATTERN, ...(status !== undefined && { blank: status }) }))
  const words = below
    .filter((row) => !TOTAL.test(cellOf(row, status)) || id === undefined || cellOf(row, id) !== '')
    .map((row) => cellOf(row, status))
  return { leaveOut, words: words.filter((word) => status !== undefined && word !== '') }
}
