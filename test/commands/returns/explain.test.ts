import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { freshHome, runCli } from '../../helpers/run-cli.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/returns/explain.ts'
import '../../../src/commands/returns/list.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
const EVIL = `</style><script>alert(1)</script>"'>\u001b[31m`

const record = (more: object = {}) => ({
  id: '1',
  name: 'R#-A1',
  shopCode: 'S',
  status: 'RECEIVED',
  createdAt: '2026-04-01 10:00:00Z',
  updatedAt: '2026-04-10 10:00:00Z',
  totalReturnAmount: 52.45,
  totalReturnFee: 2.95,
  totalRefund: 49.5,
  currency: 'EUR',
  customer: { fullName: 'Ana Ruiz', email: 'a@example.com', address: { countryCode: 'ES' } },
  ecommerceOrder: { id: '7', name: 'A1' },
  origin: {},
  destination: {},
  returnLineItems: [],
  ...more,
})
const UNDER_WAY = { status: 'RECEPTION_IN_PROGRESS' }
const refunds = [
  {
    id: 'r1',
    status: 'EXECUTED',
    refundType: 'STORE_CREDIT',
    amount: 1234.5,
    currency: 'EUR',
    executedAt: '2026-04-11 09:00:00Z',
  },
  {
    id: 'r2',
    status: 'PENDING',
    refundType: 'GIFT_CARD',
    refundMode: 'POST_VALIDATION',
    amount: 20,
    currency: 'EUR',
  },
]
const transport = {
  id: 't1',
  status: 'SHIPPING_IN_PROGRESS',
  createdAt: '2026-04-01 10:00:00Z',
  carrierCode: 'DHL',
  carrierTrackingUrl: 'https://dhl.example/1',
  trackingEvents: [{ status: 'SHIPPING_IN_PROGRESS', date: '2026-04-02 10:00:00Z', description: EVIL }],
}

/** Runs `returns explain 1` against a platform that knows one return. */
async function explain(
  argv: string[],
  known: object,
  env = freshHome(),
  columns?: number,
  belongings: { transport?: object; refunds?: object[] } = {},
) {
  const server = await scriptServer(({ path }) => {
    if (path.endsWith('/transportations'))
      return { body: { transportations: [{ ...transport, ...belongings.transport }] } }
    if (path.endsWith('/refunds')) return { body: { refunds: belongings.refunds ?? refunds } }
    return { body: path === '/returns' ? { returns: [], pageInfo: {} } : known }
  })
  const place = { ...env, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'a.b.c' }
  return runCli(typed`returns explain 1 ${argv}`, {
    env: place,
    now: NOW,
    ...(columns ? { columns } : {}),
  })
}

describe('the timeline', () => {
  it('comes in every format, and on a terminal with what is wrong above it', async () => {
    const json = jsonOf(await explain(['--json'], record()))
    expect(json).toMatchObject({
      problems: [
        expect.stringContaining('received and not checked for 122 h'),
        expect.stringMatching(/^total: /),
      ],
      return: { name: 'R#-A1' },
    })
    expect(json.timeline[0]).toEqual({
      date: '2026-04-01 10:00:00Z',
      of: 'return',
      what: 'requested',
      detail: '0 items, 49.50 EUR to come back after a fee of 2.95 EUR',
    })
    const { stdout: csv } = await explain(typed`-o csv --columns of,what`, record())
    expect(csv.split('\r\n').slice(0, 3)).toEqual(['of,what', 'return,requested', 'transport,requested'])
    const { stdout: piped } = succeeded(await explain([], record()))
    expect(piped).toMatch(/^Where {2}At the shop.*\nMoney {2}.*\nNext {3}.*\n\nWHEN +OF +WHAT +DETAIL\n/)
    const { stdout } = succeeded(await explain([], record(), freshHome(), 100))
    expect(stdout).toMatch(
      /^Where {2}At the shop.*\n {7}“.*\n {7}.*\nMoney .*\n {7}due .*\nNext .*\n\nReturn +R#-A1\nStatus +received, not checked\n/,
    )
    expect(stdout).toMatch(/To be looked at\n {2}1 +received and not checked for 122 h/)
    expect(stdout).not.toContain('\u001b[31m')
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(100)
  })

  it('is a page that runs nothing and loads nothing', async () => {
    const file = join(freshHome().HOME ?? '', '../explained.html')
    expectEnd(await explain(typed`--html ${file} --force`, record({ name: EVIL })), 0, [`in ${file}`])
    const page = readFileSync(file, 'utf8')
    expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; img-src data:/)
    expect(page).not.toMatch(/<script|\u001b|<[^>]* (?:src|on\w+|style)=/)
    expect(page).toContain('received and not checked')
    writeFileSync(file, 'mine')
    const refused = await explain(typed`--html ${file}`, record())
    expectEnd(refused, 2, ['--force replaces the file'])
    ended(await explain(typed`--html -`, record()), 2)
  })
})

