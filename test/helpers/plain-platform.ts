import { freshHome, type RunOptions, runCli } from './run-cli.ts'
import { type Answer, pageOf, type RecordedRequest, scriptServer } from './script-server.ts'

type Label = Record<string, unknown>

/** Facts of a transport. The platform knows all of them and shows few. */
export interface PlainTransport {
  id: string
  returnName: string
  shopCode: string
  clientReference: string
  labels: Label[]
}

export interface PlainPlatformOptions {
  /** The sets that labels were made with, by the id that they were made under. */
  sets?: Record<string, Label[]>
  /** Answered to an update instead of carrying it out. */
  insteadOfUpdate?: () => Answer | undefined
  /** Answered to an update that has been carried out. */
  afterUpdate?: () => Answer | undefined
}

/**
 * A platform that tells no more than the specification shows: of a transport the first label's code, address and URL, and
 * nothing of a single transport. An update replaces all that there is.
 */
export async function plainPlatform(
  transport: PlainTransport,
  { sets = {}, insteadOfUpdate, afterUpdate }: PlainPlatformOptions = {},
) {
  const record = () => {
    const [first = {}] = transport.labels
    return {
      id: 'RET1',
      name: transport.returnName,
      shopCode: transport.shopCode,
      ecommerceOrder: { id: '1', name: '1001' },
      returnLineItems: [],
      activeTransportation: {
        id: transport.id,
        status: 'REQUESTED',
        clientReference: transport.clientReference,
        carrierReference: first.carrierTrackingCode,
        carrierTrackingUrl: first.carrierTrackingUrl,
        carrierLabel: first.url,
      },
    }
  }
  const answer = ({ method, path, query, json }: RecordedRequest): Answer => {
    if (method === 'PUT') {
      const instead = insteadOfUpdate?.()
      if (instead) return instead
      transport.labels = (json as { shippingLabels: Label[] }).shippingLabels
      return afterUpdate?.() ?? { body: { statusCode: 'OK', description: 'updated' } }
    }
    if (path === '/returns') {
      const name = query.get('name')
      const isFound = name === null || name === transport.returnName
      return { body: pageOf(isFound ? [record()] : [], 1) }
    }
    if (path === '/returns/RET1') return { body: record() }
    const made = path === '/shipping_labels' ? sets[query.get('client_shipment_id') ?? ''] : undefined
    if (made) return { body: [{ shippingLabels: made }] }
    return { status: 404, body: { errors: [{ code: 'XX01', message: 'There is none' }], status: 404 } }
  }
  const server = await scriptServer(answer)
  const home = freshHome()
  const env = { ...home, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'token', RMA_TIME_ZONE: 'UTC' }
  return {
    transport,
    env,
    dataDir: home.RMA_DATA_DIR ?? '',
    puts: () => server.requests.filter(({ method }) => method === 'PUT').map(({ json }) => json),
    run: (argv: string[], options: RunOptions = {}) =>
      runCli(argv, { ...options, env: { ...env, ...options.env } }),
  }
}

/** `rma labels update --undo FILE` as it was printed, as arguments. */
export function undoArguments(undo: unknown): string[] {
  const [program, ...words] = String(undo).match(/'[^']*'|\S+/g) ?? []
  if (program !== 'rma') throw new Error(`no command: ${String(undo)}`)
  return words.map((word) => word.replaceAll("'", ''))
}
