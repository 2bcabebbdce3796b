export interface TableColumn {
  header: string
  align: 'left' | 'right'
  /** May be cut; no other is: half an amount, or half a code, is another one. */
  isFlexible: boolean
  /** How soon it is left out for lack of room: the lowest first, one without a rank never. */
  rank?: number | undefined
}

/** Columns that are shown, by their place, and how wide each is. */
export interface TableLayout {
  shown: readonly number[]
  widths: readonly number[]
}

export const GAP = 2
/** Below it a record is a block of lines. */
const MIN_TABLE_WIDTH = 60
const MIN_FLEXIBLE_WIDTH = 16

/**
 * The columns that a terminal has room for: those that may be cut are narrowed, then the least important left out.
 *
 * @param wanted width of each column
 * @param indent of the table, in the width of the terminal
 * @returns undefined if no table is to be made of it
 */
export function layOutTable(
  columns: readonly TableColumn[],
  wanted: readonly number[],
  maxWidth: number | undefined,
  indent = 0,
): TableLayout | undefined {
  let shown = [...columns.keys()]
  if (maxWidth === undefined) return { shown, widths: wanted }
  if (maxWidth < MIN_TABLE_WIDTH && columns.length > 1) return undefined
  const least = (index: number) => {
    const width = wanted[index] ?? 0
    return columns[index]?.isFlexible ? Math.min(width, MIN_FLEXIBLE_WIDTH) : width
  }
  const room = () => maxWidth - indent - GAP * (shown.length - 1)
  const leftOut: number[] = []
  while (sum(shown.map(least)) > room()) {
    const [first] = shown
      .filter((index) => columns[index]?.rank !== undefined)
      .sort((a, b) => (columns[a]?.rank ?? 0) - (columns[b]?.rank ?? 0))
    if (first === undefined) return undefined
    shown = shown.filter((index) => index !== first)
    leftOut.unshift(first)
  }
  // A wide column may have made more room than it takes: what fits uncut comes back, the most important first.
  for (const index of leftOut) {
    const more = [...shown, index].sort((a, b) => a - b)
    const needed = sum(more.map((each) => wanted[each] ?? 0)) + GAP * (more.length - 1)
    if (needed <= maxWidth - indent) shown = more
  }
  const widths = shown.map((index) => wanted[index] ?? 0)
  narrow(widths, room(), (place) => columns[shown[place] ?? -1]?.isFlexible === true)
  return { shown, widths }
}

/** Takes from the widest of those that may be cut, one at a time, until all fits. */
function narrow(widths: number[], room: number, isFlexible: (place: number) => boolean): void {
  for (let excess = sum(widths) - room; excess > 0; excess -= 1) {
    let widest = -1
    for (const [place, width] of widths.entries()) {
      if (isFlexible(place) && width > (widths[widest] ?? 0)) widest = place
    }
    widths[widest] = (widths[widest] ?? 0) - 1
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
