import { expect, test } from 'vitest'
import { columnRanks } from '../../../../src/lib/output/columns.ts'
import { layOutTable } from '../../../../src/lib/output/formats/table.ts'

const value = () => ''
const VIEW = {
  columns: [
    { name: 'name', header: 'NAME', value },
    { name: 'carrier', header: 'CARRIER', value },
    { name: 'tracking', header: 'TRACKING', value, identifies: true },
    { name: 'status', header: 'STATUS', value },
    { name: 'items', header: 'ITEMS', value },
  ],
  leastImportant: ['tracking', 'carrier'],
  empty: '',
}

/** Names of the columns that are shown when each is 20 wide. */
function shownAt(maxWidth: number) {
  const ranks = columnRanks(VIEW)
  const columns = VIEW.columns.map(({ header }, index) => ({
    ...{ header, align: 'left' as const, isFlexible: false, rank: ranks[index] },
  }))
  const layout = layOutTable(columns, [20, 20, 20, 20, 20], maxWidth)
  return layout?.shown.map((index) => VIEW.columns[index]?.name ?? '')
}

test('the least important columns go first, then from the right; what names a thing stays', () => {
  expect(shownAt(108)).toEqual(['name', 'carrier', 'tracking', 'status', 'items'])
  expect(shownAt(107)).toEqual(['name', 'tracking', 'status', 'items'])
  expect(shownAt(85)).toEqual(['name', 'tracking', 'status'])
  expect(shownAt(63)).toEqual(['name', 'tracking'])
})
