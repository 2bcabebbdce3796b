import { isDeepStrictEqual } from 'node:util'
import type * as z from 'zod'
import { at } from '../../wire/raw.ts'
import { refundSchema } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { isTransportStatus, TRANSPORT_TRANSITIONS } from '../../wire/transport-states.ts'
import { type Transportation, transportationSchema } from '../../wire/transportations.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, operation, spec } from '../check.ts'
import { each, must } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode } from '../probe.ts'

const LOOKED_AT = 5
const NO_SUCH = 'conformance-no-such-id'
const TOLERANCE = 0.0005

export const pathOf = ({ id }: Return, rest = '') => `/returns/${encodeURIComponent(id ?? '')}${rest}`

/** The active transport as it is now. */
export async function activeOf(world: World, record: Return): Promise<Transportation | undefined> {
  const read = await world.send({ method: 'GET', path: pathOf(record, '/transportations') })
  const id = record.activeTransportation?.id
  return listAt(transportationSchema, read.body, 'transportations').find((transport) => transport.id === id)
}

/** @throws Departure unless a value stands at a place such as `shippingLabels.0.format` */
export function mustShow(record: unknown, place: string, expected: unknown): string {
  const shown = place.split('.').reduce<unknown>(at, record)
  const observed = `${place} ${JSON.stringify(shown)}`
  must(isDeepStrictEqual(shown, expected), `${observed}, not ${JSON.stringify(expected)}`)
  return observed
}

/** Of the active transport; undefined without a known status. */
export function hasEnded({ activeTransportation }: Return): boolean | undefined {
  const status = activeTransportation?.status
  return isTransportStatus(status) ? TRANSPORT_TRANSITIONS[status].length === 0 : undefined
}

/** A few returns, over the whole sample. */
export function spread(sample: readonly Return[]): Return[] {
  const step = Math.max(1, Math.floor(sample.length / LOOKED_AT))
  return sample.filter((_record, index) => index % step === 0).slice(0, LOOKED_AT)
}

/** Records below a few returns. */
const below = <S extends z.ZodType>(schema: S, key: string, fits = (_: Return) => true) =>
  once(async (world: World) => {
    const found = []
    for (const record of spread((await world.sample()).filter(fits))) {
      const answer = await world.get(pathOf(record, `/${key}`))
      mustAnswer(answer, 200, `the ${key} of ${record.name}`)
      found.push({ record, items: listAt(schema, answer.body, key) })
    }
    return found
  })

const transported = below(
  transportationSchema,
  'transportations',
  ({ activeTransportation }) => !!activeTransportation,
)
const refunded = below(refundSchema, 'refunds')

/** @throws Departure unless each path is answered with 404 and the code */
async function mustNotBeThere(world: World, code: string, paths: readonly string[]): Promise<string> {
  const words = []
  for (const path of paths) {
    const answer = await world.get(path)
    words.push(mustAnswerCode(answer, 404, code, path))
  }
  return `${words.length} times 404 ${code}`
}

const pairs = <T>({ record, items }: { record: Return; items: T[] }) =>
  items.map((item) => ({ record, item }))

const allRefunds = async (world: World) => (await refunded(world)).flatMap(({ items }) => items)

/** A read of spec §4.8 that answers; `idIn` is in the answer. */
const readCheck = (
  id: string,
  rest: (transport: string) => string,
  idIn: (record: Return) => unknown,
): Check =>
  operation(
    spec(id, '§4.8', `GET /returns/{id}${rest('{id}')} answers with what its path names`, async (world) => {
      const record = await world.find('with an id', (each) => idIn(each) !== undefined)
      const answer = await world.get(pathOf(record, rest(record.activeTransportation?.id ?? '')))
      const shown = JSON.stringify(idIn(record))
      const words = `${mustAnswer(answer, 200)} with the id ${shown}`
      must(typeof answer.body === 'object' && answer.text.includes(shown), `not ${words}`)
      return words
    }),
  )

const transportId = ({ activeTransportation }: Return) => activeTransportation?.id

