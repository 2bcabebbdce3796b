import { describe, expect, it } from 'vitest'
import { asTyped, ended, errorOf, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { freshHome, homeAt, runCli } from '../../helpers/run-cli.ts'
import {
  type Answer,
  type Handler,
  pageOf,
  type RecordedRequest,
  refusal,
  scriptServer,
} from '../../helpers/script-server.ts'
import { fileOf, type Turn } from '../../helpers/tracking-service.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/tracking/push.ts'

const NOW = Date.parse('2026-11-20T12:00:00.700Z')
const OK = { body: { statusCode: 'OK', description: 'Registered' } }

async function service(script: readonly (Answer | Handler)[] | Handler) {
  const server = await scriptServer(script)
  const run = asTyped((argv) =>
    runCli(typed`tracking push ${argv}`, {
      now: NOW,
      env: homeAt(server.baseUrl, { RMA_TIME_ZONE: 'Europe/Madrid' }),
    }),
  )
  return { ...server, run, posts: () => server.requests.filter(({ method }) => method === 'POST') }
}

const failing = (isTaken: boolean) => () => ({ status: 500, isTaken })

/** A platform that shows what it has, and does `fault` after each report that it takes, or instead of taking it. */
function platform(
  reports: ((request: RecordedRequest) => Turn)[],
  withEvents = true,
  shopCode: string | null = 'S',
) {
  const events: unknown[] = []
  let status = 'REQUESTED'
  const handle: Handler = (request) => {
    if (request.method === 'POST') {
      const next = reports.shift()?.(request) ?? { ...OK, isTaken: true }
      const { trackingStatus, trackingDate } = request.json as Record<string, string>
      if (next.isTaken) {
        events.push({ status: trackingStatus, date: trackingDate?.replace('T', ' '), applied: true })
        status = trackingStatus ?? ''
      }
      return next
    }
    if (request.path === '/returns') {
      const record = { id: '7', name: 'R#-1001', shopCode, activeTransportation: { id: '70', status } }
      return { body: pageOf([record]) }
    }
    return withEvents
      ? { body: { transportations: [{ id: '70', status, trackingEvents: events }] } }
      : { status: 404 }
  }
  return { handle, events }
}

/** A service that fails once, before or after it has taken an update, and shows the same transports to all reads. */
async function showing(transportations: object[], isTaken: boolean) {
  const { handle, events } = platform([failing(isTaken)])
  const server = await service((request, index) =>
    /transportations/.test(request.path) ? { body: { transportations } } : handle(request, index),
  )
  return { ...server, events }
}

const REPORT = typed`R#-1001 --status SHIPPING_IN_PROGRESS --date 2026-11-19T08:00:00Z`

describe('a value that looks like a flag', () => {
  const push = typed`R#-1 --status SHIPPING_IN_PROGRESS -n --json`

  it.each(['-X1', '-n1', '-n', '--yes', '-', '--'])(
    'behind = it is the value: --number=%s',
    async (value) => {
      const { run } = await service([])
      expect(jsonOf(succeeded(await run`${push} --number=${value}`)).body.trackingNumber).toEqual(value)
    },
  )

  it('a value that looks like a flag and is a separate word is exit 2 with the correct form', async () => {
    const { run } = await service([])
    expectEnd(await run`${push.slice(0, -1)} --number -n1`, 2, ['stands behind =: --number=-1A'])
    const unknown = await run`${push.slice(0, -1)} --nmber=-n1`
    expect(unknown.stderr).toMatch(/^Error: Unknown flag: --nmber=-n1$/m)
  })
})

/** A service whose list has returns of the shop S only, and a file with an update for that shop. */
async function serviceOfShop(handle: Handler) {
  const { run } = await service((request, index) => {
    const asked = request.path === '/returns' ? request.query.get('shop_code') : null
    return asked === null || asked === 'S' ? handle(request, index) : { body: pageOf([]) }
  })
  const row = { shipmentId: 'R#-1001', trackingStatus: 'SHIPPING_IN_PROGRESS', shopCode: 'S' }
  return { run, file: fileOf(JSON.stringify({ ...row, trackingDate: '2026-11-19T08:00:00Z' })) }
}

it.each<[string, string | null, string]>([
  ['another than that of --shop', 'S', 'OTHER'],
  ['not told by the platform', null, 'S'],
])('an update whose shop is %s is applied once if its answer is lost', async (_name, shopCode, shop) => {
  const lost = { fault: 'reset', isTaken: true } as const
  const { handle, events } = platform([() => lost], true, shopCode)
  const { run, file } = await serviceOfShop(handle)
  succeeded(await run`--file ${file} --shop ${shop} -y`)
  expect(events).toHaveLength(1)
})

it('a row of another shop than that of --shop is planned as a row of its own shop', async () => {
  const { run, file } = await serviceOfShop(platform([]).handle)
  const pushed = await run`--file ${file} --shop OTHER --only-new -y --json`
  expect(jsonOf(succeeded(pushed))).toMatchObject({ total: 1, succeeded: 1 })
})

it('an update is not repeated if another transport became active before the second attempt', async () => {
  let posts = 0
  const { run } = await service(({ method, path }) => {
    if (method === 'POST') {
      posts += 1
      return { status: 429, headers: { 'retry-after': '0' } }
    }
    const record = { id: '7', name: 'R#-1001', activeTransportation: { id: posts > 0 ? '71' : '70' } }
    if (path === '/returns') return { body: pageOf([record]) }
    const transportations = [{ id: '70' }, { id: '71' }]
    return path === '/returns/7' ? { body: record } : { body: { transportations } }
  })
  expectEnd(await run`R#-1001-T70 --status SHIPPING_IN_PROGRESS --date 2026-11-19T08:00:00Z`, 2, [
    'names transport 70 of R#-1001, and its active one is 71; nothing was sent',
  ])
  expect(posts).toBe(1)
})

it('an update that ends its transport after the looks is found before the second attempt', async () => {
  let looks = 0
  const { run, posts } = await service(({ method, path }) => {
    if (method === 'POST') return { status: 500 }
    const isTaken = posts().length > 0 && looks >= 2
    const record = { id: '7', name: 'R#-1001', activeTransportation: { id: isTaken ? '71' : '70' } }
    if (path === '/returns') return { body: pageOf([record]) }
    if (path === '/returns/7') return { body: record }
    if (posts().length > 0) looks += 1
    const event = { status: 'SHIPPING_FAILED', date: '2026-11-19 08:00:00Z', applied: true }
    const ended = { id: '70', status: 'SHIPPING_FAILED', trackingEvents: [event] }
    const open = {
      id: '70',
      status: 'REQUESTED',
      trackingEvents: [{ status: 'REQUESTED', date: '2026-11-18 08:00:00Z' }],
    }
    return { body: { transportations: isTaken ? [ended, { id: '71' }] : [open] } }
  })
  expectEnd(await run`R#-1001-T70 --status SHIPPING_FAILED --date 2026-11-19T08:00:00Z`, 0, [
    'The answer got lost',
  ])
  expect(posts()).toHaveLength(1)
})

it('a push sends all given fields, with the date in UTC', async () => {
  const { run, requests } = await service([OK])
  const flags = typed`--carrier DHL --number JD01 --url https://dhl.example/JD01 --description Hub --shop S1`
  const result = succeeded(await run`${REPORT} ${flags} --json`)
  expect(requests[0]).toMatchObject({ method: 'POST', url: '/shipping_trackings' })
  const request = {
    shopCode: 'S1',
    shipmentId: 'R#-1001',
    shipmentIdType: 'RETURN_NAME',
    carrierName: 'DHL',
    trackingNumber: 'JD01',
    trackingUrl: 'https://dhl.example/JD01',
    trackingStatus: 'SHIPPING_IN_PROGRESS',
    trackingStatusDescription: 'Hub',
    trackingDate: '2026-11-19T08:00:00Z',
  }
  expect(requests[0]?.json).toEqual(request)
  expect(jsonOf(result)).toEqual({
    statusCode: 'OK',
    description: 'Registered',
    applied: true,
    outcome: 'accepted',
    request,
  })
})

it('a push lists all mistakes, and sends nothing', async () => {
  const { run, requests } = await service([])
  ended(await run`1001 --status SHIPING_IN_PROGRESS --url dhl --date soon --json`, 2)
  const copied = '\u202a340434161094021501\u202c'
  const bare = await run`1001 --status SHIPING_IN_PROGRESS --url dhl --number ${copied} --json`
  const error = errorOf(bare)
  expect(error.errors.map(({ path }: { path: string }) => path)).toEqual(['--status', '--url', '--number'])
  expect(error.hints.join('\n')).toMatch(/SHIPPING_IN_PROGRESS\?.*--allow-unknown-status/s)
  expect(requests).toEqual([])
})

it('an unknown status is sent only with --allow-unknown-status, with a warning', async () => {
  const { run, requests } = await service([OK])
  const dated = typed`R#-1001 --status AT_CUSTOMS --date 2026-11-19`
  ended(await run(dated), 2)
  const sent = await run`${dated} --allow-unknown-status`
  expectEnd(sent, 0, ['does not know the status AT_CUSTOMS'])
  expect(requests[0]?.json).toMatchObject({ trackingStatus: 'AT_CUSTOMS' })
})

it('a push needs a shipment or a file', async () => {
  const { run } = await service([])
  expectEnd(await run`--status REQUESTED`, 2, ['--file'])
})

it('--dry-run shows the update instead of sending it', async () => {
  const { run, requests, baseUrl } = await service([])
  expect(jsonOf(succeeded(await run`${REPORT} --dry-run --json`))).toMatchObject({
    method: 'POST',
    url: `${baseUrl}/shipping_trackings`,
  })
  expect(requests).toEqual([])
})

const LOST: [string, Answer][] = [
  ['never answers', { fault: 'hang' }],
  ['resets the connection', { fault: 'reset' }],
  ['answers with a page', { body: '<html>', headers: { 'content-type': 'text/html' } }],
]

it.each(LOST)(
  'a service that applies the update and %s: found by a look, sent once',
  async (_name, answer) => {
    const { handle, events } = platform([() => ({ ...answer, isTaken: true })])
    const { run, posts } = await service(handle)
    const pushed = expectEnd(await run`${REPORT} --json --timeout 1`, 0, ['The answer got lost'])
    expect(jsonOf(pushed)).toMatchObject({ outcome: 'recovered' })
    expect(posts()).toHaveLength(1)
    expect(events).toHaveLength(1)
  },
)

it.each(LOST.slice(1))(
  'a service that %s before it applies the update: sent again',
  async (_name, answer) => {
    const { handle, events } = platform([() => answer])
    const { run, posts } = await service(handle)
    succeeded(await run(REPORT))
    expect(posts()).toHaveLength(2)
    expect(events).toHaveLength(1)
  },
)

it.each([
  ['refuses the second attempt', refusal('TR02', 'not from there')],
  ['no longer takes the token', { status: 401 }],
])('a service that applies the first attempt late and %s: found by a look', async (_name, answer) => {
  const { handle, events } = platform([failing(false), () => ({ ...answer, isTaken: true })])
  const { run, posts } = await service(handle)
  expectEnd(await run(REPORT), 0, ['The answer got lost'])
  expect([posts().length, events.length]).toEqual([2, 1])
})

it('a second attempt that is refused although the first was not taken is exit 6', async () => {
  const { handle } = platform([failing(false), () => refusal('TR02', 'not from there')])
  expectEnd(await (await service(handle)).run(REPORT), 6, ['TR02'])
})

it('a list of transports without the active one proves nothing: exit 10, sent once', async () => {
  const { run, posts } = await showing([{ id: '69', status: 'SHIPPING_FAILED' }], true)
  ended(await run(REPORT), 10)
  expect(posts()).toHaveLength(1)
})

it('the active transport decides for a service without events', async () => {
  const taken = platform([() => ({ fault: 'reset', isTaken: true })], false)
  succeeded(await (await service(taken.handle)).run(REPORT))
  expect(taken.events).toHaveLength(1)
  const lost = platform([() => ({ fault: 'reset' })], false)
  succeeded(await (await service(lost.handle)).run(REPORT))
  expect(lost.events).toHaveLength(1)
})

it.each<[string, object, string?]>([
  ['without a date', { date: undefined }],
  ['with a date without seconds', { date: '2026-11-19 08:00:00Z' }, '2026-11-19T08:00:37Z'],
  ['with a date without a zone', { date: '19/11/2026 08:00' }],
  ['with fields of other names', { status: undefined, state: 'SHIPPING_IN_PROGRESS' }],
])('an event %s decides nothing: exit 10, sent once', async (_name, shown, sent) => {
  const event = { status: 'SHIPPING_IN_PROGRESS', date: '2026-11-19 08:00:00Z', ...shown }
  const transport = { id: '70', status: 'SHIPPING_IN_PROGRESS', trackingEvents: [event] }
  const { run, posts } = await showing([transport], true)
  ended(await run(sent ? [...REPORT.slice(0, -1), sent] : REPORT), 10)
  expect(posts()).toHaveLength(1)
})

it('an event of another state proves nothing against the update, which is sent again', async () => {
  const trackingEvents = [{ status: 'REQUESTED' }]
  const { run, events } = await showing([{ id: '70', status: 'REQUESTED', trackingEvents }], false)
  succeeded(await run(REPORT))
  expect(events).toHaveLength(1)
})

it('a list that ignores the filter decides nothing: exit 10, sent once', async () => {
  const others = [{ id: '8', name: 'R#-2002', shopCode: 'S' }]
  const { run, posts } = await service(({ method }) =>
    method === 'POST' ? { status: 500 } : { body: pageOf(others) },
  )
  ended(await run(REPORT), 10)
  expect(posts()).toHaveLength(1)
})

it('a return found by id is pushed with its own shop', async () => {
  const { handle } = platform([])
  const { run, posts } = await service((request, index) =>
    request.path === '/returns/7'
      ? { body: { id: '7', name: 'R#-1001', shopCode: 'S', activeTransportation: { id: '70' } } }
      : handle(request, index),
  )
  succeeded(await run`7 --status SHIPPING_IN_PROGRESS --shop OTHER`)
  expect(posts()[0]?.json).toMatchObject({ shipmentId: 'R#-1001', shopCode: 'S' })
})

it('an unknown outcome is exit 10, with the command to look it up', async () => {
  const { run, posts } = await service((request) =>
    request.method === 'POST' ? { fault: 'reset' } : { status: 500 },
  )
  expectEnd(await run`${REPORT} --retries 0`, 10, ["rma returns transportations 'R#-1001'"])
  expect(posts()).toHaveLength(1)
})

const answering = (body: unknown) => service(() => ({ body }))

it.each([
  ['DUPLICATE', 'duplicate', 'the platform had it already'],
  ['STALE', 'stale', 'the platform knows something later'],
  ['already_registered', 'duplicate', 'the platform had it already'],
])('an update answered by %s succeeded, and changed nothing', async (statusCode, reason, words) => {
  const { run } = await answering({ statusCode, description: 'so' })
  const json = expectEnd(await run`${REPORT} --json`, 0, '')
  expect(jsonOf(json)).toMatchObject({ statusCode, applied: false, reason, outcome: 'accepted' })
  expect(succeeded(await run(REPORT)).stdout).toContain(words)
  const csv = await run`${REPORT} -o csv --columns reason`
  expect(csv.stdout.trim().split(/\r?\n/)).toEqual(['reason', reason])
})

it.each([
  [{ statusCode: '404', description: 'no shipment R#-1001' }, /404.*no shipment R#-1001/],
  [{ statusCode: 404, description: 'no shipment R#-1001' }, /404.*no shipment R#-1001/],
  [{ statusCode: 'KO' }, /KO.*no reason was given/],
  [{ statusCode: 'ERROR', errors: [{ code: 'X1', message: 'closed' }] }, /ERROR.*closed/],
])('an update answered by %j is rejected', async (body, words) => {
  const { run, requests } = await answering(body)
  const rejected = ended(await run`${REPORT} --json`, 6)
  expect(rejected.stdout).toBe('')
  expect(errorOf(rejected).errors.map(Object.values).join()).toMatch(words)
  expect(requests).toHaveLength(1)
})

it.each([
  [{}, '1 answer lacks statusCode'],
  [{ description: 'thanks' }, '1 answer lacks statusCode'],
  [{ statusCode: 'DONE' }, 'values of statusCode that the specification does not know: DONE'],
])(
  'an update answered by %j succeeded, with one warning; --strict changes the exit code alone',
  async (body, words) => {
    const { run } = await answering(body)
    const lenient = succeeded(await run`${REPORT} --json`)
    expect(lenient.stderr.trim().split('\n')).toEqual([expect.stringContaining(words)])
    expect(jsonOf(lenient)).toMatchObject({ ...body, applied: null, outcome: 'accepted' })
    const strict = expectEnd(await run`${REPORT} --json --strict`, 8, [words])
    expect(jsonOf(strict)).toMatchObject({ applied: null })
  },
)

it('a push to the built-in sandbox sends the return’s shop', async () => {
  const env = freshHome()
  const list = typed`returns list --limit 1 --status PENDING -o ndjson`
  const { name, shopCode } = JSON.parse(succeeded(await runCli(list, { env })).stdout)
  const push = typed`tracking push ${name} --status SHIPPING_IN_PROGRESS --number X1 --json`
  expect(jsonOf(succeeded(await runCli(push, { env }))).request).toMatchObject({ shipmentId: name, shopCode })
})

it('Ctrl-C while the update is under way: exit 130, and how to see whether it was applied', async () => {
  const interrupt = new AbortController()
  const server = await scriptServer(({ method }) => {
    if (method === 'POST') interrupt.abort()
    return { fault: 'hang' }
  })
  const { stdout } = expectEnd(
    await runCli(typed`tracking push R#-1001 --status SHIPPING_IN_PROGRESS --date 2026-11-20T10:00:00Z`, {
      now: NOW,
      env: homeAt(server.baseUrl),
      interrupt: interrupt.signal,
    }),
    130,
    [
      "Error: Interrupted: the update of R#-1001 may have been applied.\nTry: see what the platform has: rma returns transportations 'R#-1001'",
    ],
  )
  expect(stdout).toBe('')
})
