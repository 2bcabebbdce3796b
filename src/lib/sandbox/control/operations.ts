import * as z from 'zod'
import { readFault, readFaults } from '../faults/fault.ts'
import { STATUS_FILTER } from '../http/request-log.ts'
import type { ControlOperation } from './operation.ts'
import { invalidInput, valid } from './valid.ts'
import { WORLD_OPERATIONS } from './world-operations.ts'

const SERVER_OPERATIONS: readonly ControlOperation[] = [
  {
    method: 'GET',
    path: '/status',
    answer: ({ platform, server, faults, log }) => ({
      ...server,
      now: new Date(platform.clock.now()).toISOString(),
      shops: platform.store.read(({ shops }) => shops.map(({ code }) => code)),
      requests: log.total,
      faults: faults.list().length,
    }),
  },
  {
    method: 'GET',
    path: '/requests',
    answer: ({ log, params }) => {
      const { last, after, ...filter } = valid(filterSchema.safeParse(Object.fromEntries(params)))
      return { requests: log.read({ last, after, ...filter }), total: log.total }
    },
  },
  {
    method: 'POST',
    path: '/tokens',
    answer: async ({ body, issueToken }) => ({
      token: issueToken(valid(tokenSchema.safeParse((await body()) ?? {}))),
    }),
  },
  {
    method: 'POST',
    path: '/reset',
    answer: async ({ body, reset }) => {
      await reset(valid(resetSchema.safeParse((await body()) ?? {})))
      return { reset: true }
    },
  },
]

const count = z
  .string()
  .regex(/^\d{1,9}$/, 'must be a whole number')
  .transform(Number)

const filterSchema = z.strictObject({
  last: count.optional(),
  after: count.optional(),
  status: z.string().regex(STATUS_FILTER, 'must look like 404, 5xx or none').optional(),
  route: z
    .string()
    .regex(/^\S+ \S+$/, 'must be a method or *, a space and a path')
    .optional(),
})

const tokenSchema = z.strictObject({
  shops: z.array(z.string()).optional(),
  lifetimeSeconds: z.int('must be a whole number').min(1, 'must be 1 at least').optional(),
})

const resetSchema = z.strictObject({ seed: z.number().optional(), returns: z.number().optional() })

const FAULT_OPERATIONS: readonly ControlOperation[] = [
  { method: 'GET', path: '/faults', answer: ({ faults }) => ({ faults: faults.list() }) },
  {
    method: 'PUT',
    path: '/faults',
    answer: async ({ body, faults }) => {
      const read = readFaults(await body())
      if ('problems' in read) throw invalidInput(read.problems)
      return { faults: await faults.set(read.faults) }
    },
  },
  {
    method: 'POST',
    path: '/faults',
    answer: async ({ body, faults }) => {
      const read = readFault(await body())
      if ('problems' in read) throw invalidInput(read.problems)
      return faults.add(read.fault)
    },
  },
  {
    method: 'DELETE',
    path: '/faults',
    answer: async ({ faults }) => {
      await faults.clear()
      return { faults: [] }
    },
  },
  {
    method: 'DELETE',
    path: '/faults/:faultId',
    answer: async ({ faults, part }) => {
      await faults.remove(part('faultId'))
      return { faults: faults.list() }
    },
  },
]

export const CONTROL_OPERATIONS: readonly ControlOperation[] = [
  ...SERVER_OPERATIONS,
  ...FAULT_OPERATIONS,
  ...WORLD_OPERATIONS,
]
