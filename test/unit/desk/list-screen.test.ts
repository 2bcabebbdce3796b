import { expect, it } from 'vitest'
import { ListScreen } from '../../../src/lib/desk/list-screen.ts'
import { newDesk } from '../../helpers/new-desk.ts'

it('the mark stays on its item when others are inserted, or on the first line if unset', () => {
  const list = new ListScreen<{ id: number }>(newDesk(), {
    title: 'list',
    row: ({ id }) => String(id),
    key: ({ id }) => id,
  })
  const items = (...ids: number[]) => ids.map((id) => ({ id }))
  list.show(items(3, 2, 1))
  list.show(items(4, 3, 2, 1))
  expect(list.at).toBe(0)
  list.onKey('down')
  list.show(items(5, 4, 3, 2, 1))
  expect(list.items[list.at]).toEqual({ id: 3 })
  list.show(items(5, 4))
  expect(list.at).toBe(0)
})
