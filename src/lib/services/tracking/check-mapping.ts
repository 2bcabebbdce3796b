import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { mappedRowView } from '../../output/views/mappings.ts'
import { counted } from '../../wire/counted.ts'
import { inputPath, openReports, rowReading } from './input.ts'
import { reportOptions } from './push-one.ts'
import type { ReportFile } from './report-file.ts'
import { numberDoubt } from './spoilt-numbers.ts'

/** Shows what every row of an export becomes. @throws AppError `partial` if some can't be sent */
export async function checkMapping(context: Context, name: string, path: string): Promise<void> {
  await context.checkOutput(mappedRowView)
  const options = { ...(await reportOptions(context, {})), allowsFuture: true }
  const reading = await rowReading(context, { mapping: name })
  const input = await inputPath(context, path)
  const { file, survey } = await openReports(context, input, { 'skip-invalid': true }, { options, reading })
  await context.render({ kind: 'list', items: mappedRows(file), view: mappedRowView })
  const { rows, invalid, problems } = survey
  if (invalid === 0) return
  throw new AppError('partial', `${invalid} of ${counted(rows, 'row')} can't be sent.`, {
    details: problems.details(
      `add it with: rma mappings init ${path} --name ${name} --force --status TEXT=STATUS`,
    ),
    hints: problems.hints('--allow-unknown-status of tracking push sends statuses as they are'),
  })
}

async function* mappedRows(file: ReportFile) {
  for await (const batch of file.rows()) {
    for (const { raw, report, problems } of batch) {
      const problem = problems.map(({ column, message }) => `${column} ${message}`.trim()).join('; ')
      const warning = report && numberDoubt(report)
      yield { row: raw.row, ...(report ? { request: report } : { problem }), ...(warning && { warning }) }
    }
  }
}
