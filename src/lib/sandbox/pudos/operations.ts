import type { Operation } from '../http/operation.ts'

/** Spec §4.5. Loaded on first use: the points are large, and few commands need them. */
export const PUDO_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/pudos',
    answer: async (call) => (await import('./search.ts')).answerPudoSearch(call),
  },
]