describe('--reply', () => {
  it("writes in the language of the customer's country what is known, and nothing else", async () => {
    const { stdout } = succeeded(await explain(['--reply'], record(UNDER_WAY)))
    expect(stdout.replaceAll('\u00a0', ' ')).toBe(`Hola, Ana Ruiz:

El paquete de su devolución R#-A1 del pedido A1 está en camino hacia nosotros.
DHL registró el paquete por última vez el 2 de abril de 2026.
Puede seguirlo aquí: https://dhl.example/1

El 11 de abril de 2026 le reembolsamos 1234,50 € como crédito en la tienda.
Le reembolsaremos 20,00 € cuando hayamos revisado los artículos.

Un saludo
`)
  })

  it.each([
    [
      'AT',
      'de',
      /^Guten Tag Ana Ruiz,\n\ndas Paket .*\nDHL hat das Paket zuletzt am 2\. April 2026 erfasst\..*1\.234,50 € als Guthaben/s,
    ],
    [
      'LU',
      'fr',
      /^Bonjour Ana Ruiz,\n\nLe colis .* le 2 avril 2026\..*remboursé 1 234,50 € sous forme d'avoir/s,
    ],
    [
      'IT',
      'it',
      /^Buongiorno Ana Ruiz,\n\nil pacco .* il 2 aprile 2026\..*1234,50 € come credito in negozio/s,
    ],
    ['JP', 'en', /^Hello Ana Ruiz,\n\nthe parcel .* on April 2, 2026\..*€1,234\.50 as store credit/s],
  ])('%s: %s', async (countryCode, language, expected) => {
    const customer = { fullName: 'Ana Ruiz', address: { countryCode } }
    const reply = jsonOf(
      await explain(typed`--reply --json --time-zone UTC`, record({ ...UNDER_WAY, customer })),
    )
    expect(reply.language).toBe(language)
    expect(reply.text.replaceAll(/[\u00a0\u202f]/g, ' ')).toMatch(expected)
    expect(reply.text).not.toMatch(/[{}]|undefined|null/)
  })

  it.each([
    [1.5, 'KWD', 'KWD 1.500'],
    [14850, 'JPY', '¥14,850'],
    [10.125, 'EUR', '€10.125'],
  ])(
    'an amount has the digits of its currency, and all that were sent: %s %s',
    async (amount, currency, expected) => {
      const known = record({ ...UNDER_WAY, currency })
      const belongings = { refunds: refunds.map((refund) => ({ ...refund, amount, currency })) }
      const { stdout } = await explain(
        typed`--reply --language en`,
        known,
        freshHome(),
        undefined,
        belongings,
      )
      expect(stdout.replaceAll('\u00a0', ' ')).toContain(expected)
    },
  )

  it.each([
    [
      'en',
      /^Hello,\n\nthe parcel of your return R#-A1 is on its way to us\.\nThe parcel was last scanned on /,
    ],
    ['es', /^Hola:\n\nEl paquete de su devolución R#-A1 está en camino.*\nEl paquete fue registrado por /],
    ['fr', /^Bonjour,\n\nLe colis de votre retour R#-A1 est en route.*\nLe colis a été enregistré pour /],
    ['de', /^Guten Tag,\n\ndas Paket Ihrer Rücksendung R#-A1 .*\nDas Paket wurde zuletzt am .* erfasst\./],
    ['it', /^Buongiorno,\n\nil pacco del Suo reso R#-A1 .*\nIl pacco è stato registrato l'ultima /],
  ])('leaves out what is not known: %s', async (language, expected) => {
    const unknown = { ...UNDER_WAY, customer: { address: {} }, ecommerceOrder: {} }
    const odd = [
      { status: 'EXECUTED', amount: 7, currency: 'EUR', executedAt: null },
      { status: 'EXECUTED', amount: 'much', currency: 'EUR' },
      { status: 'FAILED', amount: 9, currency: 'EUR', refundMode: 'MANUAL' },
      { status: 'PENDING', amount: 3, currency: 'EUR', refundMode: 'SHIPPING_IN_PROGRESS' },
    ]
    const known = { transport: { carrierCode: null }, refunds: odd }
    const { stdout } = await explain(
      typed`--reply --language ${language}`,
      record(unknown),
      freshHome(),
      0,
      known,
    )
    expect(stdout).toMatch(expected)
    expect(stdout).not.toMatch(/ {2}| [.,]|NaN|much|9[.,]00|{|}/)
    const money = stdout.split('\n\n').at(-2) ?? ''
    expect(money.split('\n')).toEqual([
      expect.stringMatching(/^(?:We|Le|Nous|Wir) .*7[.,]00.*\.$/),
      // It is under way already, which is what that refund waited for.
      expect.stringMatching(/^[^,]*3[.,]00[^,]{0,25}\.$/),
    ])
  })

  it('promises nothing for a return that was called off', async () => {
    const { stdout } = await explain(typed`--reply --language en`, record({ status: 'EXPIRED' }))
    expect(stdout).toContain('has expired')
    expect(stdout).not.toMatch(/will follow|last scanned|follow it/)
  })

  it("takes one's own template, shows the one in use, and names what is wrong with it", async () => {
    const env = freshHome()
    const shown = await explain(typed`--reply --template --language nl`, record(), env)
    expectEnd(shown, 2, ['replies/nl.mustache'])
    const folder = join(env.RMA_CONFIG_DIR ?? '', 'replies')
    mkdirSync(folder, { recursive: true })
    writeFileSync(
      join(folder, 'nl.mustache'),
      'Dag {{customer}}, {{#RECEIVED}}ontvangen <&>{{/RECEIVED}}{{#CLOSED}}klaar{{/CLOSED}}\n',
    )
    expect((await explain(typed`--reply --language nl`, record(), env)).stdout).toBe(
      'Dag Ana Ruiz, ontvangen <&>\n',
    )
    const template = await explain(typed`--reply --template --language en`, record(), env)
    expect(template.stdout).toMatch(/^Hello.*{{customer}}.*,\n/)
    expect(template.stderr).toContain(join(folder, 'en.mustache'))
    writeFileSync(join(folder, 'en.mustache'), '{{#RECEIVED}}')
    const broken = await explain(typed`--reply --language en`, record(), env)
    expectEnd(broken, 3, ['en.mustache is not understood'])
    ended(await explain(typed`--reply --language ../../x`, record(), env), 2)
  })
})

it('explains a return of the sandbox by its name', async () => {
  const env = freshHome()
  const { stdout } = await runCli(typed`returns list --limit 1 --status CLOSED --jq .returns[0].name`, {
    env,
  })
  const { code, stdout: csv } = await runCli(typed`returns explain ${stdout.trim()} -o csv`, { env })
  expect(code).toBe(0)
  expect([
    ...new Set(
      csv
        .split('\r\n')
        .slice(1, -1)
        .map((line) => line.split(',')[1]),
    ),
  ]).toEqual(expect.arrayContaining(['return', 'transport', 'label', 'scan', 'refund']))
})
