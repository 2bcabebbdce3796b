import type { LabelSet } from '../../wire/labels.ts'
import { at, list } from '../../wire/raw.ts'
import { SANDBOX_HEADER } from '../../wire/sandbox.ts'
import { assumed, type Check, ofRevision, spec, writing } from '../check.ts'
import { each, must } from '../observed.ts'
import { once, type World } from '../platform-view.ts'
import { mustAnswer, mustAnswerCode, type ProbeAnswer } from '../probe.ts'
import { mustRequire } from '../required.ts'
import { labelRequest, made, mustHold, newLabels, requestLabels, startOf } from './labels.ts'

type Request = Awaited<ReturnType<typeof labelRequest>>

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

/** A change after which a request is still accepted; `look` is for further looks at what was made. */
const accepted =
  (change: (request: Request) => object, look?: (set: LabelSet) => string) => async (world: World) => {
    await made(world)
    const request = await labelRequest(world)
    const clientShipmentId = `${request.clientShipmentId}-3`
    const set = await newLabels(world, { ...change(request), clientShipmentId })
    const words = mustHold(set, { ...request, clientShipmentId })
    return look?.(set) ?? words
  }

/** A change after which a request is refused. */
const refused = (code: string, change: (request: Request) => object) => async (world: World) =>
  mustAnswerCode(await requestLabels(world, change(await labelRequest(world))), 400, code)

const mustBeZpl = ({ shippingLabels }: LabelSet) =>
  each(shippingLabels, 'labels', ({ format, base64 }) =>
    format === 'ZPL' && base64 && !startOf(base64).startsWith('^XA')
      ? `ZPL that begins with ${JSON.stringify(startOf(base64))}`
      : undefined,
  )

const withCustomsInfo = accepted((request) => ({ ...request, customsInfo: [ITEM] }))

const CARRIER_OPTIONS = {
  customsOptions: { exportTrackingNumber: 'CONF1' },
  pudoOptions: { pudoEnabled: false },
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
export const LABEL_REQUEST_CHECKS: readonly Check[] = writing(
  spec(
    'labels.zpl',
    '§4.2',
    'A label asked for as ZPL is made, in the format of the carrier if it has no ZPL',
    accepted((request) => ({ ...request, labelFormat: 'ZPL' }), mustBeZpl),
  ),
  ...ofRevision(
    '1.4',
    spec(
      'labels.tags',
      '§4.2',
      'tags are accepted',
      accepted((request) => ({ ...request, tags: ['source:conformance'] })),
    ),
    spec(
      'labels.carrier-options',
      '§4.2',
      'carrierOptions are accepted',
      accepted((request) => ({ ...request, carrierOptions: CARRIER_OPTIONS })),
    ),
    spec('labels.items', '§4.2', 'Items of parcels are accepted', accepted(withItems)),
    assumed('labels.old-revision', '§4.2, §9', 'customsInfo of revision 1.2.10 is accepted', withCustomsInfo),
  ),
  ...ofRevision(
    '1.2.10',
    spec('labels.customs-info', '§4.2, §9', 'customsInfo is accepted', withCustomsInfo),
  ),
  assumed(
    'labels.unknown-service',
    '§4.2',
    'An unknown carrier connection is refused with 400 LB01',
    refused('LB01', (request) => ({ ...request, carrierServiceCode: 'CONFORMANCE_NO_SUCH_SERVICE' })),
  ),
  assumed(
    'labels.unknown-format',
    '§4.2',
    'An unknown labelFormat is refused with 400 VA01',
    refused('VA01', (request) => ({ ...request, labelFormat: 'CONFORMANCE' })),
  ),
  assumed(
    'labels.unknown-shipment-type',
    '§4.2',
    'An unknown shipmentType is refused with 400 VA01',
    refused('VA01', (request) => ({ ...request, shipmentType: 'CONFORMANCE' })),
  ),
  assumed(
    'labels.required-address',
    '§4.2',
    'A label request without the address of origin or destination is refused with 400',
    async (world) =>
      mustRequire(['origin.address', 'destination.address'], await labelRequest(world), (body) =>
        requestLabels(world, body),
      ),
  ),
  spec(
    'labels.refusal',
    '§2.5, §4.2, §7',
    'A label request without a required field is refused with 400 and a list errors of code and message',
    async (world) => {
      await made(world)
      const isOld = world.revision === '1.2.10'
      const fields = REQUIRED.filter((field) => !isOld || !field.includes('.items'))
      const request = await labelRequest(world)
      return mustRequire(fields, isOld ? request : withItems(request), (body) => requestLabels(world, body))
    },
  ),
  assumed(
    'labels.carrier-errors',
    '§7',
    'A postal code that there is nowhere is refused with carrierErrors',
    async (world) => {
      const errors = carrierErrorsOf(await carrierRefusal(world))
      return must(errors.length > 0, `carrierErrors: ${errors.length}`)
    },
  ),
  spec(
    'labels.carrier-errors-form',
    '§7',
    `carrierErrors are a list of ${CARRIER_ERROR_FIELDS.join(', ')}`,
    async (world) =>
      each(carrierErrorsOf(await carrierRefusal(world)), 'carrierErrors', (error) => {
        const wrong = CARRIER_ERROR_FIELDS.find((name) => typeof at(error, name) !== 'string')
        return wrong && `${wrong} is ${JSON.stringify(at(error, wrong))}`
      }),
  ),
  spec(
    'labels.label-free',
    '§2.6',
    'A label-free shipment has a labelFreeCode with a format and a document',
    async (world) => {
      const { headers } = await world.returns()
      const isSandbox = headers[SANDBOX_HEADER.toLowerCase()] !== undefined
      const request = { ...(await labelRequest(world)), carrierServiceCode: 'SBX_LABEL_FREE' }
      const { shippingLabels } = await (isSandbox ? newLabels(world, request) : made(world))
      const free = shippingLabels.filter(({ isLabelFree }) => isSandbox || isLabelFree === true)
      return each(free, 'label-free shipments', ({ isLabelFree, labelFreeCode }) => {
        const { format, base64, url } = labelFreeCode ?? {}
        const isSo = isLabelFree === true && /^(PDF|ZPL|PNG)$/.test(format ?? '') && (base64 || url)
        return isSo ? undefined : `isLabelFree ${isLabelFree}, format ${format}`
      })
    },
  ),
)
