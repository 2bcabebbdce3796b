import { hash } from 'node:crypto'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { AppError, appError, errorCode, quotedWord, usageError } from '../../errors.ts'
import { digestFile } from '../../files/file-digest.ts'
import { fileFailure } from '../../files/file-failure.ts'
import { makeFolders } from '../../files/make-folder.ts'
import { writeNewFile } from '../../files/write-new-file.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'
import type { Return } from '../../wire/returns.ts'
import { sampleFiles } from './sample-files.ts'

export const sampleSchema = lazySchema((z, { text }) =>
  z.object({
    path: text,
    outcome: z.enum(['written', 'unchanged']),
    command: text.describe('Command that takes the file'),
  }),
)

type WrittenSample = RecordOf<typeof sampleSchema>

export const samplesView: View<WrittenSample> = {
  columns: [
    { name: 'path', header: 'FILE' },
    'outcome',
    { name: 'command', header: 'TRY', identifies: true },
  ],
  leastImportant: ['outcome'],
  schema: sampleSchema,
  empty: 'No samples',
}

const OTHER_FOLDER = 'another one: rma samples DIR'

/** @throws AppError `usage` for a live platform, and where files are there with other content */
export async function writeSamples(
  context: Context,
  { folder, force }: { folder: string; force: boolean },
): Promise<WrittenSample[]> {
  context.progress.start('Reading returns')
  const files = sampleFiles(await waitingReturns(context))
  if (!force) await refuseOthers(folder, files)
  await makeFolders(folder).catch((error: unknown) => {
    if (['EEXIST', 'ENOTDIR'].includes(errorCode(error) ?? '')) {
      throw usageError(`${folder} is not a folder.`, OTHER_FOLDER)
    }
    throw fileFailure(error, "The samples can't be written", folder, OTHER_FOLDER)
  })
  const written: WrittenSample[] = []
  for (const { name, content, line, isInput } of files) {
    const path = join(folder, name)
    const sample = { what: `sample ${name}`, path, content: [Buffer.from(content)], force }
    const { unchanged } = await writeNewFile({ ...sample, signal: context.io.interrupt })
    const words = line.split(' ').map((word) => (word === 'FILE' ? path : word))
    const typed = await context.shellLine(words)
    const command = isInput ? `${typed} < ${quotedWord(path)}` : typed
    written.push({ path, outcome: unchanged ? 'unchanged' : 'written', command })
  }
  return written
}

async function waitingReturns(context: Context): Promise<Return[]> {
  const { records, sandboxId } = await (await context.connection.returns()).listPage(
    { status: 'PENDING' },
    500,
  )
  if (sandboxId === undefined) {
    throw usageError(
      'Samples are made of returns of the sandbox, and this is a live platform.',
      'rma samples --profile mock',
    )
  }
  const waiting = records.filter((one) => one.activeTransportation?.status === 'REQUESTED')
  if (waiting.length > 0) return waiting
  throw appError(
    'not-found',
    'No return of the sandbox waits for its parcel.',
    'fresh demo data: rma sandbox reset',
  )
}

async function refuseOthers(folder: string, files: ReturnType<typeof sampleFiles>) {
  const others: string[] = []
  for (const { name, content } of files) {
    const found = await digestFile(join(folder, name))
    const sha256 = hash('sha256', content)
    if (found === 'other' || (found && found.sha256 !== sha256)) others.push(join(folder, name))
  }
  if (others.length === 0) return
  throw new AppError('usage', 'No sample was written: files are there with other content.', {
    details: others.map((path) => ({ path, message: 'has other content' })),
    hints: ['another folder: rma samples DIR', '--force replaces the files'],
  })
}
