import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { freshHome, runCli, runIn } from '../../helpers/run-cli.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/profiles/set.ts'
import '../../../src/commands/returns/explain.ts'
import '../../../src/commands/returns/list.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
const EVIL = `</style><script>alert(1)</script>"'>\u001b[31m`

const record = (more = {}) => ({
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
  parts: { transport?: object; refunds?: object[]; failing?: RegExp } = {},
) {
  const server = await scriptServer(({ path }) => {
    if (parts.failing?.test(path)) return { status: 500 }
    if (path.endsWith('/transportations'))
      return { body: { transportations: [{ ...transport, ...parts.transport }] } }
    if (path.endsWith('/refunds')) return { body: { refunds: parts.refunds ?? refunds } }
    return { body: path === '/returns' ? { returns: [], pageInfo: {} } : known }
  })
  const place = { ...env, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'a.b.c' }
  return runCli(typed`returns explain 1 ${argv}`, {
    env: place,
    now: NOW,
    ...(columns ? { columns } : {}),
  })
}

it('the timeline is printed in every format, and on a terminal below its problems', async () => {
  const json = jsonOf(await explain(['--json'], record()))
  expect(json).toMatchObject({
    problems: [
      expect.stringContaining('received and not checked for 122 h'),
      expect.stringMatching(/^total: /),
      expect.stringMatching(/^refund: 49\.50 EUR expected, 1234\.50 EUR found/),
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

it('--html has the answer above the timeline, and runs and loads nothing', async () => {
  const file = join(freshHome().HOME, '../explained.html')
  expectEnd(await explain(typed`--html ${file} --force`, record({ name: EVIL })), 0, [`in ${file}`])
  const page = textFile(file)
  expect(page).toMatch(/default-src 'none'; style-src 'sha256-[^']+'; img-src data:/)
  expect(page).not.toMatch(/<script|\u001b|<[^>]* (?:src|on\w+|style)=/)
  expect(page).toMatch(/<h1>.*<span class="badge yellow">received, not checked<\/span><\/h1>/)
  expect(page).toMatch(
    /<dt>Where<.*<dt>Next<.*received and not checked.*<ol class="timeline">\n<li class="return">/s,
  )
  writeFileSync(file, 'mine')
  const refused = await explain(typed`--html ${file}`, record())
  expectEnd(refused, 2, ['--force replaces the file'])
  ended(await explain(typed`--html -`, record()), 2)
})

it('--reply writes a message in the language and format of the customer’s country', async () => {
  const { stdout } = succeeded(await explain(['--reply'], record(UNDER_WAY)))
  expect(stdout.replaceAll('\u00a0', ' ')).toBe(`Hola, Ana Ruiz:

El paquete de su devolución R#-A1 del pedido A1 está en camino hacia nosotros, pero no ha sido registrado por DHL desde el 2 de abril de 2026. Estamos preguntando dónde está y le escribiremos. No tiene que hacer nada.
Puede seguirlo aquí: https://dhl.example/1

Le abonamos 1234,50 € como saldo en nuestra tienda el 11 de abril de 2026.
Le enviaremos una tarjeta regalo de 20,00 € en cuanto hayamos revisado los artículos.

Un saludo
`)
})

it('--reply breaks lines between words on a terminal', async () => {
  const [{ stdout: whole }, { stdout }] = [
    succeeded(await explain(['--reply'], record(UNDER_WAY))),
    succeeded(await explain(['--reply'], record(UNDER_WAY), freshHome(), 60)),
  ]
  expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  expect(stdout.split(/\s+/)).toEqual(whole.split(/\s+/))
})

it('--reply is exit 2 if the address leaves the language open and nobody can be asked', async () => {
  const customer = { fullName: 'Ana Ruiz', address: { countryCode: 'CH', postalCode: '2502' } }
  const known = record({ ...UNDER_WAY, customer })
  expectEnd(await explain(['--reply'], known), 2, ['In CH customers speak de or fr', '--language fr'])
  const reply = jsonOf(await explain(typed`--reply --language Français --json`, known))
  expect(reply).toEqual({ language: 'fr', text: expect.stringMatching(/^Bonjour Ana Ruiz,\n/) })
})

it.each([
  [1.5, 'KWD', 'KWD 1.500'],
  [14850, 'JPY', '¥14,850'],
  [10.125, 'EUR', '€10.125'],
])(
  'an amount has the digits of its currency, and all that were sent: %s %s',
  async (amount, currency, expected) => {
    const known = record({ ...UNDER_WAY, currency })
    const parts = { refunds: refunds.map((refund) => ({ ...refund, amount, currency })) }
    const argv = typed`--reply --language en`
    const { stdout } = await explain(argv, known, freshHome(), undefined, parts)
    expect(stdout.replaceAll('\u00a0', ' ')).toContain(expected)
  },
)

it('--reply leaves out unknown values and invalid amounts', async () => {
  const unknown = { ...UNDER_WAY, customer: { address: {} }, ecommerceOrder: {} }
  const odd = [
    { status: 'EXECUTED', amount: 7, currency: 'EUR', executedAt: null },
    { status: 'EXECUTED', amount: 'much', currency: 'EUR' },
    { status: 'FAILED', amount: 9, currency: 'EUR', refundMode: 'MANUAL' },
    { status: 'PENDING', amount: 3, currency: 'EUR', refundMode: 'SHIPPING_IN_PROGRESS' },
  ]
  const parts = { transport: { carrierCode: null, carrierTrackingUrl: null }, refunds: odd }
  const { stdout } = await explain(['--reply'], record(unknown), freshHome(), 0, parts)
  expect(stdout).toMatch(/^Hello,\n\nThe parcel of your return R#-A1 is on its way .* since April 2, 2026\./)
  expect(stdout).toContain(`
We gave you €7.00 back.
The €9.00 that you get back didn't go through. We're looking into it and will write to you.
You're due €3.00 back, and we're seeing to it now.
`)
})

it.each([
  [
    'paid',
    { executedAt: '2026-04-11 09:00:00Z', amount: 83.3 },
    /We gave you €83\.30 back on April 11, 2026/,
    0,
  ],
  ['paid with an unreadable amount', { status: 'EXECUTED', amount: 'much' }, /is completed\..*Kind/s, 1],
  ['failed with an unreadable amount', { status: 'FAILED' }, /Nothing was refunded/, 1],
])('--reply about a refund that was %s says neither too much nor nothing', async (_, more, told, unread) => {
  const parts = { refunds: [{ currency: 'EUR', refundMode: 'INSTANT', ...more }] }
  const closed = record({ status: 'CLOSED', customer: {} })
  const { stdout, stderr } = succeeded(await explain(['--reply'], closed, freshHome(), 0, parts))
  expect(stdout).toMatch(told)
  if (!/Nothing/.test(`${told}`)) expect(stdout).not.toContain('Nothing was refunded')
  expect(stderr.split('The message leaves out 1 refund without a readable amount')).toHaveLength(1 + unread)
})

it('--reply promises nothing for a cancelled return', async () => {
  const { stdout } = await explain(typed`--reply --language en`, record({ status: 'EXPIRED' }))
  expect(stdout).toMatch(/has expired.*\nYour parcel is on its way to us all the same/)
  expect(stdout).not.toContain('20.00')
})

it("--reply uses sentences from the shop's files, adds languages, and names mistakes in them", async () => {
  const env = freshHome()
  const folder = join(env.RMA_CONFIG_DIR, 'replies')
  const shown = await explain(typed`--reply --template --language nl`, record(), env)
  expectEnd(shown, 2, [join(folder, 'nl.yaml')])
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'en.yaml'), 'greeting: Hey <&> {{customer}}\n')
  const english = await explain(typed`--reply --language en`, record(), env)
  expect(english.stdout).toMatch(/^Hey <&> Ana Ruiz\n\nWe've received your return/)
  writeFileSync(join(folder, 'nl.yaml'), 'message: "{{#RECEIVED}}Dag{{/RECEIVED}} {{money}}"\n')
  expectEnd(await explain(typed`--reply --language nl`, record(), env), 3, ['nl.yaml has no sentence name'])
  writeFileSync(join(folder, 'en.yaml'), 'greeting: "{{#RECEIVED}}"\n')
  const broken = await explain(typed`--reply --language en`, record(), env)
  expectEnd(broken, 3, [/greeting in .*en.yaml is not understood/])
  ended(await explain(typed`--reply --language ../../x`, record(), env), 2)
  const template = await explain(typed`--reply --template --language fr`, record(), env)
  expect(template.stdout).toMatch(/^# Message .*\nmessage: \|\n/)
})

it('--reply names the nearest point and a deadline, signs, and fills the clipboard', async () => {
  const env = freshHome()
  const run = runIn(env)
  const bin = newFolder()
  const [copied, templates] = [join(bin, 'copied'), newFolder()]
  writeFileSync(join(bin, 'xclip'), `#!/bin/sh\necho "$@" > ${copied}; cat >> ${copied}\n`, { mode: 0o755 })
  writeFileSync(join(templates, 'en.yaml'), 'closing: Cheers\n')
  const set = typed`profiles set mock --signature 'Lumbre\nCustomer care' --reply-templates ${templates}`
  succeeded(await runCli(set, { env }))
  const find =
    '[.returns[] | select(.activeTransportation | .status == "REQUESTED" and .serviceType == "drop-off")][0].name'
  const { stdout: name } = await run`returns list --all --jq ${find}`
  const here = { ...env, DISPLAY: ':9', PATH: `${bin}:/usr/bin:/bin` }
  const argv = typed`returns explain ${name.trim()} --reply --language en --copy`
  const reply = expectEnd(await runCli(argv, { env: here }), 0, ['Copied to the clipboard'])
  expect(reply.stdout).toMatch(
    /Please hand in the parcel .*by .*20\d\d\.\nThe nearest drop-off point is .*It's open /s,
  )
  expect(reply.stdout).toMatch(/\n\nCheers\nLumbre\nCustomer care\n$/)
  expect(`${textFile(copied)}\n`).toBe(`-selection clipboard\n${reply.stdout}`)
  expectEnd(await runCli(argv, { env: { ...env, PATH: bin } }), 0, ['Warning: Not copied'])
  expectEnd(await run`profiles set mock --reply-templates /nowhere`, 0, '')
  expectEnd(await runCli(argv, { env }), 3, ["templates in /nowhere can't be read"])
})

it('--reply warns of unreadable refunds and labels, and promises no money', async () => {
  const parts = { transport: { clientReference: 'C-1' }, failing: /refunds|shipping_labels/ }
  const closed = record({ status: 'CLOSED' })
  const told = await explain(typed`--retries 0`, closed, freshHome(), 0, parts)
  expectEnd(told, 0, ["The refunds can't be read: ", "The labels of C-1 can't be read: "])
  expect(told.stdout).toMatch(/^Money {2}49\.50 EUR(?: .*)?; whether it was refunded is not known here\.$/m)
  const reply = await explain(typed`--reply --language en --retries 0`, record(), freshHome(), 0, parts)
  expect(succeeded(reply).stdout).not.toContain('49.50')
})

it('explains a return of the sandbox by its name', async () => {
  const run = runIn()
  const { stdout } = await run`returns list --limit 1 --status CLOSED --jq .returns[0].name`
  const { code, stdout: csv } = await run`returns explain ${stdout.trim()} -o csv`
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
