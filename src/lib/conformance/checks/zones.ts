import type { Return } from '../../wire/returns.ts'
import { formatServiceDate, instantToWallTime, parseServiceDate } from '../../wire/time.ts'
import { assumed, type Check, spec } from '../check.ts'
import { each, must, need } from '../observed.ts'
import type { World } from '../platform-view.ts'
import { mustAnswer } from '../probe.ts'

/** East and west of UTC, by half an hour, and with clocks that change. */
const ZONES = ['Asia/Tokyo', 'America/New_York', 'Asia/Kolkata']

function datesOf({ createdAt, updatedAt, cancelledAt, activeTransportation }: Return) {
  const dates = {
    createdAt,
    updatedAt,
    cancelledAt,
    'activeTransportation.createdAt': activeTransportation?.createdAt,
  }
  return Object.entries(dates).flatMap(([field, text]) => (text ? [{ field, text }] : []))
}

/** Returns without a zone and with one; newest and oldest, since offsets change over a year. */
async function inBoth(
  world: World,
  time_zone: string,
): Promise<{ plain: Return; zoned: Return | undefined }[]> {
  const zoned = new Map<string, Return>()
  for (const record of (await world.list({ limit: 500, time_zone })).returns)
    zoned.set(record.id ?? '', record)
  return (await world.sample()).map((plain) => ({ plain, zoned: zoned.get(plain.id ?? '') }))
}

function zoneCheck(zone: string): Check {
  return {
    id: `zone.${zone.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
    specified: `time_zone=${zone}: the same instants, written with the zone's offset`,
    ...spec('§4.7'),
    run: async (world) =>
      each(await inBoth(world, zone), 'returns', ({ plain, zoned }) => {
        if (zoned === undefined) return `${plain.name} does not come with time_zone=${zone}`
        const there = new Map(datesOf(zoned).map(({ field, text }) => [field, text]))
        const wrong = datesOf(plain).find(({ field, text }) => {
          const ms = parseServiceDate(text)
          return ms === undefined || there.get(field)?.replace('T', ' ') !== formatServiceDate(ms, zone)
        })
        return wrong && `${plain.name}: ${wrong.field} ${wrong.text} is ${there.get(wrong.field)} there`
      }),
  }
}

/** Spec §4.7. */
export const ZONE_CHECKS: readonly Check[] = [
  ...ZONES.map(zoneCheck),
  {
    id: 'zone.filter',
    specified: 'Date ranges are meant in time_zone',
    ...spec('§4.7'),
    run: async (world) => {
      const [zone] = ZONES
      const record = need((await world.sample()).at(-1), 'there are no returns')
      const at = need(
        parseServiceDate(record.createdAt ?? ''),
        `${record.name} has no createdAt that can be read`,
      )
      const query = {
        time_zone: zone,
        created_from: instantToWallTime(at - 60_000, zone ?? ''),
        created_to: instantToWallTime(at + 60_000, zone ?? ''),
      }
      const { returns } = await world.list({ limit: 500, ...query })
      const where = `from ${query.created_from} to ${query.created_to} in ${zone}`
      must(
        returns.some(({ id }) => id === record.id),
        `${record.name} of ${record.createdAt} is not among the ${returns.length} ${where}`,
      )
      return `${returns.length} returns ${where}`
    },
  },
  {
    id: 'zone.default',
    specified: 'Without time_zone dates are in UTC, written with Z',
    ...assumed('§4.7'),
    run: async (world) =>
      each((await world.sample()).flatMap(datesOf), 'dates', ({ field, text }) =>
        text.endsWith('Z') ? undefined : `${field} ${text}`,
      ),
  },
  {
    id: 'zone.unknown',
    specified: 'A zone that there is not is refused with 400',
    ...assumed('§4.7'),
    run: async (world) => mustAnswer(await world.returns({ time_zone: 'Mars/Olympus_Mons' }), 400),
  },
]
