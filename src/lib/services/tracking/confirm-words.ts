import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { agreedWords, saveAgreedWords } from '../../mappings/agreed-words.ts'
import { wordSource } from '../../mappings/ready-made.ts'
import { counted } from '../../wire/counted.ts'
import type { UpdateFile } from './update-file.ts'

const MAX_SHOWN = 40

/**
 * Shows new status words of a file, with the statuses that the mapping gives them, and asks. @throws AppError
 * `usage` for a no, or without a terminal
 */
export async function confirmWords(
  context: Context,
  name: string,
  { words, source, reading }: UpdateFile,
  yes: boolean | undefined,
) {
  const agreed = await agreedWords(context.paths, name)
  const fresh = [...words.all].flatMap(([status, all]) =>
    [...all]
      .filter(([word]) => status !== word && agreed[word] !== status)
      .sort(([, one], [, other]) => other - one)
      .map(([word, rows], rank) => ({ word, status, rows, rank })),
  )
  if (fresh.length === 0) return
  // The most frequent word of each status comes first.
  const lines = fresh
    .sort((one, other) => one.rank - other.rank || other.rows - one.rows)
    .map(
      ({ word, status, rows }) =>
        `${JSON.stringify(word)} becomes ${status} in ${counted(rows, 'row')} (${wordSource(name, word) ?? 'by its words'})`,
    )
  const more = lines.length - MAX_SHOWN
  const shown = more > 0 ? [...lines.slice(0, MAX_SHOWN), `and ${counted(more, 'more word')}`] : lines
  const { questions } = context
  const column = reading.map.trackingStatus ?? reading.mapping?.columns.trackingStatus ?? 'trackingStatus'
  if (!yes && !questions.canAsk) {
    throw new AppError(
      'usage',
      `${source.name} has words that nobody has agreed to for ${name} in the column ${column}; nothing was sent.`,
      {
        details: shown.map((message) => ({ message })),
        hints: [
          '--yes agrees to them for this and later pushes',
          `another meaning: ${await context.shellLine(['mappings', 'init', source.name, '--name', name, '--force'])} --status TEXT=STATUS`,
        ],
      },
    )
  }
  await context.note(`Words of ${name} that were not sent before, in the column ${column}:`)
  for (const line of shown) await context.note(`  ${line}`)
  if (!yes) await questions.ask('Do they mean that?', 'nothing was sent')
  await saveAgreedWords(
    context.paths,
    name,
    Object.fromEntries(fresh.map(({ word, status }) => [word, status])),
  )
}
