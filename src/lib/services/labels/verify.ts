import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { type ManifestEntry, verifyFolder } from '../../labels/folder/manifest.ts'
import { counted } from '../../wire/counted.ts'
import { grouped } from '../../wire/raw.ts'
import { verifiedLabelsView } from './labels.result.ts'

const MAX_NAMED = 10

/** Returns the shop of an origin if it names one. A digest identifies a token instead. */
function shopOf({ origin = '' }: ManifestEntry) {
  return /^\S+ (?![\da-f]{16}$)(\S+)$/.exec(origin)?.[1]
}

/** @throws AppError `partial` if a file is not what was saved */
export async function verifyLabels(directory: string, context: Context) {
  context.progress.start('Comparing labels')
  const { labels, unlisted } = await verifyFolder(directory)
  const bad = labels.filter(({ state }) => state !== 'ok')
  if (unlisted.length > 0) {
    await context.note(
      `Not in the manifest: ${unlisted.slice(0, MAX_NAMED).join(', ')}${unlisted.length > MAX_NAMED ? ' …' : ''}`,
    )
  }
  if (bad.length === 0) {
    const what = labels.length === 1 ? 'The label is' : `All ${counted(labels.length, 'label')} are`
    await context.note(`${what} what was saved`)
  }
  const hints: string[] = []
  for (const [shop, entries] of grouped(bad, shopOf)) {
    const ids = [...new Set(entries.map(({ clientShipmentId }) => clientShipmentId))]
    const line = await context.shellLine(
      ['labels', 'download', ...ids.slice(0, MAX_NAMED), '--out', directory, '--force'],
      shop,
    )
    hints.push(`fetch them again${ids.length > MAX_NAMED ? ` (${MAX_NAMED} of ${ids.length})` : ''}: ${line}`)
  }
  await context.renderList(labels, verifiedLabelsView, 'labels', () => ({ unlisted }))
  if (bad.length === 0) return
  const what = `${bad.length} of ${counted(labels.length, 'label')} ${bad.length === 1 ? 'is' : 'are'}`
  throw new AppError('partial', `${what} not what was saved.`, {
    details: bad.map(({ path, problem }) => ({ path, message: problem ?? 'changed' })),
    hints,
  })
}
