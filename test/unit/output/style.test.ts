import { expect, test } from 'vitest'
import { statusStyle } from '../../../src/lib/output/style.ts'
import {
  REFUND_STATUSES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../../src/lib/wire/enumerations.ts'

test('every status has the colour of its meaning', () => {
  const all = [...RETURN_STATUSES, ...TRANSPORTATION_STATUSES, ...REFUND_STATUSES]
  const styled = (style: string) => all.filter((status) => statusStyle(status) === style)
  expect(styled('green')).toEqual(['CLOSED', 'SHIPPING_COMPLETED', 'EXECUTED'])
  expect(styled('red')).toEqual([
    'DISCARDED',
    'EXPIRED',
    'PICK_UP_FAILED',
    'PICK_UP_CANCELLED',
    'SHIPPING_FAILED',
    'SHIPPING_CANCELLED',
    'FAILED',
  ])
  expect(styled('yellow')).toHaveLength(all.length - 10)
})

test.each([undefined, null, 3, '', 'free text'])('%j has no style', (status) => {
  expect(statusStyle(status)).toBeUndefined()
})
