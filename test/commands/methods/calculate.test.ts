import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import { TEST_NOW, usePlatform } from '../../helpers/platform.ts'
import { freshHome, homeAt, type RunOptions, runCli } from '../../helpers/run-cli.ts'
import { type Answer, type Handler, refusal, scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/methods/calculate.ts'
import '../../../src/commands/returns/list.ts'

const platform = usePlatform()
const COMMAND = ['methods', 'calculate']
const FLAGS = [...COMMAND, ...typed`--currency EUR --country ES --postal-code 28013 --client-id 7 --item A`]
const TIER = typed`--tier basic`

/** A service that answers as told, and commands on it. */
async function service(script: readonly (Answer | Handler)[] | Handler) {
  const server = await scriptServer(script)
  const env = homeAt(server.baseUrl)
  const run = asTyped((argv, options: RunOptions = {}) => runCli(argv, { now: TEST_NOW, ...options, env }))
  return { ...server, requests: server.requests, run }
}

const METHODS = [
  { code: 'late', priority: 9, returnFee: 0, currencyCode: 'EUR', isLabelFree: true, visible: true },
  {
    code: 'B',
    priority: 1,
    returnFee: 4.5,
    currencyCode: 'EUR',
    isLabelFree: false,
    visible: true,
    refundMode: 'SHIPPING_COMPLETED',
    carrierService: { code: 7, carrierDisplayName: 'Post\u001b[31m' },
    destinationLocation: { fullName: 'Warehouse', city: 'Getafe', countryCode: 'ES' },
    promotions: [
      { promoType: 'DISCOUNT_COUPON_FIXED', promoAmount: 5 },
      { promoType: 'DISCOUNT_COUPON_PERCENTAGE', promoAmount: 10 },
      { promoType: 'PRIORITY_REFUND' },
    ],
  },
  { code: 'hidden', priority: 3, returnFee: 1, currencyCode: 'EUR', visible: false },
  { code: 'A', priority: 1, returnFee: '0.00', currencyCode: 'EUR', visible: true },
]

const NONE = { body: { returnMethods: [] } }

const answer = { body: { returnMethods: METHODS } }

it('a table is sorted by priority and code, uses words, and counts hidden methods', async () => {
  const { run } = await service([answer])
  const { stdout } = expectEnd(await run`${FLAGS} ${TIER}`, 0, [
    '1 method is hidden: --include-hidden shows it',
  ])
  expect(stdout.split('\n').map((line) => line.trim().replace(/ {2,}/g, ' | '))).toEqual([
    'METHOD | CARRIER | SERVICE | FEE | REFUND | LABEL | PROMOTION | TO',
    'A | free',
    'B | Post\\x1b[31m | 7 | 4.50 EUR | SHIPPING_COMPLETED | needed | 5.00 EUR off, 10 % off, fast refund | Getafe, ES',
    'late | free | no',
    '',
  ])
})

it('--include-hidden shows hidden methods', async () => {
  const { run } = await service([answer])
  const { stdout } = await run`${FLAGS} ${TIER} --include-hidden --columns method --no-headers`
  expect(stdout).toBe('A\nB\nhidden\nlate\n')
})

it('CSV has separate columns for amounts and codes', async () => {
  const { run } = await service([answer])
  const columns = 'method,fee,amount,currency,refund-mode,carrier-service'
  const { stdout } = await run`${FLAGS} ${TIER} -o csv --columns ${columns}`
  expect(stdout).toBe(
    `${columns}\r\nA,free,0.00,EUR,,\r\nB,4.5,4.5,EUR,SHIPPING_COMPLETED,7\r\nlate,free,0,EUR,,\r\n`.replaceAll(
      '\r\n',
      stdout.includes('\r\n') ? '\r\n' : '\n',
    ),
  )
})

it.each([
  [['--json'], (text: string) => JSON.parse(text)],
  [
    typed`-o ndjson`,
    (text: string) => ({
      returnMethods: ndjson(text),
      more: 1,
    }),
  ],
])(
  'methods calculate %j prints the service’s answer in its order, hidden methods included',
  async (format, read) => {
    const { run } = await service([{ body: { ...answer.body, more: 1 } }])
    const { stdout } = await run`${FLAGS} ${TIER} ${format}`
    expect(read(stdout)).toEqual({ returnMethods: METHODS, more: 1 })
  },
)

it('no fitting method is a success with a note, in JSON an empty list', async () => {
  const { run } = await service([NONE, NONE])
  const table = await run`${FLAGS} ${TIER}`
  expect(succeeded(table).stdout).toBe('')
  expect(table.stderr).toContain('No return method fits')
  expect(jsonOf(await run`${FLAGS} ${TIER} --json`)).toEqual({ returnMethods: [] })
})

it.each([
  [80, ['LUMBRE-ES', 'EUR', 'ES', '28013', 'Shoes'], 6],
  [80, ['FJORD-SE', 'SEK', 'SE', '411 01', 'Furniture'], 2],
  [80, ['FJORD-SE', 'SEK', 'SE', '411 01', 'Tents'], 5],
  [80, ['PINECREST-US', 'USD', 'US', '89506', 'Electronics'], 5],
  [120, ['SORA-JP', 'JPY', 'JP', '135-0062', 'Shirts'], 5],
])(
  'the table of methods fits %i columns: %j',
  async (columns, [shop = '', currency = '', country = '', code = '', category = ''], count) => {
    const where = typed`--shop ${shop} --currency ${currency} --country ${country} --postal-code ${code}`
    const rest = typed`--client-id 1 --item A:2 --category ${category} --include-hidden -q`
    const { stdout } = await platform.run(typed`${COMMAND} ${where} ${rest} ${TIER}`, { columns })
    const lines = stdout.trimEnd().split('\n')
    expect(lines).toHaveLength(count + 1)
    expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(columns)
    expect(stdout).not.toContain('…')
  },
)

const sent = async (argv: string[], options?: RunOptions) => {
  const server = await service([NONE])
  const result = await server.run(argv, options)
  expect(result.stderr).not.toContain('Error')
  return server.requests[0]?.json
}

it('the request from flags leaves out missing values', async () => {
  const more = typed`--item B:3 --reason LATE --tag x --tag y --category Shoes`
  const order = typed`--order 9 --total-paid 129.90 --total-spent 12345678901234567.89`
  const days = typed`--delivered-at 2026-11-01 --fulfillment-center GETAFE`
  const goods = { returnReasonCode: 'LATE', productTags: ['x', 'y'], primaryProductCategory: 'Shoes' }
  const server = await service([NONE])
  await server.run`${FLAGS} ${TIER} ${more} ${order} ${days} --shop S1`
  expect(server.requests[0]?.text).toContain('"totalAmountSpent":12345678901234567.89')
  expect(server.requests[0]?.json).toEqual({
    shopCode: 'S1',
    currencyCode: 'EUR',
    ecommerceOrder: {
      id: '9',
      totalPaid: 129.9,
      fulfillments: [{ deliverAt: '2026-11-01', fulfillmentCenter: 'GETAFE' }],
    },
    originAddress: { postalCode: '28013', countryCode: 'ES' },
    returnLineItems: [
      { sku: 'A', quantity: 1, ...goods },
      { sku: 'B', quantity: 3, ...goods },
    ],
    client: { id: '7', tier: 'basic', totalAmountSpent: Number('12345678901234567.89') },
  })
  expect(await sent([...FLAGS, ...TIER])).toEqual({
    currencyCode: 'EUR',
    originAddress: { postalCode: '28013', countryCode: 'ES' },
    returnLineItems: [{ sku: 'A', quantity: 1 }],
    client: { id: '7', tier: 'basic' },
  })
})

it('--item takes a SKU with a colon if a quantity ends it', async () => {
  const request = await sent([...FLAGS, ...TIER, '--item', 'SHIRT:0.5:2'])
  expect(request).toMatchObject({ returnLineItems: [{ sku: 'A' }, { sku: 'SHIRT:0.5', quantity: 2 }] })
})

it('the request from standard input is unchanged except for numbers in texts', async () => {
  const request = {
    currencyCode: 'EUR',
    originAddress: { line1: 12, postalCode: '28013', countryCode: 'ES' },
    returnLineItems: [{ sku: 'A', quantity: 1, anything: true }],
    client: { id: '7', tier: 't' },
  }
  const own = JSON.stringify({ shopCode: 'OWN', ...request })
  expect(await sent(typed`${COMMAND} --from - --shop S1`, { stdin: own })).toMatchObject({
    shopCode: 'OWN',
  })
  const json = await sent(typed`${COMMAND} --from - --shop S1`, { stdin: JSON.stringify(request) })
  expect(json).toEqual({
    ...request,
    shopCode: 'S1',
    originAddress: { ...request.originAddress, line1: '12' },
  })
})

it('the request for a return has its data, and the rest from flags', async () => {
  const [record] = jsonOf(await platform.run`returns list --shop LUMBRE-ES --limit 1 --json`).returns
  const server = await service((request) => (request.method === 'GET' ? { body: record } : NONE))
  const { stderr } = await server.run`${COMMAND} --for ${record.id} --tier gold --category Shoes`
  expect(stderr).toContain('--delivered-at')
  const { customerId, id } = record.ecommerceOrder
  const { address } = record.origin
  const line = record.returnLineItems[0]
  expect(server.requests.at(-1)?.json).toMatchObject({
    shopCode: 'LUMBRE-ES',
    currencyCode: record.currency,
    ecommerceOrder: { id },
    originAddress: { line1: address.line1, city: address.city, countryCode: address.countryCode },
    client: { id: customerId, tier: 'gold' },
  })
  const json = server.requests.at(-1)?.json as { returnLineItems: object[] }
  expect(json.returnLineItems).toHaveLength(record.returnLineItems.length)
  expect(json.returnLineItems[0]).toEqual({
    id: line.ecommerceLineItem.lineItemId,
    name: line.productName,
    sku: line.sku,
    quantity: line.quantity,
    returnReasonCode: line.returnReason.code,
    refundTypeCode: line.refundType,
    productVendor: line.vendor,
    primaryProductCategory: 'Shoes',
  })
})

it('the sandbox offers a method for every demo return', async () => {
  for (const shop of platform.sandbox.shops()) {
    for (const { name } of jsonOf(await platform.run`returns list --shop ${shop.code} --limit 2 --json`)
      .returns) {
      const result = await platform.run`${COMMAND} --for ${name} ${TIER} --json --shop ${shop.code}`
      expect(jsonOf(result).returnMethods.length, name).toBeGreaterThan(0)
    }
  }
})

it.each([
  ['nothing to go by', COMMAND, ['What should the methods be calculated for?', '--for RETURN --tier NAME']],
  ['no tier', FLAGS, ['client.tier', '--tier']],
  [
    'several at once',
    typed`${COMMAND} --item A:0 --country UK --currency EURO`,
    ['write GB', '--postal-code', '--client-id', 'EURO', 'pieces, at least 1 (--item)', '--tier'],
  ],
  [
    'a postal code of elsewhere',
    [...FLAGS.map((flag) => (flag === '28013' ? 'AB1' : flag)), ...TIER],
    ['"AB1" is not a postal code of ES'],
  ],
  ['an amount', typed`${FLAGS} ${TIER} --order 1 --total-paid '5 EUR'`, ['totalPaid', 'number']],
  ['a negative amount', typed`${FLAGS} ${TIER} --total-spent=-5`, ['must not be negative', '--total-spent']],
  [
    'a day',
    typed`${FLAGS} ${TIER} --order 1 --fulfillment-center X --delivered-at 31.12.2025`,
    ['YYYY-MM-DD'],
  ],
  ['a delivery from nowhere', typed`${FLAGS} ${TIER} --delivered-at 2026-01-01`, ['--fulfillment-center']],
  ['an order without id', typed`${FLAGS} ${TIER} --total-paid 5`, ['ecommerceOrder.id', '--order']],
  ['half a piece', typed`${FLAGS} ${TIER} --item SHIRT:0.5`, ['"0.5" is not', '--item SHIRT:0.5:1']],
  ...['A:-1', 'A:2x', 'A: 2', 'A:', 'A:1e2'].map((item): [string, string[], string[]] => [
    `the item ${item}`,
    [...FLAGS, ...TIER, '--item', item],
    ['is not a whole number of pieces', '--item A:1'],
  ]),
  ['a return and its items', typed`${COMMAND} --for R#-1 --item A`, ["--item can't be used with --for"]],
  ['a file and flags', typed`${COMMAND} --from x --tier A`, ["--tier can't be used with --from"]],
  ['no such file', typed`${COMMAND} --from /no/such`, ['there is no such file']],
  ['a column', typed`${FLAGS} ${TIER} --columns fees`, ['"fees" is not a column', '--columns fee']],
  ['a column of explanations', typed`${FLAGS} ${TIER} --explain --columns fee`, ['method, offered, why']],
])('methods calculate is refused, and sends nothing: %s', async (_name, argv, words) => {
  const server = await service([])
  const { stdout, stderr } = ended(await server.run(argv), 2)
  expect(stdout).toBe('')
  for (const word of words) expect(stderr).toContain(word)
  expect(server.requests).toEqual([])
})

it.each([
  ['not JSON', '{"a":', 'not JSON'],
  ['a list', '[]', 'must be an object'],
  ['an empty object', '{}', '4 problems'],
])('standard input is refused, and nothing sent: %s', async (_name, stdin, message) => {
  const server = await service([])
  expectEnd(await server.run(typed`${COMMAND} --from -`, { stdin }), 2, [message])
})

const ask = typed`${FLAGS} ${TIER} --json --retries 1`

it.each<[string, Answer]>([
  ['503', { status: 503 }],
  ['500 of the service itself', refusal('IE01', 'x', 500)],
  ['a broken connection', { fault: 'reset' }],
])('%s is requested again, since nothing is written', async (_name, answer) => {
  const { run } = await service([answer, NONE])
  succeeded(await run(ask))
})

it('--explain is requested again after a failure', async () => {
  const { run } = await service([{ status: 500 }, { body: { returnMethods: [], explanations: [] } }])
  succeeded(await run`${ask} --explain`)
})

it('a request without an answer is exit 7, not exit 10', async () => {
  const { run } = await service([{ fault: 'reset' }, { fault: 'reset' }])
  ended(await run(ask), 7)
})

it.each<[string, Answer, number]>([
  ['a rejection', refusal('VA01', 'originAddress: bad'), 6],
  ['another shape', { body: { methods: [] } }, 8],
  ['a list', { body: [] }, 8],
])('methods calculate ends with the exit code of %s', async (_name, answer, code) => {
  const { run } = await service([answer])
  expect((await run(ask)).code).toBe(code)
})

it('a departing answer is shown with a warning', async () => {
  const odd = { code: 'X', returnFee: 'much', promotions: 'none', isLabelFree: 'no', refundMode: 'LATER' }
  const { run } = await service([{ body: { returnMethods: [odd] } }])
  const { stdout } = expectEnd(await run`${FLAGS} ${TIER}`, 0, ['Warning'])
  expect(stdout).toMatch(/X +much +LATER/)
})

const shop = typed`--shop LUMBRE-ES`

it('--explain tells why each method is offered or not, in the order of the rules', async () => {
  const { stdout } = succeeded(
    await platform.run`${FLAGS} ${TIER} ${shop} --tag outlet --category Underwear --explain`,
  )
  expect(stdout).toMatch(/STORE +no +A: excluded \(category Underwear\)/)
  const hidden = await platform.run`${FLAGS} ${TIER} ${shop} --explain`
  expect(hidden.stdout).toMatch(/SUPPORT_PICKUP +yes +fee 0 EUR; refund MANUAL; goes to GETAFE; hidden/)
})

it('--explain is beside the methods in JSON, and has rule paths in CSV', async () => {
  const json = jsonOf(await platform.run`${FLAGS} ${TIER} ${shop} --explain --json`)
  expect(Object.keys(json).sort()).toEqual(['explanations', 'returnMethods', 'rules'])
  expect(json.returnMethods).toHaveLength(6)
  const { stdout } = await platform.run`${FLAGS} ${TIER} ${shop} --explain -o csv`
  expect(stdout).toContain('"methods[0].fees[0], methods[0].refundMode, destination[2]"')
})

it('--explain of a service that does not support it is an error', async () => {
  const { run } = await service([{ body: { returnMethods: METHODS } }])
  const { stdout } = expectEnd(
    await run`${FLAGS} ${TIER} --explain`,
    2,
    /only the sandbox does.*\n.*leave out --explain/,
  )
  expect(stdout).toBe('')
})

it('a mistake in a rule file of the profile mock is named by path, and the built-in rules apply', async () => {
  const env = freshHome()
  const dir = join(env.RMA_DATA_DIR ?? newFolder(), 'rules')
  mkdirSync(dir, { recursive: true })
  writeFileSync(join(dir, 'LUMBRE-ES.json'), '{"window": {"days": "30"}}')
  const { stdout } = expectEnd(
    await runCli(typed`${FLAGS} ${TIER} ${shop} --explain`, {
      env,
      now: TEST_NOW,
    }),
    0,
    ['LUMBRE-ES.json has mistakes; the built-in rules stay in force', 'window.days: must be of type number'],
  )
  expect(stdout).toContain('SUPPORT_PICKUP')
})
