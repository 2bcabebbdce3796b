import { resolve } from 'node:path'
import { isSameColumn } from '../../bulk/rows/columns.ts'
import { unseenRows } from '../../bulk/rows/row.ts'
import type { Context } from '../../cli/context.ts'
import { merchantOf } from '../../config/merchant.ts'
import { inputPath } from '../../config/paths.ts'
import { AppError, quotedWord, usageError } from '../../errors.ts'
import { unwritten } from '../../files/file-failure.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { csvRow } from '../../output/formats/csv.ts'
import { counted } from '../../wire/counted.ts'
import { HASH_HINT } from '../../wire/return-names.ts'
import { tellUnmatched } from './by-number.ts'
import { isInShard } from './job-rows.ts'
import type { RowFlags } from './push-flags.ts'
import type { PushJob } from './push-job.ts'
import type { Surveying, UpdateRow } from './survey.ts'
import { type Survey, UpdateFile } from './update-file.ts'

/** @throws AppError `usage` without a file */
export async function updatesPath(context: Context, file: string | undefined) {
  if (file === undefined) {
    throw usageError(
      'Neither a shipment nor a file was named.',
      'rma tracking push R#-1001 --status SHIPPING_IN_PROGRESS',
      'rma tracking push --file updates.csv',
      HASH_HINT,
    )
  }
  return inputPath(context, file)
}

/** @throws AppError `usage` for bad rows */
export async function openUpdates(
  context: Context,
  { path, name }: { path: string; name: string },
  flags: RowFlags & { isQuiet?: boolean },
  { rules, reading, shard, destination, remedy }: PushJob,
) {
  if (flags.errors !== undefined && resolve(flags.errors) === resolve(path))
    throw usageError(`--errors would replace ${name}.`)
  const surveying = { ...(await beginSurvey(context)), isMine: (row: UpdateRow) => isInShard(row, shard) }
  let file = await UpdateFile.open(path, name, reading, rules)
  let survey = await file.survey(surveying)
  const { future, undated } = survey.timings
  if (destination && future + (flags['dry-run'] ? 0 : undated) > 0) {
    const { sandboxNow } = await destination()
    if (sandboxNow !== undefined) {
      file = file.at(sandboxNow)
      survey = await file.survey(surveying)
    }
  }
  if (flags.errors !== undefined) await writeErrors(flags.errors, file)
  if (!flags['skip-invalid']) refuseRows(file, survey, flags, remedy)
  if (!flags.isQuiet) await tellSurvey(context, file, survey, shard && ' (in the whole file)')
  await tellUnmatched(context, survey, flags)
  return { file, survey }
}

export async function beginSurvey(context: Context): Promise<Surveying> {
  context.progress.start('Reading rows')
  return {
    // The shop may be known to the platform only.
    shop: merchantOf(await context.settingsWithToken()).shops.join('\n') || undefined,
    onProgress: (rows, total) => {
      context.assertNotInterrupted()
      context.progress.update(
        total === undefined ? `Reading rows: ${rows}` : `Checking rows: ${rows} of ${total}`,
      )
    },
  }
}

export async function tellSurvey(
  context: Context,
  { mapping, source, reading }: UpdateFile,
  survey: Survey,
  where = '',
) {
  const { invalid, repeated, contradictions, spoiltNumbers, oddTimes, unknownStatuses, timings } = survey
  if (source.sheet && source.sheet.sheets > 1) {
    await context.note(`Reading the sheet ${source.sheet.name} of ${source.sheet.sheets}`)
  }
  const timeColumn = reading.mapping?.date?.timeColumn ?? ''
  const ignored = mapping.ignored().filter((column) => !isSameColumn(column, timeColumn))
  if (ignored.length > 0) await context.note(`Columns that are not sent: ${ignored.join(', ')}`)
  const { undated } = timings
  if (reading.mapping && undated > 0)
    await context.note(`${counted(undated, 'row has', 'rows have')} no date: sent as of now`)
  const leftOut = async (count: number, one: string, many: string) => {
    if (count > 0) await context.warn(`${counted(count, one, many)} left out${where}`)
  }
  for (const text of unseenRows(source)) await context.warn(text)
  await leftOut(invalid, "row can't be sent and is", "rows can't be sent and are")
  await leftOut(repeated, 'row repeats an earlier one and is', 'rows repeat an earlier one and are')
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

export function wordsRemedy(file: string | undefined, mapping: string | undefined): string {
  const named = file === undefined || file === '-' ? 'FILE' : quotedWord(file)
  const replaced = mapping === undefined ? '' : ` --name ${mapping} --force --status TEXT=STATUS`
  return `add it with: rma mappings init ${named}${replaced}`
}

function refuseRows(
  { source }: UpdateFile,
  { rows, invalid, problems }: Survey,
  { errors, file, mapping }: RowFlags,
  remedy: string | undefined,
) {
  if (invalid === 0) return
  const all = errors === undefined ? '--errors FILE writes down every row' : `every row is in ${errors}`
  throw new AppError(
    'usage',
    `${source.name}: ${invalid} of ${counted(rows, 'row')} can't be sent; nothing was sent.`,
    {
      details: problems.details(remedy ?? wordsRemedy(file, mapping)),
      hints: remedy
        ? [remedy]
        : [
            ...problems.hints('--allow-unknown-status sends statuses as they are'),
            all,
            '--skip-invalid sends the others',
          ],
    },
  )
}

const HEADER = csvRow(['row', 'column', 'value', 'problem', 'remedy'])

async function writeErrors(path: string, file: UpdateFile) {
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
    throw unwritten(cause, path, '--errors', 'config')
  }
}
