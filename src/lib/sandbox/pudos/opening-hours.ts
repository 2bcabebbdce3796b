import type { PudoPoint } from '../../wire/pudos.ts'
import type { Random } from '../demo/random.ts'
import type { LocationType, Network } from './networks.ts'

/** `[first day, last day, spans]`, Monday is 1. */
type Days = readonly [from: number, to: number, ...spans: string[]]

/** Decided: a day ends at `24:00`, so that two whole days leave no minute closed. */
const ALWAYS: readonly Days[] = [[1, 7, '00:00-24:00']]
const POST_OFFICE: readonly (readonly Days[])[] = [
  [
    [1, 5, '09:00-17:30'],
    [6, 6, '09:00-12:30'],
  ],
  [
    [1, 5, '08:30-20:30'],
    [6, 6, '09:30-13:00'],
  ],
  [[1, 5, '08:30-14:30']],
]
const DEPOT: readonly (readonly Days[])[] = [
  [[1, 5, '08:00-19:00']],
  [
    [1, 5, '08:00-20:00'],
    [6, 6, '09:00-13:00'],
  ],
]
const STORE: readonly (readonly Days[])[] = [
  [[1, 6, '10:00-21:00']],
  [
    [1, 6, '10:00-20:00'],
    [7, 7, '12:00-18:00'],
  ],
]
const SHOP: readonly (readonly Days[])[] = [
  [
    [1, 5, '09:00-18:30'],
    [6, 6, '09:00-14:00'],
  ],
  [
    [1, 6, '07:00-20:00'],
    [7, 7, '08:00-13:00'],
  ],
  [[1, 7, '08:00-22:00']],
]
const SHOP_WITH_BREAK: readonly (readonly Days[])[] = [
  [
    [1, 5, '09:00-14:00', '17:00-20:30'],
    [6, 6, '09:30-14:00'],
  ],
  [[1, 6, '08:30-13:00', '15:30-19:30']],
  [
    [1, 5, '09:00-12:30', '14:00-19:00'],
    [6, 6, '09:00-12:30'],
  ],
]

export function openingHours(
  type: LocationType,
  { isStore }: Pick<Network, 'isStore'>,
  style: { hasMiddayBreak?: boolean; isAllNight?: boolean },
  random: Random,
): NonNullable<PudoPoint['openingHours']> {
  const week = (): readonly Days[] => {
    if (type === 'LOCKER') return ALWAYS
    if (type === 'POST_OFFICE') return random.pick(POST_OFFICE)
    if (type === 'CARRIER_DEPOT') return random.pick(DEPOT)
    if (isStore) return random.pick(STORE)
    if (style.isAllNight && random.chance(0.8)) return ALWAYS
    return random.pick(style.hasMiddayBreak && random.chance(0.7) ? SHOP_WITH_BREAK : SHOP)
  }
  return week().flatMap(([from, to, ...spans]) =>
    Array.from({ length: to - from + 1 }, (_, i) => from + i).flatMap((day) =>
      spans.map((span) => ({ day, opens: span.slice(0, 5), closes: span.slice(6) })),
    ),
  )
}
