import type { Return } from '../../wire/returns.ts'
import { instantToWallTime, parseServiceDate } from '../../wire/time.ts'
import { assumed, type Check, spec } from '../check.ts'
import { msOf, mustFind, refusedQuery } from '../filtered.ts'
import { each } from '../observed.ts'
import type { World } from '../platform-view.ts'
import { mustAnswer } from '../probe.ts'
import { pathOf, spread } from './single-reads.ts'

const DATE_TIME = /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/

/** East and west of UTC, by half an hour, and with clocks that change. */
const ZONES = ['Asia/Tokyo', 'America/New_York', 'Asia/Kolkata']

interface FoundDate {
  field: string
  text: string
}

/** Date-times anywhere in a record. */
function datesIn(value: unknown, field = ''): FoundDate[] {
  if (typeof value === 'string') return DATE_TIME.test(value) ? [{ field, text: value }] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => datesIn(inner, `${field}.${key}`.replace(/^\./, '')))
}

/** The first date-time that is not the same instant, or not the wall time of the zone. */
function otherDate(plain: unknown, zoned: unknown, zone: string): string | undefined {
  const there = new Map(datesIn(zoned).map(({ field, text }) => [field, text]))
  const isSo = (ms: number | undefined, text = '') =>
    ms !== undefined &&
    parseServiceDate(text) === ms &&
    text.slice(0, 19).replace(' ', 'T') === instantToWallTime(ms, zone)
  const other = datesIn(plain).find(({ field, text }) => !isSo(parseServiceDate(text), there.get(field)))
  return other && `${other.field} ${other.text} is ${there.get(other.field)} there`
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
  return spec(
    `zone.${zone.toLowerCase().replaceAll(/[^a-z]+/g, '-')}`,
    '§4.7',
    `time_zone=${zone}: the same instants, in the zone's time and with its offset`,
    async (world) =>
      each(await inBoth(world, zone), 'returns', ({ plain, zoned }) => {
        if (zoned === undefined) return `${plain.name} does not come with time_zone=${zone}`
        const wrong = otherDate(plain, zoned, zone)
        return wrong && `${plain.name}: ${wrong}`
      }),
  )
}

/** Reads of one return, by what follows its path. */
const SINGLE_READS = { return: '', transportations: '/transportations', refunds: '/refunds' }

function singleCheck(name: string, rest: string): Check {
  const [zone = ''] = ZONES
  return assumed(`zone.${name}`, '§4.8', `GET /returns/{id}${rest} takes time_zone too`, async (world) => {
    const pairs = []
    for (const record of spread(await world.sample())) {
      const [plain, zoned] = [
        await world.get(pathOf(record, rest)),
        await world.get(pathOf(record, rest), { time_zone: zone }),
      ]
      mustAnswer(zoned, 200, `time_zone=${zone}`)
      if (datesIn(plain.body).length > 0) pairs.push({ record, plain, zoned })
    }
    return each(pairs, 'answers with dates', ({ record, plain, zoned }) => {
      const wrong = otherDate(plain.body, zoned.body, zone)
      return wrong && `${record.name}: ${wrong}`
    })
  })
}

/** Spec §4.7. */
export const ZONE_CHECKS: readonly Check[] = [
  ...ZONES.map(zoneCheck),
  spec('zone.filter', '§4.7', 'Date ranges are meant in time_zone', async (world) => {
    const [zone = ''] = ZONES
    const record = await world.any()
    const at = msOf(record.createdAt)
    const query = {
      time_zone: zone,
      created_from: instantToWallTime(at - 60_000, zone),
      created_to: instantToWallTime(at + 60_000, zone),
    }
    return mustFind(world, query, record, () => undefined)
  }),
  assumed('zone.default', '§4.7', 'Without time_zone dates are in UTC, written with Z', async (world) =>
    each(
      (await world.sample()).flatMap((record) => datesIn(record)),
      'dates',
      ({ field, text }) => (text.endsWith('Z') ? undefined : `${field} ${text}`),
    ),
  ),
  refusedQuery('zone.unknown', '§4.7', 'A zone that there is not', { time_zone: 'Mars/Olympus_Mons' }),
  ...Object.entries(SINGLE_READS).map(([name, rest]) => singleCheck(name, rest)),
]
