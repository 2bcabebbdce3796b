import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { verifyFolder } from '../../labels/folder/manifest.ts'
import { counted } from '../../wire/counted.ts'

/** `checkWhole` is for after the printing. */
export async function verifyLabels(directory: string, context: Context) {
  const { labels, unlisted } = await verifyFolder(directory)
  const bad = labels.filter(({ state }) => state !== 'ok')
  if (unlisted.length > 0) {
    await context.note(
      `Not in the manifest: ${unlisted.slice(0, 10).join(', ')}${unlisted.length > 10 ? ' …' : ''}`,
    )
  }
  if (bad.length === 0) {
    const what = labels.length === 1 ? 'The label is' : `All ${counted(labels.length, 'label')} are`
    await context.note(`${what} what was saved`)
  }
  const ids = [...new Set(bad.map(({ clientShipmentId }) => clientShipmentId))].slice(0, 10)
  const again = await context.shellLine(['labels', 'download', ...ids, '--out', directory, '--force'])
  return {
    labels,
    unlisted,
    checkWhole(): void {
      if (bad.length === 0) return
      const what = `${bad.length} of ${counted(labels.length, 'label')} ${bad.length === 1 ? 'is' : 'are'}`
      throw new AppError('partial', `${what} not what was saved.`, {
        details: bad.map(({ path, problem }) => ({ path, message: problem ?? 'changed' })),
        hints: [`fetch them again: ${again}`],
      })
    },
  }
}
