import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { refundSchema } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { type Transportation, transportationSchema } from '../../wire/transportations.ts'
import {
  all,
  type CheckedPlatform,
  type CheckRun,
  type FromPlatform,
  haveTypes,
  listAt,
  once,
  type Runs,
} from '../check.ts'
import { each, get, must, mustBe } from '../expect.ts'

const LOOKED_AT = 5
const NO_SUCH = 'conformance-no-such-id'
const TOLERANCE = 0.0005

export const pathOf = ({ id }: Return, rest = '') => `/returns/${encodeURIComponent(id ?? '')}${rest}`

export async function activeOf(
  platform: CheckedPlatform,
  record: Return,
): Promise<Transportation | undefined> {
  const { body } = await platform.send(get(pathOf(record, '/transportations')))
  const id = record.activeTransportation?.id
  return listAt(transportationSchema, body, 'transportations').find((transport) => transport.id === id)
}

/** Picks a few returns evenly from the sample. */
export function spread(sample: readonly Return[]): Return[] {
  const step = Math.max(1, Math.floor(sample.length / LOOKED_AT))
  return sample.filter((_, index) => index % step === 0).slice(0, LOOKED_AT)
}

const below = <S extends z.ZodType>(schema: S, key: string, fits: (record: Return) => unknown) =>
  once(async (platform) => {
    const found: { record: Return; item: z.infer<S> }[] = []
    for (const record of spread((await platform.sample()).filter(fits))) {
      const answer = await platform.get(pathOf(record, `/${key}`))
      mustBe(answer, '200', `the ${key} of ${record.name}`)
      found.push(...listAt(schema, answer.body, key).map((item) => ({ record, item })))
    }
    return found
  })

const transportId = ({ activeTransportation }: Return) => activeTransportation?.id
const transports = below(transportationSchema, 'transportations', transportId)
const refunds = below(refundSchema, 'refunds', () => true)
const transportsAlone = async (platform: CheckedPlatform) =>
  (await transports(platform)).map(({ item }) => item)
const refundsAlone = async (platform: CheckedPlatform) => (await refunds(platform)).map(({ item }) => item)

const same =
  (noun: string, find: FromPlatform<{ path: string; listed: unknown }[]>): CheckRun =>
  async (platform) => {
    const pairs = []
    for (const { path, listed } of (await find(platform)).slice(0, LOOKED_AT)) {
      const single = await platform.get(path)
      mustBe(single, '200', path)
      pairs.push({ path, isSame: isDeepStrictEqual(single.body, listed) })
    }
    return each(pairs, noun, ({ path, isSame }) => !isSame && `${path} differs from its record in the list`)
  }

/** Expects 404 and a code at each path below returns. */
const missing =
  (expected: string, pathsOf: FromPlatform<string[]>): CheckRun =>
  async (platform) => {
    const paths = await pathsOf(platform)
    for (const path of paths) mustBe(await platform.get(path), expected, path)
    return `${paths.length} times ${expected}`
  }

const reads =
  (rest: string, named: (record: Return) => string | null | undefined): CheckRun =>
  async (platform) => {
    const record = await platform.find('with an id', named)
    const shown = JSON.stringify(named(record))
    const path = pathOf(
      record,
      rest.replace('{id}', encodeURIComponent(record.activeTransportation?.id ?? '')),
    )
    const answer = await platform.get(path)
    const words = `${mustBe(answer, '200')} with the id ${shown}`
    return must(answer.body && answer.text.includes(shown), words)
  }

export const SINGLE_READ_CHECKS: Runs = {
  'return.same': same('returns', async (platform) =>
    spread(await platform.sample()).map((listed) => ({ path: pathOf(listed), listed })),
  ),
  'return.id': reads('', ({ id }) => id),
  'transportations.answer': reads('/transportations', transportId),
  'transportations.one': reads('/transportations/{id}', transportId),
  'refunds.answer': async (platform) =>
    mustBe(await platform.get(pathOf(await platform.any(), '/refunds')), '200'),
  'return.unknown': missing('404 RT01', () =>
    ['', '/transportations', `/transportations/${NO_SUCH}`, '/refunds'].map(
      (rest) => `/returns/${NO_SUCH}${rest}`,
    ),
  ),
  'transportations.fields': haveTypes(transportationSchema, transportsAlone, 'transportations'),
  'transportations.active': async (platform) => {
    const all = await transports(platform)
    return each(spread((await platform.sample()).filter(transportId)), 'returns', (record) => {
      const listed = all.find(({ item }) => item.id === transportId(record))?.item
      const other = Object.entries(record.activeTransportation ?? {}).find(
        ([field, value]) => !isDeepStrictEqual(Reflect.get(listed ?? {}, field), value),
      )
      return other && `${record.name}: another ${other[0]} in the list than in the return`
    })
  },
  'transportations.single': same('transportations', async (platform) =>
    (await transports(platform)).map(({ record, item: listed }) => ({
      path: pathOf(record, `/transportations/${encodeURIComponent(listed.id ?? '')}`),
      listed,
    })),
  ),
  'transportations.unknown': missing('404 TP01', async (platform) => {
    const record = await platform.any()
    const other = (await platform.sample()).find((found) => transportId(found) && found.id !== record.id)
    const ids = [NO_SUCH, ...(other ? [encodeURIComponent(transportId(other) ?? '')] : [])]
    return ids.map((id) => pathOf(record, `/transportations/${id}`))
  }),
  'refunds.fields': haveTypes(
    refundSchema.required({ id: true, amount: true, currency: true, status: true }),
    refundsAlone,
    'refunds',
  ),
  'refunds.return': all(
    refunds,
    'refunds',
    ({ record, item: { id, returnId, currency } }) =>
      (returnId !== record.id || currency !== record.currency) &&
      `${id} of ${record.id}: returnId ${returnId}, ${currency}`,
  ),
  'refunds.amount': all(refundsAlone, 'refunds', ({ id, amount, fee, lineItems }) => {
    const items = (lineItems ?? []).map((line) => Number(line.amount))
    const expected = items.reduce((sum, item) => sum + item, 0) - Number(fee ?? 0)
    const isOff = items.length > 0 && !(Math.abs(Number(amount) - expected) < TOLERANCE)
    return isOff && `${id}: ${amount}, but its items make up ${expected.toFixed(4)}`
  }),
  'refunds.executed': all(
    refundsAlone,
    'refunds',
    ({ id, status, executedAt }) =>
      (status === 'EXECUTED') !== !!executedAt && `${id}: ${status}, executedAt ${executedAt}`,
  ),
}
