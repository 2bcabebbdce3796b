import { expect, test } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import {
  type FaultInput,
  type FaultRecord,
  readFault,
  readFaults,
  withFault,
} from '../../../../src/lib/sandbox/faults/fault.ts'
import { countRequest, routeMatcher, StoredFaults } from '../../../../src/lib/sandbox/faults/faults.ts'
import { Store } from '../../../../src/lib/sandbox/store/store.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

function problemsOf(read: () => unknown) {
  try {
    read()
  } catch (error) {
    if (error instanceof AppError) return error.details
    throw error
  }
  throw new Error('taken')
}

test.each([
  ['POST /shipping_trackings', 'POST', '/shipping_trackings', true],
  ['POST /shipping_trackings', 'GET', '/shipping_trackings', false],
  ['POST /shipping_trackings', 'POST', '/shipping_trackings/1', false],
  ['post /shipping_trackings', 'POST', '/shipping_trackings', true],
  ['* /returns*', 'GET', '/returns', true],
  ['* /returns*', 'HEAD', '/returns/1/refunds', true],
  ['* /returns*', 'GET', '/a/returns', false],
  ['GET /returns/:id', 'GET', '/returns/17', true],
  ['GET /returns/:id', 'GET', '/returns/17/refunds', false],
  ['GET /returns/:id/refunds', 'GET', '/returns/17/refunds', true],
  ['* *', 'DELETE', '/anything', true],
  ['GET /a.b', 'GET', '/axb', false],
])('route %s, %s %s: %s', (route, method, path, isMatch) => {
  expect(routeMatcher(route)(method, path)).toBe(isMatch)
})

const RESET = { route: '* *', kind: 'reset' } as const
const FAILING = { route: '* *', kind: '500' } as const

/** Requests counted one after the other. */
class Counter {
  faults: FaultRecord[]

  constructor(...inputs: FaultInput[]) {
    this.faults = inputs.reduce(withFault, [])
  }

  next(method: string, path: string) {
    const { faults, hit } = countRequest(this.faults, method, path)
    this.faults = faults
    return hit
  }
}

/** Numbers of the requests that are hit. */
function hitsOf(counter: Counter, requests = 400) {
  return [...Array(requests).keys()].filter(() => counter.next('GET', '/returns') !== undefined)
}

function counterOf(fault: object) {
  return new Counter({ id: 'f', ...RESET, ...fault })
}

test('a fault hits all requests by default, and none at rate 0', () => {
  expect(hitsOf(counterOf({}), 20)).toHaveLength(20)
  expect(hitsOf(counterOf({ rate: 0 }))).toEqual([])
})

test('the choice of requests depends on seed, id and number only', () => {
  const first = hitsOf(counterOf({ rate: 0.2, seed: 7 }))
  expect(hitsOf(counterOf({ rate: 0.2, seed: 7 }))).toEqual(first)
  expect(hitsOf(counterOf({ rate: 0.2, seed: 8 }))).not.toEqual(first)
  expect(hitsOf(counterOf({ rate: 0.2, seed: 7, id: 'g' }))).not.toEqual(first)
  // Requests of other routes, and other faults before it, change nothing.
  const counter = new Counter(
    { id: 'other', route: 'GET /returns', kind: '500', rate: 0 },
    { id: 'f', route: 'GET /returns', kind: 'reset', rate: 0.2, seed: 7 },
  )
  const among = [...Array(400).keys()].filter(() => {
    expect(counter.next('POST', '/returns')).toBeUndefined()
    return counter.next('GET', '/returns') !== undefined
  })
  expect(among).toEqual(first)
})

test.each([0.01, 0.05, 0.5, 0.9])('a fault hits the requested share of requests: %d', (rate) => {
  const hits = hitsOf(counterOf({ rate, seed: 11 }), 20_000).length / 20_000
  // Four standard deviations.
  expect(Math.abs(hits - rate)).toBeLessThan(4 * Math.sqrt((rate * (1 - rate)) / 20_000))
})