/** Spec §4.8, which leaves the payloads open. */
export const SINGLE_READ_CHECKS: readonly Check[] = [
  assumed('return.same', '§4.8', 'GET /returns/{id} gives the record that the list has', async (world) => {
    const pairs = []
    for (const listed of spread(await world.sample())) {
      const answer = await world.get(pathOf(listed))
      mustAnswer(answer, 200, listed.name)
      pairs.push({ listed, single: answer.body })
    }
    return each(pairs, 'returns', ({ listed, single }) =>
      isDeepStrictEqual(listed, single) ? undefined : `${listed.name} differs from its record in the list`,
    )
  }),
  readCheck(
    'return.id',
    () => '',
    ({ id }) => id,
  ),
  readCheck('transportations.answer', () => '/transportations', transportId),
  readCheck('transportations.one', (id) => `/transportations/${id}`, transportId),
  operation(
    spec('refunds.answer', '§4.8', 'GET /returns/{id}/refunds answers', async (world) =>
      mustAnswer(await world.get(pathOf(await world.any(), '/refunds')), 200),
    ),
  ),
  assumed(
    'return.unknown',
    '§4.8',
    'A return that there is not is answered with 404 RT01, and what is below it',
    (world) =>
      mustNotBeThere(
        world,
        'RT01',
        ['', '/transportations', `/transportations/${NO_SUCH}`, '/refunds'].map(
          (rest) => `/returns/${NO_SUCH}${rest}`,
        ),
      ),
  ),
  assumed(
    'transportations.fields',
    '§2.4, §4.8',
    'transportations is a list of records with the fields of the active transportation',
    async (world) =>
      mustFit(
        transportationSchema,
        (await transported(world)).flatMap(({ items }) => items),
        'transportations',
      ),
  ),
  assumed(
    'transportations.active',
    '§4.8',
    'The active transportation is one of them, with the same values',
    async (world) =>
      each(await transported(world), 'returns', ({ record, items }) => {
        const active = record.activeTransportation
        const same = items.find(({ id }) => id === active?.id)
        if (same === undefined) return `${record.name}: ${active?.id} is not among them`
        const other = Object.entries(active ?? {}).find(
          ([field, value]) => !isDeepStrictEqual(Reflect.get(same, field), value),
        )
        return other && `${record.name}: another ${other[0]} in the list than in the return`
      }),
  ),
  assumed(
    'transportations.single',
    '§4.8',
    'A single transportation is the element of the list',
    async (world) => {
      const found = []
      for (const { record, item } of (await transported(world)).flatMap(pairs).slice(0, LOOKED_AT)) {
        const path = pathOf(record, `/transportations/${encodeURIComponent(item.id ?? '')}`)
        const answer = await world.get(path)
        mustAnswer(answer, 200, path)
        found.push({ item, single: answer.body })
      }
      return each(found, 'transportations', ({ item, single }) =>
        isDeepStrictEqual(item, single) ? undefined : `${item.id} differs from its element`,
      )
    },
  ),
  assumed(
    'transportations.unknown',
    '§4.8',
    'A transportation that the return has not is answered with 404 TP01',
    async (world) => {
      const record = await world.any()
      return mustNotBeThere(world, 'TP01', [pathOf(record, `/transportations/${NO_SUCH}`)])
    },
  ),
  assumed(
    'refunds.fields',
    '§4.8',
    'refunds is a list of records with amounts, status, type and mode',
    async (world) =>
      mustFit(
        refundSchema.required({ id: true, amount: true, currency: true, status: true }),
        await allRefunds(world),
        'refunds',
      ),
  ),
  assumed(
    'refunds.return',
    '§4.8',
    'A refund names the return that it is of, and its currency',
    async (world) =>
      each((await refunded(world)).flatMap(pairs), 'refunds', ({ record, item }) =>
        item.returnId === record.id && item.currency === record.currency
          ? undefined
          : `${item.id} of ${record.id}: returnId ${item.returnId}, ${item.currency}`,
      ),
  ),
  assumed(
    'refunds.amount',
    '§4.8',
    'The amount of a refund is that of its items minus the fee',
    async (world) =>
      each(await allRefunds(world), 'refunds', ({ id, amount, fee, lineItems }) => {
        const items = (lineItems ?? []).map((line) => Number(line.amount))
        const expected = items.reduce((sum, each) => sum + each, 0) - Number(fee ?? 0)
        return items.length === 0 || Math.abs(Number(amount) - expected) < TOLERANCE
          ? undefined
          : `${id}: ${amount}, but its items make up ${Number(expected.toFixed(4))}`
      }),
  ),
  assumed(
    'refunds.executed',
    '§4.8',
    'Executed refunds have an execution date, and no others',
    async (world) =>
      each(await allRefunds(world), 'refunds', ({ id, status, executedAt }) =>
        (status === 'EXECUTED') === !!executedAt ? undefined : `${id}: ${status}, executedAt ${executedAt}`,
      ),
  ),
]
