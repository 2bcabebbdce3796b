import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { beginSurvey, tellSurvey, updatesPath, wordsRemedy } from './input.ts'
import { numberFinder } from './number-match.ts'
import { readingOf, rulesOf } from './push-job.ts'
import { numberDoubt, type UpdateRow } from './survey.ts'
import { mappedRowView } from './tracking.result.ts'
import { UpdateFile } from './update-file.ts'

/** @throws AppError `partial` if some rows can't be sent */
export async function checkMapping(context: Context, name: string, path: string) {
  const findByNumber = numberFinder(context)
  const rules = { ...(await rulesOf(context, {})), allowsFuture: true, findByNumber }
  const reading = await readingOf(context, { mapping: name })
  context.saveMemory()
  const input = await updatesPath(context, path)
  const file = await UpdateFile.open(input.path, input.name, reading, rules)
  const survey = await file.survey(await beginSurvey(context))
  let isPrinted = false
  const items = async function* () {
    for await (const batch of file.rows()) for (const row of batch) yield mappedRow(row)
    isPrinted = true
  }
  await context.renderList(items(), mappedRowView)
  if (!isPrinted) return
  await tellSurvey(context, file, survey)
  const { rows, invalid, problems } = survey
  if (invalid === 0) return
  throw new AppError('partial', `${invalid} of ${counted(rows, 'row')} can't be sent.`, {
    details: problems.details(wordsRemedy(path, name)),
    hints: problems.hints('--allow-unknown-status of tracking push sends statuses as they are'),
  })
}

function mappedRow({ raw, update, problems, unmatched }: UpdateRow) {
  const messages = problems.map(({ column, message }) => `${column} ${message}`.trim()).join('; ')
  const problem = unmatched?.message ?? messages
  const warning = update && numberDoubt(update)
  return { row: raw.row, ...(update ? { request: update } : { problem }), ...(warning && { warning }) }
}
