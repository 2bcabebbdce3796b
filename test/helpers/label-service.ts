import { setTimeout as delay } from 'node:timers/promises'
import fullReturn from '../fixtures/wire/return.full.json' with { type: 'json' }
import { asTyped, jsonOf } from './command-line.ts'
import { homeAt, type RunOptions, runCli } from './run-cli.ts'
import { type Answer, pageOf, type RecordedRequest, refusal, scriptServer } from './script-server.ts'

export const PDF = Buffer.from('%PDF-1.4\n%test label\n')
export const ZPL = Buffer.from('^XA^FO10,10^FDtest^FS^XZ')
export const PNG = Buffer.from('89504e470d0a1a0a0000000d', 'hex')

export interface Sent {
  clientShipmentId: string
  carrierServiceCode: string
  labelFormat: string
  shopCode?: string
}

interface Update {
  shipmentId: string
  shippingLabels: { carrierTrackingCode?: string }[]
}

/** A label in the service's base64 form. */
export function label(content: Buffer, tracking = 'TRK-1') {
  return { carrierTrackingCode: tracking, isLabelFree: false, base64: content.toString('base64') }
}

export function labelRequest(clientShipmentId: string, more: object = {}) {
  const address = { line1: 'Calle Mayor 1', city: 'Madrid', postalCode: '28013', countryCode: 'ES' }
  const party = { fullName: 'Ana', email: 'ana@example.com', phone: '+34600123456', address }
  return {
    shipmentType: 'RETURN',
    clientShipmentId,
    carrierServiceCode: 'TEST',
    labelFormat: 'PDF',
    origin: party,
    destination: party,
    ...more,
  }
}

/** Labels in the JSON of a command. */
export const filesOf = (result: { stdout: string }) => jsonOf(result).files as Record<string, unknown>[]

/** A return and the transport for its label. */
export type TestReturn = Omit<typeof fullReturn, 'activeTransportation'> & {
  activeTransportation?: Record<string, string>
}

/** A return that waits for its parcel. */
export function labelReturn(name: string, transport: Record<string, string> = {}, more = {}): TestReturn {
  const activeTransportation = {
    id: '1',
    status: 'REQUESTED',
    clientReference: 'P#R#MOD10482',
    ...transport,
  }
  return { ...fullReturn, id: `id-${name.slice(3)}`, name, status: 'PENDING', activeTransportation, ...more }
}

export interface LabelServiceOptions {
  /** Returns of the service, read at each request. */
  returns?: readonly TestReturn[]
  /** Earlier transports by name of the return. */
  formerTransports?: Readonly<Record<string, object[]>>
  /** Answers the n-th update of labels. By default the return shows the update. */
  insteadOfUpdating?: (index: number) => Answer | undefined
  /** Milliseconds that a carrier takes for a label. */
  makingMs?: number
  /** Answer to the n-th label request (from 0), after its effect. */
  afterMaking?: (index: number) => Answer | undefined
  /** Answers such a request instead of carrying it out. */
  insteadOfMaking?: (index: number, id: string) => Answer | undefined
  /** Answer to the n-th read. */
  look?: (index: number) => Answer | undefined
  labelsOf?: (request: Sent, made: number) => object[]
  /** Answers with documents by path, such as `/label.pdf`. */
  files?: Readonly<Record<string, Answer>>
}

export type LabelService = Awaited<ReturnType<typeof labelService>>

/** A label service that carries out requests, and may then fail to report it. */
export async function labelService(options: LabelServiceOptions = {}) {
  const made = new Map<string, object[]>()
  const { labelsOf = (_request, count) => [label(PDF, `TRK-${count}`)] } = options
  let posts = 0
  let looks = 0
  let puts = 0
  const { returns = [] } = options
  const server = await scriptServer(async (request): Promise<Answer> => {
    const ofReturns = answerReturns(request, returns, options.formerTransports)
    if (ofReturns) return ofReturns
    const file = options.files?.[request.path]
    if (file) return file
    if (request.path !== '/shipping_labels') return { status: 404, body: 'no such path' }
    if (request.method === 'PUT') {
      return options.insteadOfUpdating?.(puts++) ?? answerUpdate(request.json as Update, returns)
    }
    if (request.method === 'GET') {
      return options.look?.(looks++) ?? answerLook(request.query.get('client_shipment_id') ?? '', made)
    }
    const index = posts++
    if (options.makingMs) await delay(options.makingMs)
    const sent = request.json as Sent
    const instead = options.insteadOfMaking?.(index, sent.clientShipmentId)
    if (instead) return instead
    const sets = made.get(sent.clientShipmentId) ?? []
    const set = {
      carrierCode: 'T',
      carrierServiceCode: sent.carrierServiceCode,
      clientShipmentId: sent.clientShipmentId,
      shippingLabels: labelsOf(sent, sets.length + 1),
    }
    made.set(sent.clientShipmentId, [...sets, set])
    return options.afterMaking?.(index) ?? { body: set }
  })
  return Object.assign(server, {
    /** Label sets by shipment, including initial ones. */
    made,
    /** Received label requests. */
    posts: () => server.requests.filter(({ method }) => method === 'POST'),
    /** Received label updates. */
    puts: () => server.requests.filter(({ method }) => method === 'PUT'),
    run: asTyped((argv, runOptions: RunOptions = {}) =>
      runCli(argv, { ...runOptions, env: homeAt(server.baseUrl, runOptions.env) }),
    ),
  })
}

function answerLook(id: string, made: ReadonlyMap<string, object[]>): Answer {
  const sets = made.get(id)
  if (sets) return { body: sets }
  return refusal('LB03', `No label of ${id}`, 404)
}

function answerReturns(
  { path, query }: RecordedRequest,
  returns: readonly TestReturn[],
  former: LabelServiceOptions['formerTransports'] = {},
): Answer | undefined {
  if (path !== '/returns') {
    const asked = returns.find(({ id }) => path.split('/')[2] === id)
    if (!path.endsWith('/transportations')) return asked && { body: asked }
    const now = asked?.activeTransportation
    return asked && { body: { transportations: [...(former[asked.name] ?? []), ...(now ? [now] : [])] } }
  }
  const [named, order, status] = ['name', 'ecommerce_order', 'status'].map((key) => query.get(key))
  const found = returns.filter((one) =>
    status === null ? one.name === named || one.ecommerceOrder.name === order : one.status === status,
  )
  return { body: pageOf(found) }
}

function answerUpdate({ shipmentId, shippingLabels }: Update, returns: readonly TestReturn[]): Answer {
  const transport = returns.find(({ name }) => name === shipmentId)?.activeTransportation
  if (transport) transport.carrierReference = shippingLabels[0]?.carrierTrackingCode ?? ''
  return { body: { statusCode: 'OK', description: 'updated' } }
}
