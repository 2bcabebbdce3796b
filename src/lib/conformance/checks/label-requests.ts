import { type LabelSet, labelSetSchema } from '../../wire/labels.ts'
import { at, list } from '../../wire/raw.ts'
import { SANDBOX_HEADER } from '../../wire/sandbox.ts'
import { assumed, type Check, spec, WRITES } from '../check.ts'
import { each, must, need } from '../observed.ts'
import { listAt, once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, type ProbeAnswer } from '../probe.ts'
import { mustRequire, without } from '../required.ts'
import { labelRequest, made, mustHold, requestLabels, startOf } from './labels.ts'

type Request = Awaited<ReturnType<typeof labelRequest>>

const NEW = { ...WRITES, revision: '1.4' } as const
const ITEM = {
  description: 'Conformance check',
  hsCode: '610910',
  weight: 0.2,
  quantity: 1,
  unitPrice: 10,
  currencyCode: 'EUR',
  originCountryCode: 'ES',
}

const withItems = (request: Request) => ({
  ...request,
  parcels: request.parcels.map((parcel) => ({ ...parcel, items: [ITEM] })),
})

interface RequestCheck extends Omit<Check, 'run'> {
  /** Made of a request that is accepted. */
  change(request: Request): object
  /** Looks further at what was made. */
  look?(set: LabelSet): string
}

/** Requests that are accepted. */
const ACCEPTED: readonly RequestCheck[] = [
  {
    id: 'labels.zpl',
    specified: 'A label asked for as ZPL is made, in the format of the carrier if it has no ZPL',
    ...spec('§4.2', WRITES),
    change: (request) => ({ ...request, labelFormat: 'ZPL' }),
    look: ({ shippingLabels }) =>
      each(shippingLabels, 'labels', ({ format, base64 }) =>
        format === 'ZPL' && base64 && !startOf(base64).startsWith('^XA')
          ? `ZPL that begins with ${JSON.stringify(startOf(base64))}`
          : undefined,
      ),
  },
  {
    id: 'labels.tags',
    specified: 'tags are accepted',
    ...spec('§4.2', NEW),
    change: (request) => ({ ...request, tags: ['source:conformance'] }),
  },
  {
    id: 'labels.carrier-options',
    specified: 'carrierOptions are accepted',
    ...spec('§4.2', NEW),
    change: (request) => ({
      ...request,
      carrierOptions: {
        customsOptions: { exportTrackingNumber: 'CONF1' },
        pudoOptions: { pudoEnabled: false },
      },
    }),
  },
  {
    id: 'labels.items',
    specified: 'Items of parcels are accepted',
    ...spec('§4.2', NEW),
    change: withItems,
  },
  {
    id: 'labels.old-revision',
    specified: 'customsInfo is accepted, as revision 1.2.10 has it',
    ...assumed('§4.2, §9', NEW),
    change: (request) => ({ ...request, customsInfo: [ITEM] }),
  },
  {
    id: 'labels.customs-info',
    specified: 'customsInfo is accepted',
    ...spec('§4.2, §9', { ...WRITES, revision: '1.2.10' }),
    change: (request) => ({ ...request, customsInfo: [ITEM] }),
  },
]

function acceptedCheck({ change, look, ...check }: RequestCheck): Check {
  const run = async (world: World) => {
    await made(world)
    const request = await labelRequest(world)
    const clientShipmentId = `${request.clientShipmentId}-${check.id}`
    const answer = await requestLabels(world, { ...change(request), clientShipmentId })
    mustAnswer(answer, 200)
    const [set] = listAt(labelSetSchema, [answer.body], undefined)
    const words = mustHold(need(set, 'no label was made'), { ...request, clientShipmentId })
    return look?.(need(set, '')) ?? words
  }
  return { ...check, run }
}

/** Requests that are refused, which the specification leaves open. */
const REFUSED: readonly (RequestCheck & { code: string })[] = [
  {
    id: 'labels.unknown-service',
    specified: 'An unknown carrier connection is refused with 400 LB01',
    ...assumed('§4.2', WRITES),
    change: (request) => ({ ...request, carrierServiceCode: 'CONFORMANCE_NO_SUCH_SERVICE' }),
    code: 'LB01',
  },
  {
    id: 'labels.unknown-format',
    specified: 'An unknown labelFormat is refused with 400 VA01',
    ...assumed('§4.2', WRITES),
    change: (request) => ({ ...request, labelFormat: 'CONFORMANCE' }),
    code: 'VA01',
  },
  {
    id: 'labels.unknown-shipment-type',
    specified: 'An unknown shipmentType is refused with 400 VA01',
    ...assumed('§4.2', WRITES),
    change: (request) => ({ ...request, shipmentType: 'CONFORMANCE' }),
    code: 'VA01',
  },
  {
    id: 'labels.required-address',
    specified: 'A label request without origin.address is refused with 400 VA01',
    ...assumed('§4.2', WRITES),
    change: (request) => without(request, 'origin.address'),
    code: 'VA01',
  },
]

