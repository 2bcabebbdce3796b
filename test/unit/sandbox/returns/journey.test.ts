import { expect, test } from 'vitest'
import { RETURN_TRANSITIONS, TRANSPORT_TRANSITIONS } from '../../../../src/lib/wire/enumerations.ts'

/** `A -> B` lines of a table. */
function draw(table: Readonly<Record<string, readonly string[]>>) {
  return Object.entries(table).flatMap(([from, followers]) => followers.map((to) => `${from} -> ${to}`))
}

function reachable(table: Readonly<Record<string, readonly string[]>>, starts: readonly string[]) {
  const seen = new Set(starts)
  for (const state of seen) for (const next of table[state] ?? []) seen.add(next)
  return seen
}

test('the life of a return has exactly these transitions', () => {
  expect(draw(RETURN_TRANSITIONS)).toEqual([
    'NEEDS_VALIDATION -> PENDING',
    'NEEDS_VALIDATION -> DISCARDED',
    'PENDING -> RECEPTION_IN_PROGRESS',
    'PENDING -> EXPIRED',
    'PENDING -> DISCARDED',
    'RECEPTION_IN_PROGRESS -> RECEPTION_COMPLETED',
    'RECEPTION_COMPLETED -> RECEIVED',
    'RECEIVED -> CHECKED',
    'CHECKED -> CLOSED',
  ])
})

test('the life of a return reaches every state', () => {
  expect(reachable(RETURN_TRANSITIONS, ['NEEDS_VALIDATION', 'PENDING'])).toEqual(
    new Set(Object.keys(RETURN_TRANSITIONS)),
  )
})

test('the life of a transport has exactly these transitions', () => {
  expect(draw(TRANSPORT_TRANSITIONS)).toEqual([
    'REQUESTED -> PICK_UP_IN_PROGRESS',
    'REQUESTED -> SHIPPING_IN_PROGRESS',
    'REQUESTED -> SHIPPING_FAILED',
    'REQUESTED -> SHIPPING_CANCELLED',
    'PICK_UP_IN_PROGRESS -> PICK_UP_COMPLETED',
    'PICK_UP_IN_PROGRESS -> PICK_UP_FAILED',
    'PICK_UP_IN_PROGRESS -> PICK_UP_CANCELLED',
    'PICK_UP_COMPLETED -> SHIPPING_IN_PROGRESS',
    'PICK_UP_COMPLETED -> SHIPPING_FAILED',
    'PICK_UP_COMPLETED -> SHIPPING_CANCELLED',
    'SHIPPING_IN_PROGRESS -> SHIPPING_COMPLETED',
    'SHIPPING_IN_PROGRESS -> SHIPPING_FAILED',
    'SHIPPING_IN_PROGRESS -> SHIPPING_CANCELLED',
  ])
})

test('the life of a transport reaches every state', () => {
  expect(reachable(TRANSPORT_TRANSITIONS, ['REQUESTED'])).toEqual(new Set(Object.keys(TRANSPORT_TRANSITIONS)))
})
