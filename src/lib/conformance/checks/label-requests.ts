import type { LabelSet } from '../../wire/labels.ts'
import { at, list } from '../../wire/raw.ts'
import { SANDBOX_HEADER } from '../../wire/read.ts'
import { all, answers, type CheckRun, once, type Runs, requires } from '../check.ts'
import { each, must, toLabels } from '../expect.ts'
import { carrierOptions, item } from './label-parts.json'
import { DOCUMENTS, documentOf, labelRequest, made, mustHold, newLabels } from './labels.ts'
import requiredFields from './required-fields.json'

type Request = Awaited<ReturnType<typeof labelRequest>>

const accepted =
  (change: (request: Request) => object, look?: (set: LabelSet) => string): CheckRun =>
  async (world) => {
    await made(world)
    const request = await labelRequest(world)
    const asked = { ...request, clientShipmentId: `${request.clientShipmentId}-3` }
    const set = await newLabels(world, { ...asked, ...change(asked) })
    return look?.(set) ?? mustHold(set, asked)
  }

const added = (more: object) => accepted(() => more)

const refused = (more: object, expected: string) =>
  answers(async (world) => toLabels({ ...(await labelRequest(world)), ...more }), expected)

const withItems = ({ parcels }: Request) => ({
  parcels: parcels.map((parcel) => ({ ...parcel, items: [item] })),
})

const optional = ({ origin, destination, parcels }: Request) => ({
  clientShipmentName: 'Conformance',
  shipper: origin,
  origin: { ...origin, code: '1' },
  destination: { ...destination, code: '2' },
  parcels: parcels.map((parcel) => ({ ...parcel, height: 10, length: 10, width: 10 })),
})

/** Errors of a label to an impossible postal code. */
const carrierErrors = once(async (world) => {
  const { destination, ...request } = await labelRequest(world)
  const address = { ...destination.address, postalCode: '?' }
  const asked = toLabels({ ...request, destination: { ...destination, address } })
  const { body } = await world.expect(asked, '400', 'an impossible postal code')
  return list(at(body, 'errors')).flatMap((error) => {
    const inner = at(error, 'carrierErrors') ?? []
    must(Array.isArray(inner), 'carrierErrors that are no list')
    return list(inner)
  })
})

const CARRIER_ERROR_FIELDS = ['carrierName', 'carrierService', 'code', 'message']

export const LABEL_REQUEST_CHECKS: Runs = {
  'labels.zpl': accepted(
    () => ({ labelFormat: 'ZPL' }),
    ({ shippingLabels }) =>
      each(shippingLabels, 'labels', ({ format, base64 }) => {
        const isOther = format === 'ZPL' && base64 && !DOCUMENTS.ZPL?.test(documentOf(base64))
        return isOther && `ZPL in base64 that begins with ${base64.slice(0, 8)}`
      }),
  ),
  'labels.delivery': added({ shipmentType: 'DELIVERY' }),
  'labels.optional': accepted(optional),
  'labels.no-parcels': added({ parcels: undefined }),
  'labels.tags': added({ tags: ['source:conformance'] }),
  'labels.carrier-options': added({ carrierOptions: carrierOptions }),
  'labels.items': accepted(withItems),
  'labels.old-revision': added({ customsInfo: [item] }),
  'labels.customs-info': added({ customsInfo: [item] }),
  'labels.unknown-service': refused({ carrierServiceCode: 'CONFORMANCE_NO_SUCH_SERVICE' }, '400 LB01'),
  'labels.unknown-format': refused({ labelFormat: 'CONFORMANCE' }, '400 VA01'),
  'labels.unknown-shipment-type': refused({ shipmentType: 'CONFORMANCE' }, '400 VA01'),
  'labels.required-address': requires(['origin.address', 'destination.address'], labelRequest, toLabels),
  'labels.refusal': async (world) => {
    await made(world)
    const isOld = world.options.revision === '1.2.10'
    const fields = requiredFields.labels.filter((field) => !isOld || !field.includes('.items'))
    const request = await labelRequest(world)
    return requires(fields, () => ({ ...request, ...(!isOld && withItems(request)) }), toLabels)(world)
  },
  'labels.carrier-errors': async (world) => {
    const { length } = await carrierErrors(world)
    return must(length > 0, `carrierErrors: ${length}`)
  },
  'labels.carrier-errors-form': all(carrierErrors, 'carrierErrors', (error) => {
    const wrong = CARRIER_ERROR_FIELDS.find((name) => typeof at(error, name) !== 'string')
    return wrong && `${wrong} is ${JSON.stringify(at(error, wrong))}`
  }),
  'labels.label-free': async (world) => {
    const isSandbox = (await world.returns()).headers[SANDBOX_HEADER.toLowerCase()] !== undefined
    const request = { ...(await labelRequest(world)), carrierServiceCode: 'SBX_LABEL_FREE' }
    const { shippingLabels } = await (isSandbox ? newLabels(world, request) : made(world))
    const free = shippingLabels.filter(({ isLabelFree }) => isSandbox || isLabelFree === true)
    return each(free, 'label-free shipments', ({ isLabelFree, labelFreeCode }) => {
      const { format, base64, url } = labelFreeCode ?? {}
      const isSo = isLabelFree === true && Object.hasOwn(DOCUMENTS, format ?? '') && (base64 || url)
      return !isSo && `isLabelFree ${isLabelFree}, format ${format}`
    })
  },
  'labels.parcels': accepted(
    ({ parcels: [parcel] }) => ({ parcels: [parcel, { ...parcel, clientParcelId: '2' }] }),
    ({ shippingLabels }) => {
      const codes = new Set(shippingLabels.map(({ carrierTrackingCode }) => carrierTrackingCode))
      return must(codes.size === 2, `labels ${[...codes].join(', ')} for 2 parcels`)
    },
  ),
}
