import { isDeepStrictEqual } from 'node:util'
import { at } from '../../wire/raw.ts'
import { type Refund, refundSchema } from '../../wire/refunds.ts'
import type { Return } from '../../wire/returns.ts'
import { isTransportStatus, TRANSPORT_TRANSITIONS } from '../../wire/transport-states.ts'
import { type Transportation, transportationSchema } from '../../wire/transportations.ts'
import { mustFit } from '../as-sent.ts'
import { assumed, type Check, spec } from '../check.ts'
import { each, must, need } from '../observed.ts'
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

interface Transported {
  record: Return
  transportations: Transportation[]
}

const transported = once(async (world: World): Promise<Transported[]> => {
  const sample = await world.sample()
  const found = []
  for (const record of spread(sample.filter(({ activeTransportation }) => !!activeTransportation))) {
    const answer = await world.get(pathOf(record, '/transportations'))
    mustAnswer(answer, 200, `the transportations of ${record.name}`)
    found.push({ record, transportations: listAt(transportationSchema, answer.body, 'transportations') })
  }
  return found
})

const refunded = once(async (world: World): Promise<{ record: Return; refunds: Refund[] }[]> => {
  const found = []
  for (const record of spread(await world.sample())) {
    const answer = await world.get(pathOf(record, '/refunds'))
    mustAnswer(answer, 200, `the refunds of ${record.name}`)
    found.push({ record, refunds: listAt(refundSchema, answer.body, 'refunds') })
  }
  return found
})

/** @throws Departure unless each path is answered with 404 and the code */
async function mustNotBeThere(world: World, code: string, paths: readonly string[]): Promise<string> {
  const words = []
  for (const path of paths) {
    const answer = await world.get(path)
    words.push(mustAnswerCode(answer, 404, code, path))
  }
  return `${words.length} times 404 ${code}`
}

const transportsOf = async (world: World) =>
  (await transported(world)).flatMap(({ record, transportations }) =>
    transportations.map((transport) => ({ record, transport })),
  )

const allRefunds = async (world: World) => (await refunded(world)).flatMap(({ refunds }) => refunds)

/** The operations of spec §4.8: each with what follows the return's path, and an id that is in the answer. */
const READS = {
  'return.id': { of: 'a single return', rest: () => '', idIn: ({ id }: Return) => id },
  'transportations.answer': {
    of: 'the transportations of a return',
    rest: () => '/transportations',
    idIn: ({ activeTransportation }: Return) => activeTransportation?.id,
  },
  'transportations.one': {
    of: 'a transportation',
    rest: ({ activeTransportation }: Return) => `/transportations/${activeTransportation?.id}`,
    idIn: ({ activeTransportation }: Return) => activeTransportation?.id,
  },
  'refunds.answer': { of: 'the refunds of a return', rest: () => '/refunds', idIn: () => '' },
}

function readCheck(id: keyof typeof READS): Check {
  const { of, rest, idIn } = READS[id]
  return {
    id,
    specified: `There is an answer with ${of}`,
    ...spec('§4.8', { shows: of }),
    run: async (world) => {
      const record = await world.find('with an id', (each) => idIn(each) !== undefined)
      const answer = await world.get(pathOf(record, rest(record)))
      const words = mustAnswer(answer, 200, of)
      const shown = idIn(record) ? JSON.stringify(idIn(record)) : ''
      must(
        typeof answer.body === 'object' && answer.text.includes(shown),
        `${words}, without the id ${shown}`,
      )
      return words
    },
  }
}