test('a fault hits after the first requests, and at most the given number', () => {
  expect(hitsOf(counterOf({ after: 5, count: 3 }), 20)).toEqual([5, 6, 7])
  const free = hitsOf(counterOf({ rate: 0.2, seed: 7 }))
  expect(hitsOf(counterOf({ rate: 0.2, seed: 7, count: 10 }))).toEqual(free.slice(0, 10))
  expect(hitsOf(counterOf({ rate: 0.2, seed: 7, after: 100 }))).toEqual(free.filter((n) => n >= 100))
})

test('only the first of several matching faults applies', () => {
  const counter = new Counter(
    { id: 'a', ...FAILING, count: 2 },
    { id: 'b', route: '* *', kind: '503', count: 1 },
  )
  const ids = [...Array(4).keys()].map(() => counter.next('GET', '/')?.fault.id)
  expect(ids).toEqual(['a', 'a', 'b', undefined])
  expect(counter.faults).toMatchObject([
    { id: 'a', seen: 4, hits: 2 },
    { id: 'b', seen: 4, hits: 1 },
  ])
})

test('fault ids are generated, unique, and usable for removal', async () => {
  const store = await Store.open(':memory:', { seed: 1, returns: 0, now: NOW })
  const faults = new StoredFaults(store)
  await faults.add({ ...FAILING, id: 'fault-1' })
  expect((await faults.add(FAILING))?.id).toBe('fault-2')
  const again = faults.add({ ...FAILING, id: 'fault-2' })
  await expect(again).rejects.toThrow('a fault fault-2 already')
  await faults.remove('fault-1')
  await expect(faults.remove('fault-1')).rejects.toThrow('There is no fault fault-1')
  const twice = faults.set([
    { ...FAILING, id: 'x' },
    { route: '* *', kind: '503', id: 'x' },
  ])
  await expect(twice).rejects.toThrow('a fault x already')
  expect(valuesOf(faults.list(), 'id')).toEqual(['fault-2'])
  for (const _again of [1, 2]) {
    await faults.set([FAILING])
    expect(faults.list()[0]?.id).toBe('fault-1')
  }
  await faults.clear()
  expect(faults.list()).toEqual([])
  store.close()
})

test.each([
  [{ route: '* *' }, 'kind', 'is missing'],
  [{ route: '* *', kind: 'resett' }, 'kind', 'did you mean reset?'],
  [{ ...RESET, route: '/returns' }, 'route', 'must be a method or *'],
  [{ ...RESET, route: 'FOO /returns' }, 'route', 'must be a method or *'],
  [{ ...RESET, route: 'GET /integration/v1/returns' }, 'route', 'without /integration/v1'],
  [{ ...RESET, route: 'GET /integration/v1*' }, 'route', 'without /integration/v1'],
  [{ ...RESET, route: 'GET /returns?page=2' }, 'route', 'and query'],
  [{ ...RESET, rate: 5 }, 'rate', 'from 0 to 1'],
  [{ ...RESET, rate: '0.5' }, 'rate', 'must be of type number'],
  [{ ...RESET, delayMs: 5 }, 'delayMs', 'goes with late, never, never-after-commit only'],
  [{ ...RESET, count: 1.5 }, 'count', /whole number|type/],
  [{ ...RESET, probability: 1 }, undefined, 'knows no "probability"'],
  [{ route: '* *', kind: 'html', status: 404 }, 'status', '200 or 502'],
  [{ ...RESET, id: 'a b' }, 'id', 'up to 64 letters'],
])('the fault %o is refused with the name of the field', (fault, path, message) => {
  const [problem] = problemsOf(() => readFault(fault))
  expect(problem?.path).toBe(path)
  expect(problem?.message).toMatch(message)
})

test('a document of faults is refused with all its mistakes', () => {
  const good = { ...RESET, id: 'a' }
  expect(readFaults([good])).toMatchObject([good])
  expect(readFaults({ faults: [good] })).toMatchObject([good])
  expect(problemsOf(() => readFaults({ fault: good }))).toMatchObject([
    { message: expect.stringContaining('must be a list') },
  ])
  const problems = problemsOf(() => readFaults([good, { ...good, rate: 2 }, good, 7]))
  expect(valuesOf(problems, 'path')).toEqual(['faults[1].rate', 'faults[3]', 'faults'])
})
