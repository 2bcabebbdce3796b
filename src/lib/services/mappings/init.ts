import { basename } from 'node:path'
import { assertSingle } from '../../bulk/rows/columns.ts'
import type { Context } from '../../cli/context.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { matchWord } from '../../config/flag-values.ts'
import { inputPath } from '../../config/paths.ts'
import { AppError, nearHints, quotedWord, usageError } from '../../errors.ts'
import { saveAgreedWords } from '../../mappings/agreed-words.ts'
import { MAPPED_FIELDS, readConstants } from '../../mappings/constants.ts'
import { formatProblem } from '../../mappings/date-format.ts'
import type { Detected } from '../../mappings/detect.ts'
import { detectInFile } from '../../mappings/detect-in-file.ts'
import type { Answers, Mapping, OpenQuestion } from '../../mappings/mapping.ts'
import { statusInWords, TRANSPORT_WORDS } from '../../mappings/status-words.ts'
import { mappingStore } from '../../mappings/store.ts'
import { TRANSPORTATION_STATUSES } from '../../wire/enumerations.ts'
import { mappingView } from './mappings.result.ts'
import { withOld, withRest } from './replace.ts'

export const initFlags = {
  name: textFlag('NAME', 'Name of the mapping; by default that of the file'),
  map: listFlag('FIELD=COLUMN', 'The column of a field, where that can not be told; repeatable'),
  set: listFlag('FIELD=VALUE', 'A value for every row; repeatable'),
  status: listFlag(
    'TEXT=STATUS',
    'What a word of the status column stands for; /…/ is a pattern; repeatable',
  ),
  'date-format': textFlag('FORMAT', "As the dates are written: 'DD.MM.YYYY HH:mm'"),
  by: textFlag('tracking-number', 'No column names the return: rows are found by their tracking numbers', {
    options: ['tracking-number'],
  }),
  sheet: textFlag('NAME', 'The sheet of a workbook'),
  force: switchFlag('Replace the mapping of that name'),
}

type InitFlags = Partial<FlagValues<typeof initFlags>>

/** Asks on a terminal for what the export does not tell. @throws AppError `usage` */
export async function initMapping(context: Context, file: string, flags: InitFlags) {
  const { timeZone } = await context.settings()
  const store = mappingStore(context.paths)
  const name = flags.name ?? nameFor(file)
  const path = store.pathOf(name)
  if (!flags.force && (await store.names()).includes(name)) {
    throw usageError(`There is a mapping ${name}.`, '--force replaces it, --name gives another')
  }
  const { mapping: known, path: own } = (await store.allNames()).includes(name)
    ? await store.read(name)
    : { mapping: undefined, path: null }
  const old = own === null ? undefined : known
  const statuses = { ...known?.statuses, ...statusesOf(pairs('--status', flags.status)) }
  const typed = {
    zone: timeZone.source === 'flag' ? timeZone.value : undefined,
    columns: pairs('--map', flags.map),
    constants: readConstants(flags.set ?? []),
    byNumber: flags.by !== undefined,
    dateFormat: flags['date-format'],
  }
  const answers = {
    ...withOld(typed, old ?? (known && { constants: known.constants }), timeZone.value),
    statuses,
  }
  assertKnown(answers)
  const sheet = flags.sheet ?? old?.sheet
  const input = await inputPath(context, file)
  const { mapping: found, open } = await settle(context, answers, (given) =>
    look({ ...input, sheet }, typed.columns, given),
  )
  const { commonWords = false } = known ?? {}
  const mapping = old === undefined ? { ...found, commonWords } : withRest(found, old)
  if (mapping.date) await context.timeZone()
  await store.write(name, mapping)
  await saveAgreedWords(context.paths, name, mapping.statuses)
  await context.render({ kind: 'record', record: { name, path, ...mapping }, view: mappingView })
  const guessed = Object.entries(mapping.statuses).filter(
    ([word]) => statuses[word] === undefined && statusInWords(word) !== undefined,
  )
  for (const [word, status] of guessed)
    await context.note(`guessed: ${JSON.stringify(word)} becomes ${status}`)
  if (mapping.columns.trackingStatus !== undefined && Object.keys(mapping.statuses).length === 0)
    await context.warn(
      `No row has a status: tell what each means with --status 'TEXT=STATUS', or a file with rows`,
    )
  await warnOfOtherZone(context, mapping)
  for (const { what, flag } of open) await context.warn(`can't tell ${what}: ${flag}`)
  await context.note(`See what every row becomes: rma mappings check ${name} ${quotedWord(file)}`)
}

async function warnOfOtherZone(context: Context, { columns: { trackingDate = '' }, date }: Mapping) {
  const inHeader = /\b(UTC|GMT)\b/.exec(trackingDate)?.[1]
  if (inHeader === undefined || date === undefined || /\b(UTC|GMT)$/.test(date.zone)) return
  await context.warn(
    `"${trackingDate}" says ${inHeader}, but dates are read in ${date.zone}: --time-zone UTC --force`,
  )
}

function nameFor(file: string) {
  const name = basename(file)
    .replace(/\.\w+$/, '')
    .replace(/[^\w.-]+/g, '-')
  if (/[A-Za-z0-9]/.test(name)) return name
  const what = file === '-' ? 'Standard input' : JSON.stringify(file)
  throw usageError(
    `${what} can't name a mapping.`,
    'name the file of the export: rma mappings init export.csv',
    'and the mapping: --name NAME',
  )
}

