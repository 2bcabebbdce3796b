import { pageInfoSchema, type Return } from '../../wire/returns.ts'
import { instantToWallTime, parseServiceDate } from '../../wire/time.ts'
import { all, type CheckedPlatform, type CheckRun, type Runs } from '../check.ts'
import { each, must, mustBe, mustFit, Skipped, seen } from '../expect.ts'
import { pathOf, spread } from './single-reads.ts'

const ids = (records: readonly Return[]) => records.map(({ id }) => id)
export const msOf = (text: string | null | undefined) => parseServiceDate(text) ?? Number.NaN

const createdMs = ({ createdAt }: Return) => msOf(createdAt)

const holds =
  (limit: number, pageOf: (totalPages: number) => number = () => 1) =>
  async (platform: CheckedPlatform) => {
    const page = pageOf((await platform.list({ limit })).totalPages)
    const { returns, totalRecords } = await platform.list({ limit, page })
    const expected = Math.max(0, Math.min(limit, totalRecords - (page - 1) * limit))
    const observed = `page ${page} of ${totalRecords} records by ${limit} holds ${returns.length}`
    return must(returns.length === expected, observed)
  }

export const LIST_CHECKS: Runs = {
  'returns.container': async (platform) =>
    mustFit(pageInfoSchema, [(await platform.list()).pageInfo], 'pageInfo'),
  'returns.default-size': async (platform) => {
    const { returns, totalRecords } = await platform.list()
    const observed = `${returns.length} records of ${totalRecords}`
    return must(returns.length === Math.min(100, totalRecords), observed)
  },
  'returns.default-newest': async (platform) => {
    const { returns } = await platform.list()
    const oldest = Math.min(...returns.map(createdMs))
    const newer = (await platform.sample()).filter((record) => createdMs(record) > oldest)
    const missing = newer.find(({ id }) => !ids(returns).includes(id))
    return must(!missing, `newer, but not among them: ${missing?.name ?? 'none'}`)
  },
  'returns.order': async (platform) => {
    const all = await platform.sample()
    return each([...all.keys()].slice(1), 'neighbours', (index) => {
      const [before, after] = all.slice(index - 1, index + 1)
      return (
        !!before && !!after && createdMs(before) < createdMs(after) && `${before.name} before ${after.name}`
      )
    })
  },
  'returns.limit-min': holds(1),
  'returns.limit-max': holds(500),
  'returns.limit-cap': async (platform) => {
    const answer = await platform.returns({ limit: 501 })
    if (answer.status !== 200) return seen(answer)
    const { returns, totalRecords } = await platform.list({ limit: 501 })
    if (totalRecords <= 500) throw new Skipped(`there are only ${totalRecords} returns`)
    return must(returns.length <= 500, `${returns.length} records with limit=501`)
  },
  'returns.page-arithmetic': async (platform) => {
    const pages = []
    for (const limit of [1, 7, 100, 500]) pages.push({ limit, ...(await platform.list({ limit })) })
    return each(
      pages,
      'limits',
      ({ limit, totalRecords, totalPages }) =>
        totalPages !== Math.ceil(totalRecords / limit) &&
        `${totalPages} pages of ${totalRecords} records by ${limit}`,
    )
  },
  'returns.total': async (platform) => {
    const totals = []
    for (const query of [{}, { limit: 1 }, { limit: 500 }, { limit: 7, page: 2 }])
      totals.push((await platform.list(query)).totalRecords)
    return must(new Set(totals).size === 1, totals.join(', '))
  },
  'returns.pages': async (platform) => {
    const whole = ids((await platform.list({ limit: 21 })).returns)
    const parts = []
    for (const page of [1, 2, 3]) parts.push(...ids((await platform.list({ limit: 7, page })).returns))
    if (whole.length < 8) throw new Skipped(`there are only ${whole.length} returns`)
    return must(parts.join() === whole.join(), `3 pages of 7: ${parts.join()}; one of 21: ${whole.join()}`)
  },
  'returns.last-page': holds(7, (last) => Math.max(1, last)),
  'returns.beyond-last-page': holds(7, (last) => last + 1),
}

const TOKYO = 'Asia/Tokyo'
const MINUTE_MS = 60_000

/** Date-times anywhere in a record, by path. */
function datesIn(value: unknown, path = ''): [path: string, text: string][] {
  if (typeof value === 'string') return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d/.test(value) ? [[path, value]] : []
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => datesIn(inner, `${path}.${key}`))
}

/** Returns the first date that is another instant, or not the wall time in `zone`. */
function otherDate(plain: unknown, zoned: unknown, zone: string): string | undefined {
  const there = new Map(datesIn(zoned))
  const isSo = (ms: number | undefined, text = '') =>
    ms !== undefined &&
    parseServiceDate(text) === ms &&
    text.slice(0, 19).replace(' ', 'T') === instantToWallTime(ms, zone)
  const other = datesIn(plain).find(([path, text]) => !isSo(parseServiceDate(text), there.get(path)))
  return other && `${other.join(' ')} is ${there.get(other[0])} in ${zone}`
}

const inZone =
  (zone: string): CheckRun =>
  async (platform) => {
    const { returns } = await platform.list({ limit: 500, time_zone: zone })
    const zoned = new Map(returns.map((record) => [record.id, record]))
    return each(await platform.sample(), 'returns', (plain) => {
      const wrong = zoned.has(plain.id) ? otherDate(plain, zoned.get(plain.id), zone) : 'is missing'
      return wrong && `${plain.name}: ${wrong}`
    })
  }

const singleInZone =
  (rest: string): CheckRun =>
  async (platform) => {
    const pairs = []
    for (const record of spread(await platform.sample())) {
      const plain = await platform.get(pathOf(record, rest))
      const zoned = await platform.get(pathOf(record, rest), { time_zone: TOKYO })
      mustBe(zoned, '200', `time_zone=${TOKYO}`)
      if (datesIn(plain.body).length > 0) pairs.push({ plain, zoned })
    }
    return each(pairs, 'answers with dates', ({ plain, zoned }) => otherDate(plain.body, zoned.body, TOKYO))
  }

const rangeInZone =
  (what: 'created' | 'updated'): CheckRun =>
  async (platform) => {
    const record = await platform.any()
    const [before, after] = [-MINUTE_MS, MINUTE_MS].map((ms) =>
      instantToWallTime(msOf(record[`${what}At`]) + ms, TOKYO),
    )
    const [from, to] = [`${what}_from`, `${what}_to`]
    const ranges = [{ [from]: before, [to]: after }, { [from]: after }, { [to]: before }]
    const found = []
    for (const range of ranges)
      found.push(
        ids((await platform.list({ limit: 500, time_zone: TOKYO, ...range })).returns).includes(record.id),
      )
    const observed = `${record.name} around, after, before ${record[`${what}At`]}: ${found.join(', ')}`
    return must(found.join() === 'true,false,false', observed)
  }

export const ZONE_CHECKS: Runs = {
  'zone.asia-tokyo': inZone(TOKYO),
  'zone.america-new-york': inZone('America/New_York'),
  'zone.asia-kolkata': inZone('Asia/Kolkata'),
  'zone.filter': rangeInZone('created'),
  'zone.filter-updated': rangeInZone('updated'),
  'zone.default': all(
    async (platform) => datesIn(await platform.sample()),
    'dates',
    ([path, text]) => !text.endsWith('Z') && `${path} ${text}`,
  ),
  'zone.return': singleInZone(''),
  'zone.transportations': singleInZone('/transportations'),
  'zone.refunds': singleInZone('/refunds'),
}
