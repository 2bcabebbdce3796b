// A minimal service of tracking updates, fast enough that only the client is measured. Prints its port.
//
// node tracking-server.mjs                  accepts all
// node tracking-server.mjs window 200       at most 200 in each second
// node tracking-server.mjs full 200         token bucket: 200 at once, then 200 a second
// node tracking-server.mjs empty 200        the same, empty at first
// node tracking-server.mjs small 200        token bucket of 20, then 200 a second
// node tracking-server.mjs chance 200       random refusal of 2 %, at any rate
// node tracking-server.mjs refuse           refuses all
//
// `GET /stats` counts the requests. `GET /returns` lists RETURNS returns, each with a transport.
import { createServer } from 'node:http'

const [kind, rateText] = process.argv.slice(2)
const rate = Number(rateText)
const returns = Number(process.env.RETURNS ?? 0)
const acknowledgement = JSON.stringify({ statusCode: 'OK', description: 'Registered' })
const limited = JSON.stringify({
  errors: [{ code: 'RL01', message: 'Too many requests' }],
  status: 429,
  requestId: '1',
})
const json = (text) => ({ 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
const refusal = JSON.stringify({
  errors: [{ code: 'TR02', message: 'Not from here' }],
  status: 400,
  requestId: '1',
})
const stats = { accepted: 0, refused: 0, different: 0 }
const shipments = new Set()
const size = kind === 'small' ? Math.max(1, rate / 10) : rate
let tokens = kind === 'empty' ? 0 : size
let filledAt = performance.now()
let window = 0
let inWindow = 0

function bucket(now) {
  tokens = Math.min(size, tokens + ((now - filledAt) / 1000) * rate)
  filledAt = now
  if (tokens < 1) return ((1 - tokens) / rate) * 1000
  tokens -= 1
  return 0
}

/** Returns the milliseconds to wait; 0 accepts the request. */
const limits = {
  window(now) {
    const current = Math.floor(now / 1000)
    if (current !== window) inWindow = 0
    window = current
    if (inWindow >= rate) return (window + 1) * 1000 - now
    inWindow += 1
    return 0
  },
  full: bucket,
  empty: bucket,
  small: bucket,
  chance: () => (Math.random() < 0.02 ? 1 : 0),
}

function report(response, body) {
  if (kind === 'refuse') {
    response.writeHead(400, json(refusal))
    response.end(refusal)
    return
  }
  const waitMs = kind ? limits[kind](performance.now()) : 0
  if (waitMs > 0) {
    stats.refused += 1
    response.writeHead(429, { ...json(limited), 'retry-after': Math.ceil(waitMs / 1000) })
    response.end(limited)
    return
  }
  stats.accepted += 1
  if (kind) shipments.add(JSON.parse(body).shipmentId)
  response.writeHead(200, json(acknowledgement))
  response.end(acknowledgement)
}

const party = {
  fullName: 'Ana García',
  email: 'ana@example.com',
  address: { line1: 'Calle Mayor 1', city: 'Madrid', postalCode: '28001', countryCode: 'ES' },
}
const AT = '2026-01-10 10:00:00Z'
const made = (index) => ({
  id: `id-${index}`,
  shopCode: 'A',
  name: `R#-${100_000 + index}`,
  createdAt: AT,
  updatedAt: AT,
  status: 'PENDING',
  totalReturnFee: 0,
  totalReturnAmount: 10,
  currency: 'EUR',
  customer: party,
  ecommerceOrder: { id: `order-${index}` },
  origin: party,
  destination: party,
  returnLineItems: [],
  activeTransportation: { id: `T${index}`, createdAt: AT, status: 'REQUESTED' },
})

function list(response, query) {
  const [limit, page] = [Number(query.get('limit') ?? 100), Number(query.get('page') ?? 1)]
  const count = Math.max(0, Math.min(limit, returns - (page - 1) * limit))
  // A return with another name would look to the client like a misplaced answer.
  const name = query.get('name')
  const index = Number(name?.slice(2)) - 100_000
  const named = index >= 0 && index < returns ? [made(index)] : []
  const records = name
    ? named
    : Array.from({ length: count }, (_unused, offset) => made((page - 1) * limit + offset))
  const total = name ? named.length : returns
  const pageInfo = { totalRecords: total, totalPages: Math.ceil(total / limit) }
  const text = JSON.stringify({ returns: records, pageInfo })
  response.writeHead(200, json(text))
  response.end(text)
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
  if (pathname === '/stats') {
    stats.different = shipments.size
    response.end(JSON.stringify(stats))
    return
  }
  if (pathname === '/returns') return list(response, searchParams)
  const chunks = []
  request.on('data', (chunk) => chunks.push(chunk))
  request.on('end', () => report(response, Buffer.concat(chunks).toString()))
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
