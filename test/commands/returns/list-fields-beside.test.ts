import { expect, it } from 'vitest'
import { jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { homeAt, runIn } from '../../helpers/run-cli.ts'
import { type Handler, scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/methods/calculate.ts'
import '../../../src/commands/pudos/search.ts'
import '../../../src/commands/returns/list.ts'
import { times } from '../../helpers/values-of.ts'

const BESIDE = { generatedAt: '2026-03-01 10:00:00Z', _links: { self: '/x' }, exact: null, returned: [] }

async function resultOf(argv: string[], handler: Handler) {
  const { baseUrl } = await scriptServer(handler)
  const env = homeAt(baseUrl)
  return jsonOf(succeeded(await runIn(env)`${argv} --json`))
}

/** Pages of 500 out of 1,200 records, each with a field of its own. */
const pages: Handler = ({ query }) => {
  const [page, limit] = [Number(query.get('page') ?? 1), Number(query.get('limit') ?? 100)]
  const first = (page - 1) * limit
  const count = Math.max(0, Math.min(limit, 1_200 - first))
  const returns = times(count, (i) => ({ id: String(first + i) }))
  const pageInfo = { totalRecords: 1_200, totalPages: Math.ceil(1_200 / limit), cursor: `c${page}` }
  return { body: { ...BESIDE, returns, pageInfo, [`onPage${page}`]: true } }
}

it('returns list keeps unknown fields of one page', async () => {
  const pageInfo = { totalRecords: 1_200, totalPages: 400, cursor: 'c1' }
  expect(await resultOf(typed`returns list --limit 3`, pages)).toEqual({
    ...BESIDE,
    returns: [{ id: '0' }, { id: '1' }, { id: '2' }],
    pageInfo,
    onPage1: true,
  })
})

it('returns list --all keeps unknown fields of the last page, as with pageInfo', async () => {
  const { returns, ...rest } = (await resultOf(typed`returns list --all`, pages)) as {
    returns: unknown[]
  }
  expect(returns).toHaveLength(1_200)
  const pageInfo = { totalRecords: 1_200, totalPages: 3, cursor: 'c3' }
  expect(rest).toEqual({ ...BESIDE, pageInfo, onPage3: true })
})

it('returns list prints no pageInfo if the service sends none', async () => {
  expect(await resultOf(['returns', 'list'], () => ({ body: { returns: [], total: 0 } }))).toEqual({
    returns: [],
    total: 0,
  })
})

it.each(['refunds', 'transportations'])('returns %s keeps unknown fields', async (what) => {
  const sent = { ...BESIDE, [what]: [{ id: '1', odd: { a: 1 } }] }
  expect(await resultOf(['returns', what, 'r1'], () => ({ body: sent }))).toEqual(sent)
  const bare = [{ id: '1' }]
  expect(await resultOf(['returns', what, 'r1'], () => ({ body: bare }))).toEqual({ [what]: bare })
})

it('methods calculate keeps unknown fields', async () => {
  const sent = { ...BESIDE, returnMethods: [{ code: 'A', odd: 1 }] }
  const flags = '--item A --currency EUR --country ES --postal-code 28013 --client-id 1 --tier gold'
  expect(await resultOf(['methods', 'calculate', ...flags.split(' ')], () => ({ body: sent }))).toEqual(sent)
})

it.each([[], typed`--open-at 'sat 18:00'`])('pudos search %s keeps unknown fields', async (...flags) => {
  const openingHours = [{ day: 6, opens: '00:00', closes: '24:00' }]
  const pudoPoints = [{ id: 'P', latitude: 40, longitude: -3, openingHours, odd: { a: 1 } }]
  const sent = [
    { ...BESIDE, carrierCode: 'C', pudoPoints },
    { ...BESIDE, carrierCode: 'D', pudoPoints: [] },
  ]
  const place = typed`--lat 40 --lon -3 --carrier-service C`
  expect(await resultOf(['pudos', 'search', ...place, ...flags], () => ({ body: sent }))).toEqual(sent)
})