function refusedCheck({ change, code, ...check }: (typeof REFUSED)[number]): Check {
  const run = async (world: World) =>
    mustAnswerCode(await requestLabels(world, change(await labelRequest(world))), 400, code)
  return { ...check, run }
}

const PARTY = ['', '.fullName', '.email', '.phone']
const ADDRESS = ['.address.line1', '.address.city', '.address.postalCode', '.address.countryCode']
/** Fields that spec §4.2 requires. */
const REQUIRED = [
  ...['shipmentType', 'clientShipmentId', 'carrierServiceCode', 'labelFormat'],
  ...['origin', 'destination'].flatMap((party) => [...PARTY, ...ADDRESS].map((field) => party + field)),
  ...['clientParcelId', 'description'].map((field) => `parcels.0.${field}`),
  ...['description', 'hsCode', 'quantity', 'unitPrice'].map((field) => `parcels.0.items.0.${field}`),
]

/** Asks for a label to a postal code that there is nowhere. */
const carrierRefusal = once(async (world: World): Promise<ProbeAnswer> => {
  const { destination, ...request } = await labelRequest(world)
  const address = { ...destination.address, postalCode: '?' }
  const answer = await requestLabels(world, { ...request, destination: { ...destination, address } })
  mustAnswer(answer, 400, 'a postal code that there is nowhere')
  return answer
})

function carrierErrorsOf({ body }: ProbeAnswer): unknown[] {
  const lists = list(at(body, 'errors')).map((error) => at(error, 'carrierErrors') ?? [])
  must(lists.every(Array.isArray), 'carrierErrors that are no list')
  return lists.flat()
}

const CARRIER_ERROR_FIELDS = ['carrierName', 'carrierService', 'code', 'message']

/** Spec §4.2. */
export const LABEL_REQUEST_CHECKS: readonly Check[] = [
  ...ACCEPTED.map(acceptedCheck),
  ...REFUSED.map(refusedCheck),
  {
    id: 'labels.refusal',
    specified:
      'A label request without a required field is refused with 400 and a list errors of code and message',
    ...spec('§2.5, §4.2, §7', WRITES),
    run: async (world) => {
      await made(world)
      const isOld = world.revision === '1.2.10'
      const fields = REQUIRED.filter((field) => !isOld || !field.includes('.items'))
      const request = await labelRequest(world)
      return mustRequire(fields, isOld ? request : withItems(request), (body) => requestLabels(world, body))
    },
  },
  {
    id: 'labels.carrier-errors',
    specified: 'A postal code that there is nowhere is refused with carrierErrors',
    ...assumed('§7', WRITES),
    run: async (world) => {
      const errors = carrierErrorsOf(await carrierRefusal(world))
      must(errors.length > 0, 'no carrierErrors')
      return `carrierErrors: ${errors.length}`
    },
  },
  {
    id: 'labels.carrier-errors-form',
    specified: `carrierErrors are a list of ${CARRIER_ERROR_FIELDS.join(', ')}`,
    ...spec('§7', WRITES),
    run: async (world) =>
      each(carrierErrorsOf(await carrierRefusal(world)), 'carrierErrors', (error) => {
        const wrong = CARRIER_ERROR_FIELDS.find((name) => typeof at(error, name) !== 'string')
        return wrong && `${wrong} is ${JSON.stringify(at(error, wrong))}`
      }),
  },
  {
    id: 'labels.label-free',
    specified: 'A label-free shipment has a labelFreeCode with a format and a document',
    ...spec('§2.6', WRITES),
    run: async (world) => {
      const { headers } = await world.returns()
      const request = await labelRequest(world)
      const isSandbox = headers[SANDBOX_HEADER.toLowerCase()] !== undefined
      const changed = { ...request, carrierServiceCode: 'SBX_LABEL_FREE' }
      const { body } = isSandbox ? await requestLabels(world, changed) : (await made(world)).answer
      const labels = list(at(body, 'shippingLabels'))
      const free = labels.filter((label) => isSandbox || at(label, 'isLabelFree') === true)
      return each(free, 'label-free shipments', (label) => {
        const { format, base64, url } = Object(at(label, 'labelFreeCode'))
        const isSo = at(label, 'isLabelFree') === true && /^(PDF|ZPL|PNG)$/.test(format) && (base64 || url)
        return isSo ? undefined : `isLabelFree ${at(label, 'isLabelFree')}, format ${format}`
      })
    },
  },
]
