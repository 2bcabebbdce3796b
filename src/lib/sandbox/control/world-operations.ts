import * as z from 'zod'
import { DECISIONS } from '../actions/warehouse-decisions.ts'
import { checkNewReturn } from '../scenarios/new-return-schema.ts'
import type { ControlOperation } from './operation.ts'
import { valid } from './valid.ts'

const advanceSchema = z.strictObject({
  seconds: z.int('must be a whole number').min(1, 'must be 1 at least'),
})

export const WORLD_OPERATIONS: readonly ControlOperation[] = [
  {
    method: 'POST',
    path: '/advance',
    answer: async ({ body, world }) =>
      world.advance(valid(advanceSchema.safeParse((await body()) ?? {})).seconds),
  },
  {
    method: 'POST',
    path: '/returns',
    answer: async ({ body, world }) => world.createReturn(checkNewReturn(await body())),
  },
  ...Object.entries(DECISIONS).map(
    ([name, decide]): ControlOperation => ({
      method: 'POST',
      path: `/returns/:returnRef/${name}`,
      answer: ({ part, world }) => decide(world, part('returnRef')),
    }),
  ),
  {
    method: 'POST',
    path: '/refunds/:refundId/execute',
    answer: ({ part, world }) => world.executeRefund(part('refundId')),
  },
  {
    method: 'POST',
    path: '/play',
    answer: async ({ body, play }) => {
      const steps = await play(await body())
      return { passed: steps.every(({ outcome }) => outcome === 'done'), steps }
    },
  },
]
