import { columnsOf } from '../../output/columns.ts'
import { lazySchema, listOf, type RecordOf, type View } from '../../output/view.ts'
import { returnsView } from './returns.result.ts'
import fieldWords from './searched-fields.json'

const foundSchema = lazySchema(async (z, { text }) => {
  const { returnSchema } = await import('../../wire/returns.ts')
  return returnSchema.extend({
    matched: z.array(z.object({ field: text, value: text })),
    missing: z.array(text).describe('Words that it lacks'),
  })
})

export const searchSchema = listOf(foundSchema, 'returns')

export type FoundReturn = RecordOf<typeof foundSchema>

const FIELD_WORDS: Readonly<Record<string, string>> = fieldWords

export const searchView: View<FoundReturn> = {
  columns: [
    ...columns('name', 'status'),
    { name: 'created', path: 'createdAt', kind: 'day' },
    ...columns('customer', 'order'),
    { name: 'matched', value: matchedText, shown: otherMatchesText, flexible: true },
  ],
  extra: columns('email', 'refund', 'transport', 'carrier', 'tracking', 'shop', 'country', 'updated', 'id'),
  leastImportant: ['order', 'matched', 'created'],
  schema: foundSchema,
  empty: 'No returns match',
}

function columns(...names: string[]): View<FoundReturn>['columns'] {
  const all = columnsOf(returnsView, 'all')
  return names.flatMap((name) => all.find((one) => one.name === name) ?? [])
}

function matchedText({ matched }: Pick<FoundReturn, 'matched'>) {
  return matched.map(({ field, value }) => `${FIELD_WORDS[field] ?? field} ${value}`).join(', ')
}

/** Leaves out matches that the name and customer columns show. */
function otherMatchesText({ matched, name, customer }: FoundReturn) {
  return matchedText({
    matched: matched.filter(({ value }) => value !== name && value !== customer?.fullName),
  })
}
