import type { NewJob } from '../../bulk/job/job-folder.ts'
import { failedCsv } from '../../bulk/rows/failed-csv.ts'
import type { Context } from '../../cli/context.ts'
import { temporaryInput } from '../../config/paths.ts'
import { AppError } from '../../errors.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { counted } from '../../wire/counted.ts'
import { isInShard, jobRows } from './job-rows.ts'
import { PlanFile, type PlanHeader, writePlan } from './plan/plan-file.ts'
import type { RowFlags } from './push-flags.ts'
import type { Survey, UpdateFile } from './update-file.ts'

/** @throws AppError `usage` for `--unknown refuse` */
export async function tellUnmatched(context: Context, survey: Survey, flags: RowFlags) {
  const { unmatched, ambiguous, rows } = survey
  if (unmatched.count === 0) return
  const several = ambiguous > 0 ? ` (${ambiguous} of several returns)` : ''
  const what = `${unmatched.count} of ${counted(rows, 'tracking number')} can't be told to be of one return${several}`
  if (flags.unknown === 'refuse') {
    throw new AppError('usage', `${what}; nothing was sent.`, {
      details: unmatched.found.map(({ row, message }) => ({ path: `row ${row}`, message })),
      hints: ['without --unknown refuse they are skipped'],
    })
  }
  await context.warn(`${what}: skipped`)
}

/** Writes the skipped rows unchanged, with the reason. */
export async function writeUnmatched(
  context: Context,
  file: UpdateFile,
  path: string,
  shard?: NewJob['shard'],
) {
  const csv = failedCsv(file.columns())
  await replaceFile(path, async (write) => {
    write(csv.header)
    for await (const batch of jobRows(file, { shard })) {
      for (const { source, work } of batch)
        if (source.update === undefined && work.skip) write(csv.line(source.raw, work.skip, source.problems))
    }
  })
  await context.note(`Skipped rows are in ${path}`)
}

/** Columns of the file, which the plan's job uses for failed rows. */
export function originalOf({ source, reading }: UpdateFile): PlanHeader['original'] {
  return source.header && { columns: [...source.header], reading }
}

/** Writes a plan with the returns found, so that a resume looks up no number again. */
export async function writeMatched(context: Context, file: UpdateFile, shard: NewJob['shard']) {
  const path = await temporaryInput(context)
  const { name, sha256 } = file.source
  const original = originalOf(file)
  const header = {
    rmaPlan: 1,
    input: name,
    sha256,
    created: context.timestamp,
    by: 'tracking-number',
    original,
  } as const
  const totals = await writePlan(path, header, async (add) => {
    for await (const batch of file.rows()) {
      for (const row of batch) {
        const { update: request, isRepeated, raw } = row
        // All count as new, since nothing is compared with the platform.
        if (request && !isRepeated && isInShard(row, shard))
          add({ row: raw.row, verdict: 'new', request, cells: original && raw.cells })
      }
    }
  })
  return { input: await PlanFile.open(path), path, total: totals.new }
}
