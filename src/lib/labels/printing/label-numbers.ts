import { usageError } from '../../errors.ts'

export function chosenLabels<T extends { number: number }>(
  labels: readonly T[],
  { only, from = 1 }: { only: string | undefined; from: number | undefined },
): T[] {
  const parts = only?.replaceAll(' ', '').split(',') ?? []
  const ranges = parts.map((part) => {
    const [, first = '', last = first] = /^(\d{1,9})(?:-(\d{1,9}))?$/.exec(part) ?? []
    if (first === '' || Number(last) < Number(first)) {
      throw usageError(`--only takes numbers of labels, and "${part}" is none.`, '--only 17-19,22')
    }
    return [Number(first), Number(last)] as const
  })
  const numbers = labels.map(({ number }) => number)
  const asked = [...ranges.flat(), ...(from === 1 ? [] : [from])]
  const unknown = asked.find((one) => !numbers.includes(one))
  if (unknown !== undefined) {
    throw usageError(`There is no label ${unknown}: the numbers are ${rangesOf(numbers)}.`)
  }
  const isChosen = (number: number) =>
    number >= from &&
    (only === undefined || ranges.some(([first, last]) => number >= first && number <= last))
  return labels.filter(({ number }) => isChosen(number))
}

/** `17-19,22`, as `--only` takes them. */
export function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = []
  for (const number of numbers) {
    const last = ranges.at(-1)
    if (last?.[1] === number - 1) last[1] = number
    else ranges.push([number, number])
  }
  return ranges.map(([first, last]) => (first === last ? String(first) : `${first}-${last}`)).join(',')
}