async function look(
  file: Parameters<typeof detectInFile>[0],
  columns: Readonly<Record<string, string>>,
  answers: Answers,
) {
  const found = await detectInFile(file, answers)
  const wrong = Object.entries(columns).find(([, column]) => !found?.header.includes(column))
  if (found && wrong === undefined) {
    assertSingle(file.name, found.header, Object.values(found.mapping.columns))
    return found
  }
  const problem = found && wrong ? `no column "${wrong[1]}"; it has: ${found.header.join(', ')}` : undefined
  throw usageError(
    `${file.name}: ${problem ?? 'no row looks like a header (JSON needs no mapping)'}.`,
    'name the columns as the header does: --map FIELD=COLUMN',
  )
}

/** Turns words of tables into codes. */
function statusesOf(given: Answers['statuses']): Answers['statuses'] {
  const code = (typed: string) => matchWord('--status', typed, TRANSPORT_WORDS) ?? typed
  return given && Object.fromEntries(Object.entries(given).map(([text, status]) => [text, code(status)]))
}

/** Refuses answers that would fail in use. @throws AppError `usage` */
function assertKnown({ columns = {}, statuses = {}, dateFormat }: Answers) {
  const refuse = (flag: string, what: string, near: readonly string[] = []) => {
    throw usageError(`${flag}: ${what}.`, ...near)
  }
  const assertAmong = (known: readonly string[], words: readonly string[], flag: string, what: string) => {
    const wrong = words.find((word) => !known.includes(word))
    if (wrong === undefined) return
    refuse(flag, `there is no ${what} "${wrong}"; there are: ${known.join(', ')}`, nearHints(wrong, known))
  }
  assertAmong(MAPPED_FIELDS, Object.keys(columns), '--map', 'field')
  assertAmong(TRANSPORTATION_STATUSES, Object.values(statuses), '--status', 'status')
  const pattern = Object.keys(statuses).find((text) => /^\/.+\/$/.test(text) && !isPattern(text.slice(1, -1)))
  if (pattern !== undefined) refuse('--status', `${pattern} is not a regular expression`)
  const problem = dateFormat === undefined ? undefined : formatProblem(dateFormat)
  if (problem !== undefined) refuse('--date-format', `"${dateFormat}" ${problem}`)
}

function isPattern(source: string) {
  try {
    return new RegExp(source).source !== ''
  } catch {
    return false
  }
}

/**
 * Asks one question after another: an answer may settle or raise others. @throws AppError `usage` if a needed
 * column stays unknown
 */
async function settle(
  { questions }: Context,
  given: Answers,
  detect: (answers: Answers) => Promise<Detected>,
) {
  const askedPoints = new Set<string>()
  let answers = given
  for (;;) {
    const detected = await detect(answers)
    const keyOf = ({ kind, of }: OpenQuestion) => `${kind} ${of}`
    const next = questions.canAsk ? detected.open.find((point) => !askedPoints.has(keyOf(point))) : undefined
    if (next === undefined) {
      refuseMissing(detected)
      return detected
    }
    askedPoints.add(keyOf(next))
    answers = await askQuestion(questions, next, answers)
  }
}

const ATTEMPTS = 3

const NO_COLUMN = 'none: rows are found by their tracking numbers'

async function askQuestion(questions: Context['questions'], point: OpenQuestion, answers: Answers) {
  const { of, isNeeded, choices = [] } = point
  const isName = of === 'shipmentId' && isNeeded
  const answer = await chosen(questions, isName ? { ...point, choices: [...choices, NO_COLUMN] } : point)
  if (answer === undefined) return answers
  if (answer === NO_COLUMN) return { ...answers, byNumber: true }
  if (point.kind === 'date') return { ...answers, dateFormat: answer }
  const field = point.kind === 'column' ? 'columns' : 'statuses'
  return { ...answers, [field]: { ...answers[field], [point.of]: answer } }
}

/** Returns undefined for Enter alone. */
async function chosen(questions: Context['questions'], { kind, what, choices = [] }: OpenQuestion) {
  const list = choices.map((choice, at) => `  ${at + 1}  ${choice}\n`).join('')
  const form = list === '' ? 'as DD.MM.YYYY HH:mm' : `1-${choices.length}`
  const question = `Can't tell ${what}.\n${list}${kind === 'status' ? 'What does it stand for?' : 'Which one is it?'} (${form}, Enter leaves it open):`
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const answer = await questions.askText(
      attempt === 0 ? question : `${form}, or Enter:`,
      'nothing was written',
    )
    if (answer === '') return undefined
    if (list === '' && formatProblem(answer) === undefined) return answer
    const byNumber = choices[Number(answer) - 1]
    const found = byNumber ?? choices.find((choice) => choice.toLowerCase() === answer.toLowerCase())
    if (found !== undefined) return found
  }
  return undefined
}

function refuseMissing({ open, header }: Detected) {
  if (!open.some(({ isNeeded }) => isNeeded)) return
  throw new AppError('usage', 'Needed columns or statuses are unknown; nothing was written.', {
    details: open.map(({ what, flag }) => ({ message: `can't tell ${what}: ${flag}` })),
    hints: [`columns are: ${header.join(', ')}`, '--by tracking-number, if no column names the return'],
  })
}

function pairs(flag: string, given: readonly string[] = []): Record<string, string> {
  return Object.fromEntries(
    given.map((text) => {
      const [, name = '', value = ''] = /^(.+)=([^=]+)$/.exec(text) ?? []
      if (name !== '') return [name.trim(), value.trim()]
      throw usageError(`${flag}: ${JSON.stringify(text)} has no "=".`)
    }),
  )
}
