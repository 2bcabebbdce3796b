import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { mappedRowView } from './check-mapping.result.ts'
import { beginSurvey, tellSurvey, updatesPath, wordsRemedy } from './input.ts'
import { numberFinder } from './number-match.ts'
import { readingOf, rulesOf } from './push-job.ts'
import type { Survey, UpdateRow } from './survey.ts'
import { numberDoubt } from './survey.ts'
import { UpdateFile } from './update-file.ts'

/** @throws AppError `partial` if some rows can't be sent */
export async function checkMapping(context: Context, name: string, path: string): Promise<void> {
  const findByNumber = numberFinder(context)
  const rules = { ...(await rulesOf(context, {})), allowsFuture: true, findByNumber }
  const reading = await readingOf(context, { mapping: name })
  context.spareMemory()
  const input = await updatesPath(context, path)
  const file = await UpdateFile.open(input.path, input.name, reading, rules)
  const looked = mappedRows(file.surveyed(await beginSurvey(context)))
  let survey: Survey | undefined
  const items = async function* () {
    survey = yield* looked
  }
  await context.render({ kind: 'list', items: items(), view: mappedRowView })
  if (survey === undefined) return
  await tellSurvey(context, file, survey)
  const { rows, invalid, problems } = survey
  if (invalid === 0) return
  throw new AppError('partial', `${invalid} of ${counted(rows, 'row')} can't be sent.`, {
    details: problems.details(wordsRemedy(path, name)),
    hints: problems.hints('--allow-unknown-status of tracking push sends statuses as they are'),
  })
}

async function* mappedRows(batches: AsyncGenerator<UpdateRow[], Survey>) {
  let step = await batches.next()
  while (!step.done) {
    for (const { raw, update, problems, unmatched } of step.value) {
      const messages = problems.map(({ column, message }) => `${column} ${message}`.trim()).join('; ')
      const problem = unmatched?.message ?? messages
      const warning = update && numberDoubt(update)
      yield { row: raw.row, ...(update ? { request: update } : { problem }), ...(warning && { warning }) }
    }
    step = await batches.next()
  }
  return step.value
}
