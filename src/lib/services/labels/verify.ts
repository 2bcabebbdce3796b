import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { verifyFolder } from '../../labels/folder/manifest.ts'
import { counted } from '../../wire/counted.ts'

/** The state of each label of a folder. `checkWhole` is to be asked when they have been printed. */
export async function verifiedResult(
  directory: string,
  context: Pick<Context, 'note' | 'shellLine'>,
): Promise<{ check: Awaited<ReturnType<typeof verifyFolder>>; checkWhole: () => void }> {
  const check = await verifyFolder(directory)
  const { labels, unlisted } = check
  const bad = labels.filter(({ state }) => state !== 'ok')
  if (unlisted.length > 0) {
    await context.note(
      `Not in the manifest: ${unlisted.slice(0, 10).join(', ')}${unlisted.length > 10 ? ' …' : ''}`,
    )
  }
  if (bad.length === 0)
    await context.note(
      labels.length === 1
        ? 'The label is what was saved'
        : `All ${counted(labels.length, 'label')} are what was saved`,
    )
  const words = ['labels', 'download', 'ID', '--out', directory, '--force']
  const again = await context.shellLine(words, undefined)
  const checkWhole = () => {
    if (bad.length === 0) return
    throw new AppError(
      'partial',
      `${bad.length} of ${counted(labels.length, 'label')} ${bad.length === 1 ? 'is' : 'are'} not what was saved.`,
      {
        details: bad.map(({ path, problem }) => ({ path, message: problem ?? 'changed' })),
        hints: [`fetch them again: ${again}`],
      },
    )
  }
  return { check, checkWhole }
}
