import { expect, it } from 'vitest'
import { type Env, ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { listDated } from '../../helpers/dated-returns.ts'
import { homeAt, runCli } from '../../helpers/run-cli.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/reconcile.ts'
import '../../../src/commands/returns/stats.ts'
import '../../../src/commands/search.ts'

const now = Date.parse('2026-04-15T12:00:00Z')

const refund = (more: object) => ({
  status: 'EXECUTED',
  refundType: 'GIFT_CARD',
  currency: 'EUR',
  fee: 2.95,
  executedAt: '2026-04-11 09:00:00Z',
  ...more,
})
const REFUNDS: Record<string, object[]> = {
  1: [refund({ id: '11', amount: 17.05, lineItems: [{ returnLineItemId: '101', amount: 20 }] })],
  2: [refund({ id: '12', amount: 17.06, lineItems: [{ returnLineItemId: '102', amount: 20 }] })],
}
const RETURNS = ['2', '1'].map((id) => ({
  id,
  name: `R#-A${id}`,
  shopCode: 'S',
  status: 'CHECKED',
  createdAt: `2026-04-0${id} 10:00:00Z`,
  updatedAt: `2026-04-0${id} 10:00:00Z`,
  totalReturnAmount: 20,
  totalReturnFee: 2.95,
  totalRefund: 17.05,
  currency: 'EUR',
  customer: { fullName: 'Ana', email: 'a@example.com' },
  ecommerceOrder: { id: '7' },
  origin: { fullName: 'Ana', email: 'a@example.com' },
  destination: { fullName: 'Shop' },
  returnLineItems: [
    {
      id: `10${id}`,
      sku: 'X1',
      barcode: '1',
      price: 20,
      returnAmount: 20,
      quantity: 1,
      refundType: 'GIFT_CARD',
      refundMode: 'POST_VALIDATION',
    },
  ],
}))

async function platform(returns = RETURNS, refunds = REFUNDS) {
  const server = await scriptServer(({ path, query }) => {
    const id = /\/returns\/(\d)/.exec(path)?.[1] ?? ''
    if (path.endsWith('/transportations')) return { body: { transportations: [] } }
    if (path.endsWith('/refunds')) return { body: { refunds: refunds[id] ?? [] } }
    if (id !== '') return { body: returns.find((one) => one.id === id) ?? {} }
    return listDated(returns, { query })
  })
  return homeAt(server.baseUrl)
}

const sync = async (env: Env) =>
  succeeded(await runCli(typed`mirror sync --yes --with transports,refunds`, { env, now }))

it('prints each difference with every digit, and ends with 9; with 0 where all agree', async () => {
  const env = await platform()
  const asked = await runCli(typed`returns reconcile`, { env, now })
  expectEnd(asked, 2, ['rma mirror sync --yes'])
  await sync(env)
  const { stdout, stderr } = ended(await runCli(typed`returns reconcile --json`, { env, now }), 9)
  expect(JSON.parse(stdout)).toEqual({
    differences: [
      {
        name: 'R#-A2',
        id: '2',
        shop: 'S',
        kind: 'refund',
        refund: '12',
        currency: 'EUR',
        expected: '17.05',
        actual: '17.06',
        difference: '0.01',
        why: 'amount: its lines less its fee',
      },
    ],
    returns: 2,
    unread: 0,
  })
  expect(JSON.parse(stderr).error).toMatchObject({
    kind: 'partial',
    message: '1 of 2 compared returns differs from its refunds.',
    hints: ["rma returns explain 'R#-A2' --shop S"],
  })
  const baseUrl = `${env.RMA_BASE_URL}`
  const named = await runCli(typed`returns reconcile --base-url ${baseUrl}`, { env, now })
  expect(named.stderr).toContain(`Try: rma returns explain 'R#-A2' --base-url ${baseUrl} --shop S`)
  const older = await runCli(typed`returns reconcile --offline --created-to 2026-04-01`, {
    env,
    now,
  })
  expectEnd(older, 0, 'No differences\n')
})

it('does not judge by refunds that were copied before the return changed', async () => {
  const [, checked] = RETURNS
  if (!checked) throw new Error('no return')
  const received = { ...checked, status: 'RECEIVED' }
  const [returns, refunds]: [typeof RETURNS, typeof REFUNDS] = [[received], {}]
  const env = await platform(returns, refunds)
  await sync(env)
  Object.assign(refunds, REFUNDS)
  returns[0] = { ...checked, updatedAt: '2030-01-01 00:00:00Z' }
  // A search copies the return and waits for nothing else.
  succeeded(await runCli(typed`search ana`, { env, now: now + 120_000 }))
  const offline = await runCli(typed`returns reconcile --offline`, { env, now: now + 120_000 })
  expectEnd(offline, 0, ['No differences', 'The refunds of 1 return were not copied; rma mirror sync --with'])
  const online = await runCli(typed`returns reconcile --json`, { env, now: now + 120_000 })
  expect(jsonOf(succeeded(online))).toEqual({ differences: [], returns: 1, unread: 0 })
})

it('a filter of refunds says how many returns it can not judge', async () => {
  const env = await platform()
  succeeded(await runCli(typed`mirror sync --yes --with none`, { env, now }))
  const filter = typed`--offline --refunded-from 2026-04-02T00:00:00`
  for (const command of ['returns reconcile', 'returns stats', 'search ana']) {
    const { stderr } = succeeded(await runCli(typed`${command.split(' ')} ${filter}`, { env, now }))
    expect(stderr, command).toContain('The refunds of 1 return were not copied; rma mirror sync --with')
  }
})

it('a search offline tells the same of a return whose id is a number as of one whose id is a text', async () => {
  const [one] = RETURNS
  const cards = [one, { ...one, id: 2 as unknown as string }].map(async (record) => {
    const env = await platform([record as (typeof RETURNS)[number]])
    await sync(env)
    return succeeded(await runCli(typed`search ana --offline`, { env, now })).stdout
  })
  const [ofText, ofNumber] = await Promise.all(cards)
  expect(ofText).toContain('17.06')
  expect(ofNumber).toBe(ofText)
})
