import { spool } from '../../bulk/rows/input-file.ts'
import type { Context } from '../../cli/context.ts'
import { temporaryInput } from '../../config/temporary-input.ts'
import { AppError, errorCode, nearest } from '../../errors.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { mappingStore } from '../../mappings/store.ts'
import { csvRow } from '../../output/formats/csv.ts'
import { counted } from '../../wire/counted.ts'
import { HASH_HINT } from '../../wire/return-names.ts'
import { type Destination, shopInEffect } from './destination.ts'
import { REPORT_FIELDS, type ReportField, type ReportOptions } from './report.ts'
import { ReportFile, type RowReading } from './report-file.ts'
import type { ReportRow, Survey, Surveying } from './survey.ts'

export interface RowFlags {
  file?: string | undefined
  map?: readonly string[] | undefined
  set?: readonly string[] | undefined
  mapping?: string | undefined
  errors?: string | undefined
  'skip-invalid'?: boolean | undefined
  /** The moment of what has no date need not be the platform's. */
  'dry-run'?: boolean | undefined
  isQuiet?: boolean | undefined
}

/** `--map` as field → column. @throws AppError `usage` */
function readMap(given: readonly string[] | undefined): Map<string, string> {
  return new Map(
    (given ?? []).map((text): [string, string] => {
      const [, field = '', column = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
      if (field !== '') return [field.trim(), column]
      throw new AppError('usage', `--map: ${JSON.stringify(text)} is not FIELD=COLUMN.`, {
        hints: ['--map trackingNumber="Tracking no."'],
      })
    }),
  )
}

/** `--set` as field → value. @throws AppError `usage` */
function readConstants(given: readonly string[] | undefined): Partial<Record<ReportField, string>> {
  const constants: Partial<Record<ReportField, string>> = {}
  for (const text of given ?? []) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
    const plain = name.trim().toLowerCase().replace(/[-_ ]/g, '')
    const field = REPORT_FIELDS.find((one) => one.toLowerCase() === plain)
    if (field === undefined) {
      const near = nearest(name, REPORT_FIELDS)
      throw new AppError('usage', `--set: ${JSON.stringify(text)} is not FIELD=VALUE.`, {
        hints: [near === undefined ? '--set carrierName=DHL' : `did you mean ${near}?`],
      })
    }
    if (constants[field] !== undefined) throw new AppError('usage', `--set gives ${field} twice.`)
    constants[field] = value
  }
  return constants
}

/** How the rows are read, as the flags say, which go before their mapping. @throws AppError `usage`, `not-found` */
export async function rowReading(
  { paths }: Pick<Context, 'paths'>,
  { map, set, mapping: name }: RowFlags,
): Promise<RowReading> {
  const mapping = name === undefined ? undefined : (await mappingStore(paths).read(name)).mapping
  const constants = { ...mapping?.constants, ...readConstants(set) }
  return { map: readMap(map), constants, mapping }
}

/** Puts standard input into a file, gone when the command ends. @throws AppError `usage` if none is given */
export async function inputPath(
  context: Pick<Context, 'io' | 'onClose' | 'paths' | 'untilInterrupted'>,
  file: string | undefined,
): Promise<{ path: string; name: string }> {
  if (file === undefined) {
    throw new AppError('usage', 'Neither a shipment nor a file was named.', {
      hints: [
        'rma tracking push R#-1001 --status SHIPPING_IN_PROGRESS',
        'rma tracking push --file updates.csv',
        HASH_HINT,
      ],
    })
  }
  if (file !== '-') return { path: file, name: file }
  const path = await temporaryInput(context)
  await context.untilInterrupted(spool(context.io.stdin, path))
  return { path, name: 'The standard input' }
}

export interface ReadingRows {
  options: ReportOptions
  reading: RowReading
  /** Chooses the counted rows; default all. */
  isMine?: ((row: ReportRow) => boolean) | undefined
  /** To be asked for the time there where a date hangs on it; without it the options' moment is right. */
  destination?: (() => Promise<Destination>) | undefined
}

