import { asTyped } from './command-line.ts'
import { homeAt, type RunOptions, runCli } from './run-cli.ts'
import { type Answer, pageOf, type RecordedRequest, refusal, scriptServer } from './script-server.ts'

type Label = Record<string, unknown>

/** Facts of a transport, most of them hidden from clients. */
export interface PlainTransport {
  id: string
  returnName: string
  shopCode: string
  clientReference: string
  labels: Label[]
}

export interface PlainPlatformOptions {
  /** Label sets by the id that they were requested for. */
  sets?: Record<string, Label[]>
  /** Answers an update instead of carrying it out. */
  insteadOfUpdate?: () => Answer | undefined
  /** Answers an update after carrying it out. */
  afterUpdate?: () => Answer | undefined
}

/**
 * A platform that shows only the fields of the specification: the first label's code, address and URL of a transport,
 * and no single transports. An update replaces all labels.
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
    if (method === 'PUT' || path === '/shipping_trackings') {
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
    return refusal('XX01', 'There is none', 404)
  }
  const server = await scriptServer(answer)
  const env = homeAt(server.baseUrl)
  return {
    transport,
    env,
    dataDir: env.RMA_DATA_DIR,
    puts: () => server.requests.filter(({ method }) => method === 'PUT').map(({ json }) => json),
    run: asTyped((argv, options: RunOptions = {}) =>
      runCli(argv, { ...options, env: { ...env, ...options.env } }),
    ),
  }
}

/** Arguments of a printed `rma labels update --undo FILE`. */
export function undoArguments(undo: unknown): string[] {
  const [program, ...words] = String(undo).match(/'[^']*'|\S+/g) ?? []
  if (program !== 'rma') throw new Error(`no command: ${String(undo)}`)
  return words.map((word) => word.replaceAll("'", ''))
}