/** Spec §4.8, which leaves the payloads open. */
export const SINGLE_READ_CHECKS: readonly Check[] = [
  {
    id: 'return.same',
    specified: 'GET /returns/{id} gives the record that the list has',
    ...assumed('§4.8'),
    run: async (world) => {
      const pairs = []
      for (const listed of spread(await world.sample())) {
        const answer = await world.get(pathOf(listed))
        mustAnswer(answer, 200, listed.name)
        pairs.push({ listed, single: answer.body })
      }
      return each(pairs, 'returns', ({ listed, single }) =>
        isDeepStrictEqual(listed, single) ? undefined : `${listed.name} differs from its record in the list`,
      )
    },
  },
  readCheck('return.id'),
  readCheck('transportations.answer'),
  readCheck('transportations.one'),
  readCheck('refunds.answer'),
  {
    id: 'return.unknown',
    specified: 'A return that there is not is answered with 404 RT01, and what is below it',
    ...assumed('§4.8'),
    run: (world) =>
      mustNotBeThere(
        world,
        'RT01',
        ['', '/transportations', `/transportations/${NO_SUCH}`, '/refunds'].map(
          (rest) => `/returns/${NO_SUCH}${rest}`,
        ),
      ),
  },
  {
    id: 'transportations.fields',
    specified: 'transportations is a list of records with the fields of the active transportation',
    ...assumed('§2.4, §4.8'),
    run: async (world) =>
      mustFit(
        transportationSchema,
        (await transportsOf(world)).map(({ transport }) => transport),
        'transportations',
      ),
  },
  {
    id: 'transportations.active',
    specified: 'The active transportation is one of them, with the same values',
    ...assumed('§4.8'),
    run: async (world) =>
      each(await transported(world), 'returns', ({ record, transportations }) => {
        const active = record.activeTransportation
        const same = transportations.find(({ id }) => id === active?.id)
        if (same === undefined) return `${record.name}: ${active?.id} is not among them`
        const other = Object.entries(active ?? {}).find(
          ([field, value]) => !isDeepStrictEqual(Reflect.get(same, field), value),
        )
        return other && `${record.name}: another ${other[0]} in the list than in the return`
      }),
  },
  {
    id: 'transportations.single',
    specified: 'A single transportation is the element of the list',
    ...assumed('§4.8'),
    run: async (world) => {
      const pairs = []
      for (const { record, transport } of (await transportsOf(world)).slice(0, LOOKED_AT)) {
        const path = pathOf(record, `/transportations/${encodeURIComponent(transport.id ?? '')}`)
        const answer = await world.get(path)
        mustAnswer(answer, 200, path)
        pairs.push({ transport, single: answer.body })
      }
      return each(pairs, 'transportations', ({ transport, single }) =>
        isDeepStrictEqual(transport, single) ? undefined : `${transport.id} differs from its element`,
      )
    },
  },
  {
    id: 'transportations.unknown',
    specified: 'A transportation that the return has not is answered with 404 TP01',
    ...assumed('§4.8'),
    run: async (world) => {
      const record = need((await world.sample()).at(0), 'there are no returns')
      return mustNotBeThere(world, 'TP01', [pathOf(record, `/transportations/${NO_SUCH}`)])
    },
  },
  {
    id: 'refunds.fields',
    specified: 'refunds is a list of records with amounts, status, type and mode',
    ...assumed('§4.8'),
    run: async (world) =>
      mustFit(
        refundSchema.required({ id: true, amount: true, currency: true, status: true }),
        await allRefunds(world),
        'refunds',
      ),
  },
  {
    id: 'refunds.return',
    specified: 'A refund names the return that it is of, and its currency',
    ...assumed('§4.8'),
    run: async (world) => {
      const all = (await refunded(world)).flatMap(({ record, refunds }) =>
        refunds.map((refund) => ({ record, refund })),
      )
      return each(all, 'refunds', ({ record, refund }) =>
        refund.returnId === record.id && refund.currency === record.currency
          ? undefined
          : `${refund.id} of ${record.id}: returnId ${refund.returnId}, ${refund.currency}`,
      )
    },
  },
  {
    id: 'refunds.amount',
    specified: 'The amount of a refund is that of its items minus the fee',
    ...assumed('§4.8'),
    run: async (world) =>
      each(await allRefunds(world), 'refunds', ({ id, amount, fee, lineItems }) => {
        const items = (lineItems ?? []).map((line) => Number(line.amount))
        const expected = items.reduce((sum, each) => sum + each, 0) - Number(fee ?? 0)
        return items.length === 0 || Math.abs(Number(amount) - expected) < TOLERANCE
          ? undefined
          : `${id}: ${amount}, but its items make up ${Number(expected.toFixed(4))}`
      }),
  },
  {
    id: 'refunds.executed',
    specified: 'Executed refunds have an execution date, and no others',
    ...assumed('§4.8'),
    run: async (world) =>
      each(await allRefunds(world), 'refunds', ({ id, status, executedAt }) =>
        (status === 'EXECUTED') === !!executedAt ? undefined : `${id}: ${status}, executedAt ${executedAt}`,
      ),
  },
]
