import { expect, it } from 'vitest'
import { type Check, CheckedPlatform, once } from '../../../src/lib/conformance/check.ts'
import {
  Departure,
  each,
  type Probe,
  type ProbeAnswer,
  Skipped,
} from '../../../src/lib/conformance/expect.ts'
import { CHECKS, runChecks, selectChecks } from '../../../src/lib/conformance/run.ts'
import { AppError } from '../../../src/lib/errors.ts'
import { type Answer, scriptServer } from '../../helpers/script-server.ts'
import { testHttp } from '../../helpers/test-http.ts'

const answer = (body: unknown, status = 200): ProbeAnswer => ({ status, headers: {}, text: '', body })
const worldOf = (probe: Probe) =>
  new CheckedPlatform({ probe, shop: undefined, now: 0, runId: 'X', revision: '1.4' })
const nowhere = worldOf(async () => answer(undefined, 500))
const check = (id: string, run: Check['run'], basis: Check['basis'] = 'spec'): Check => ({
  id,
  specified: 'words',
  source: '§1',
  basis,
  run,
})
const throwing = (error: Error) => async () => {
  throw error
}

async function verdicts(...checks: Check[]) {
  const found = []
  for await (const { verdict, observed } of runChecks(checks, nowhere, () => 0)) {
    found.push(`${verdict}: ${observed}`)
  }
  return found
}

it.each<[string, Error, Check['basis'], RegExp]>([
  ['a departure', new Departure('other'), 'spec', /^fail: other$/],
  ['a departure from an assumption', new Departure('other'), 'assumed', /^differs: other$/],
  ['nothing to look at', new Skipped('none'), 'spec', /^not shown: none$/],
  ['an answer of another shape', new TypeError('x of undefined'), 'spec', /^fail: .*x of undefined/],
  ['no answer', new AppError('unavailable', 'reset'), 'spec', /^fail: no answer: reset/],
])('a check ends as its outcome says: %s', async (_name, error, basis, expected) => {
  expect(await verdicts(check('a', throwing(error), basis))).toEqual([expect.stringMatching(expected)])
})

it('an interruption and an error of rma end the run', async () => {
  for (const error of [new AppError('interrupted', 'stop'), new RangeError('ours')]) {
    await expect(verdicts(check('a', throwing(error)))).rejects.toBe(error)
  }
})

it('three checks in a row without an answer end the run, two do not', async () => {
  const lost = check('lost', throwing(new AppError('unavailable', 'gone')))
  const fine = check('fine', async () => 'seen')
  expect(await verdicts(lost, lost, fine, lost, lost)).toHaveLength(5)
  await expect(verdicts(lost, lost, lost)).rejects.toThrow('gone')
})

it('each check reports the first complaint, and how many there are', () => {
  const odd = (n: number) => (n % 2 === 1 ? `${n} is odd` : undefined)
  expect(each([2, 4], 'numbers', odd)).toBe('numbers: 2')
  expect(() => each([2, 3, 5], 'numbers', odd)).toThrow(new Departure('3 is odd (2 of 3 numbers)'))
  expect(() => each([], 'numbers', odd)).toThrow(Skipped)
})

it('each read is made once, each finder runs once per platform, and failures are remembered', async () => {
  let reads = 0
  const counting = worldOf(async () => {
    reads += 1
    return answer({ reads })
  })
  await Promise.all([counting.get('/a'), counting.get('/a'), counting.get('/a', { limit: 1 })])
  expect(reads).toBe(2)
  let tries = 0
  const find = once(async () => {
    tries += 1
    throw new Skipped('never there')
  })
  await expect(find(counting)).rejects.toThrow(Skipped)
  await expect(find(counting)).rejects.toThrow(Skipped)
  await expect(find(nowhere)).rejects.toThrow(Skipped)
  expect(tries).toBe(2)
})

it('a lost answer is requested again', async () => {
  let reads = 0
  const shaky = worldOf(async () => {
    reads += 1
    if (reads === 1) throw new AppError('unavailable', 'reset')
    return answer({})
  })
  const find = once((platform: CheckedPlatform) => platform.get('/a'))
  await expect(find(shaky)).rejects.toThrow('reset')
  expect(await find(shaky)).toEqual(answer({}))
})

it.each<[string, unknown, number]>([
  ['a list that is none', { returns: {}, pageInfo: { totalRecords: 0, totalPages: 0 } }, 200],
  ['no pageInfo', { returns: [] }, 200],
  ['a refusal', { errors: [] }, 400],
  ['nothing', undefined, 200],
])('%s is a departure from the specification', async (_name, body, status) => {
  await expect(worldOf(async () => answer(body, status)).list()).rejects.toThrow(Departure)
})

const ids = (...patterns: string[]) => selectChecks(patterns).map(({ id }) => id)

it('--only selects ids, areas and patterns', () => {
  expect(ids()).toHaveLength(CHECKS.length)
  expect(ids('auth.token')).toEqual(['auth.token'])
  expect(ids('return').length).toBeGreaterThan(0)
  expect(ids('return').every((id) => id.startsWith('return.'))).toBe(true)
  expect(ids('*')).toHaveLength(CHECKS.length)
  expect(ids('returns.limit-m*')).toEqual(['returns.limit-min', 'returns.limit-max'])
  expect(ids('zone.unknown', 'AUTH.TOKEN')).toEqual(['auth.token', 'zone.unknown'])
})

it('an id is no prefix: areas end at a dot', () => {
  for (const { id } of CHECKS) expect(id).toMatch(/^[a-z]+\.[a-z0-9-]+$/)
  expect(() => ids('auth.tok')).toThrow('fits no check')
})

it('a dot in --only matches a dot only', () => expect(() => ids('auth-token')).toThrow('fits no check'))

const probe = async (answers: Answer[], request: Parameters<Probe>[0]) => {
  const server = await scriptServer(answers)
  const client = testHttp(server.baseUrl, { token: 'secret', retries: 2 })
  return { server, answer: await client.probe(request) }
}

it.each([200, 400, 401, 404, 405, 500])('a probe returns %i as an answer at once', async (status) => {
  const seen = await probe([{ status, body: { errors: [{ code: 'XX01' }] } }], {
    method: 'GET',
    path: '/x',
  })
  expect(seen.answer).toMatchObject({ status, body: { errors: [{ code: 'XX01' }] } })
})

it('a probe retries 429 and 503, and returns them as answers in the end', async () => {
  const again = await probe([{ status: 429 }, { status: 503 }, { status: 200 }], {
    method: 'GET',
    path: '/x',
  })
  expect(again.answer.status).toBe(200)
  const never = await probe([{ status: 503 }, { status: 503 }, { status: 503 }], {
    method: 'GET',
    path: '/x',
  })
  expect(never.answer.status).toBe(503)
})

it.each<[Parameters<Probe>[0]['authorization'], string | undefined]>([
  [undefined, 'Bearer secret'],
  [() => undefined, undefined],
  [(token) => `Basic ${token}`, 'Basic secret'],
])('the header of a probe is made by %s', async (authorization, expected) => {
  const request = { method: 'GET' as const, path: '/x', ...(authorization && { authorization }) }
  const { server } = await probe([{ status: 200 }], request)
  expect(server.requests[0]?.headers.authorization).toBe(expected)
})