/** Says what is to be said about the rows. @throws AppError `usage` for bad ones */
export async function openReports(
  context: Context,
  { path, name }: { path: string; name: string },
  flags: RowFlags,
  { options, reading, isMine, destination }: ReadingRows,
): Promise<{ file: ReportFile; survey: Survey }> {
  const surveying = await beginSurvey(context)
  const surveyed = async (file: ReportFile) => ({ file, survey: await file.survey({ ...surveying, isMine }) })
  let read = await surveyed(await ReportFile.open(path, name, reading, options))
  const { future, undated } = read.survey.timings
  if (destination && future + (flags['dry-run'] ? 0 : undated) > 0) {
    const { sandboxNow } = await destination()
    if (sandboxNow !== undefined) read = await surveyed(read.file.at(sandboxNow))
  }
  const { file, survey } = read
  if (flags.errors !== undefined) await writeErrors(flags.errors, file)
  if (!flags['skip-invalid']) refuseRows(file, survey, flags)
  if (!flags.isQuiet) await tellSurvey(context, file, survey)
  return read
}

export async function beginSurvey(context: Context): Promise<Surveying> {
  context.progress.start('Reading rows')
  return {
    shop: await shopInEffect(context),
    onProgress: (rows, total) => {
      context.assertNotInterrupted()
      context.progress.update(
        total === undefined ? `Reading rows: ${rows}` : `Checking rows: ${rows} of ${total}`,
      )
    },
  }
}

export async function tellSurvey(
  context: Pick<Context, 'note' | 'warn'>,
  { mapping, source }: ReportFile,
  survey: Survey,
): Promise<void> {
  const { invalid, repeated, contradictions, spoiltNumbers, oddTimes, unknownStatuses } = survey
  if (source.sheet && source.sheet.sheets > 1) {
    await context.note(`Reading the sheet ${source.sheet.name} of ${source.sheet.sheets}`)
  }
  const ignored = mapping.ignored()
  if (ignored.length > 0) await context.note(`Columns that are not sent: ${ignored.join(', ')}`)
  if (invalid > 0)
    await context.warn(
      `${counted(invalid, "row can't be sent and is", "rows can't be sent and are")} left out`,
    )
  if (repeated > 0)
    await context.warn(
      `${counted(repeated, 'row repeats an earlier one and is', 'rows repeat an earlier one and are')} left out`,
    )
  if (unknownStatuses.size > 0) {
    await context.warn(
      `The specification does not know the status ${[...unknownStatuses].slice(0, 10).join(', ')}`,
    )
  }
  for (const [{ found, count }, one, many] of [
    [contradictions, 'contradiction between rows', 'contradictions between rows'],
    [spoiltNumbers, 'wrong tracking number', 'wrong tracking numbers'],
    [oddTimes, 'time that the clocks skip or show twice', 'times that the clocks skip or show twice'],
  ] as const) {
    for (const { row, message } of found) await context.warn(`row ${row}: ${message}`)
    const more = count - found.length
    if (more > 0) await context.warn(`and ${counted(more, `more ${one}`, `more ${many}`)}`)
  }
}

/** @throws AppError `usage` that says what is wrong, by kind */
function refuseRows(
  { source }: ReportFile,
  { rows, invalid, problems }: Survey,
  { errors, file = 'FILE' }: { errors?: string | undefined; file?: string | undefined },
): void {
  if (invalid === 0) return
  const all = errors === undefined ? '--errors FILE writes down every row' : `every row is in ${errors}`
  throw new AppError(
    'usage',
    `${source.name}: ${invalid} of ${counted(rows, 'row')} can't be sent; nothing was sent.`,
    {
      details: problems.details(`add it with: rma mappings init ${file}`),
      hints: [
        ...problems.hints('--allow-unknown-status sends statuses as they are'),
        all,
        '--skip-invalid sends the others',
      ],
    },
  )
}

const HEADER = csvRow(['row', 'column', 'value', 'problem', 'remedy'])

/** Every row that can't be sent, a line for each thing that is wrong; without one, the header alone. */
async function writeErrors(path: string, file: ReportFile): Promise<void> {
  try {
    await replaceFile(path, async (write) => {
      write(HEADER)
      for await (const batch of file.rows()) {
        for (const { problems } of batch) {
          for (const { row, column, value, message, hint } of problems) {
            write(csvRow([row, column, value, message, hint]))
          }
        }
      }
    })
  } catch (cause) {
    const code = errorCode(cause)
    if (cause instanceof AppError || code === undefined) throw cause
    throw new AppError('config', `${path} can't be written: ${code}.`, {
      hints: ['choose another --errors'],
      cause,
    })
  }
}
