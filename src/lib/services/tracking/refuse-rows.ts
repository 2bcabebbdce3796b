import { AppError, errorCode } from '../../errors.ts'
import { replaceFile } from '../../files/temporary-file.ts'
import { csvRow } from '../../output/formats/csv.ts'
import { counted } from '../../wire/counted.ts'
import type { ReportFile } from './report-file.ts'
import type { Survey } from './survey.ts'

/** @throws AppError `usage` that says what is wrong, by kind */
export function refuseRows(
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
export async function writeErrors(path: string, file: ReportFile): Promise<void> {
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
