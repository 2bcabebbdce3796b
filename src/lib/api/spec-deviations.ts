import { AppError } from '../errors.ts'
import { counted } from '../wire/counted.ts'
import type { SpecDeviation, SpecDeviations } from '../wire/read.ts'

/** `2 returns lack customer.email` */
export function deviationWarnings(deviations: SpecDeviations): string[] {
  const [inside, whole] = [[], []] as [SpecDeviation[], SpecDeviation[]]
  for (const deviation of deviations.entries())
    (/^[^.]*\[\]$/.test(deviation.path) ? whole : inside).push(deviation)
  return [...noObjectLines(whole), ...inside.map((deviation) => lineFor(deviation))]
}

export function deviationsError(deviations: SpecDeviations): AppError | undefined {
  const lines = deviationWarnings(deviations)
  if (lines.length === 0) return undefined
  return new AppError('contract', 'The answer departs from the specification', {
    details: lines.map((message) => ({ message })),
    hints: ['leave out --strict to get the result with warnings instead'],
  })
}

/** Says `not an object` only, since readers don't tell `null` from other types. */
function noObjectLines(deviations: readonly SpecDeviation[]) {
  const counts = new Map<string, number>()
  for (const { path, records } of deviations) counts.set(path, (counts.get(path) ?? 0) + records)
  return [...counts].map(([path, count]) => {
    const where = path.slice(0, -'[]'.length) || 'the answer'
    const items = counted(count, `item in ${where} is not an object`, `items in ${where} are not objects`)
    return `${items}: only JSON shows ${count === 1 ? 'it' : 'them'}`
  })
}

function lineFor({ path, problem, values = [], records }: SpecDeviation) {
  const [, list, field] = /^(\w+)\[\]\.(.+)$/.exec(path) ?? []
  const subject = list === undefined ? 'The answer' : counted(records, list.replace(/s$/, ''))
  const isOne = list === undefined || records === 1
  const what = field ?? path
  const items = /^(.+)\[\]$/.exec(what)?.[1]
  if (items !== undefined && problem === 'missing')
    return `${subject} ${isOne ? 'has' : 'have'} null among ${items}`
  switch (problem) {
    case 'missing':
      return `${subject} ${isOne ? 'lacks' : 'lack'} ${what}`
    case 'wrong-type':
      return `${subject} ${isOne ? 'has' : 'have'} ${what} in another type than specified`
    case 'not-asked-for':
      return `${subject} ${isOne ? 'was' : 'were'} not asked for: ${what} ${values.join(', ')}`
    case 'beside-result':
      return `${subject} has errors beside the result: ${values.join('; ')}`
    case 'unknown-value':
      return `${subject} ${isOne ? 'has' : 'have'} values of ${what} that the specification does not know: ${values.join(', ')}`
  }
}
