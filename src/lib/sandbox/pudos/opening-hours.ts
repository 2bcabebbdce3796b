import type { PudoPoint } from '../../wire/pudos.ts'
import type { Random } from '../demo/random.ts'
import type { LocationType, Network } from './networks.ts'

const DAYS = ['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa', 'Su']

// Format of OpenStreetMap's `opening_hours`. Decided: a day ends at `24:00`, so that two whole days leave no minute
// closed.
const ALWAYS = 'Mo-Su 00:00-24:00'
const POST_OFFICE = [
  'Mo-Fr 09:00-17:30; Sa 09:00-12:30',
  'Mo-Fr 08:30-20:30; Sa 09:30-13:00',
  'Mo-Fr 08:30-14:30',
]
const DEPOT = ['Mo-Fr 08:00-19:00', 'Mo-Fr 08:00-20:00; Sa 09:00-13:00']
const STORE = ['Mo-Sa 10:00-21:00', 'Mo-Sa 10:00-20:00; Su 12:00-18:00']
const SHOP = ['Mo-Fr 09:00-18:30; Sa 09:00-14:00', 'Mo-Sa 07:00-20:00; Su 08:00-13:00', 'Mo-Su 08:00-22:00']
const SHOP_WITH_BREAK = [
  'Mo-Fr 09:00-14:00,17:00-20:30; Sa 09:30-14:00',
  'Mo-Sa 08:30-13:00,15:30-19:30',
  'Mo-Fr 09:00-12:30,14:00-19:00; Sa 09:00-12:30',
]

export function openingHours(
  type: LocationType,
  { isStore }: Pick<Network, 'isStore'>,
  style: { hasMiddayBreak?: boolean; isAllNight?: boolean },
  random: Random,
): Hours {
  const week = (): string => {
    if (type === 'LOCKER') return ALWAYS
    if (type === 'POST_OFFICE') return random.pick(POST_OFFICE)
    if (type === 'CARRIER_DEPOT') return random.pick(DEPOT)
    if (isStore) return random.pick(STORE)
    if (style.isAllNight && random.chance(0.8)) return ALWAYS
    return random.pick(style.hasMiddayBreak && random.chance(0.7) ? SHOP_WITH_BREAK : SHOP)
  }
  return hoursOf(week())
}

type Hours = NonNullable<PudoPoint['openingHours']>

/** Keys are weeks, of which there are few. */
const known = new Map<string, Hours>()

function hoursOf(week: string): Hours {
  const hours = known.get(week) ?? parseHours(week)
  known.set(week, hours)
  return hours
}

function parseHours(week: string): Hours {
  return week.split('; ').flatMap((rule) => {
    const [days = '', spans = ''] = rule.split(' ')
    const [first = '', last = first] = days.split('-')
    const numbers = DAYS.slice(DAYS.indexOf(first), DAYS.indexOf(last) + 1).map(
      (name) => DAYS.indexOf(name) + 1,
    )
    return numbers.flatMap((day) =>
      spans.split(',').map((span) => ({ day, opens: span.slice(0, 5), closes: span.slice(6) })),
    )
  })
}
