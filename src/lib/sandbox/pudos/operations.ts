import type { Operation } from '../http/operation.ts'

/** What is asked about drop-off points (spec §4.5). The points are many words, and few commands ask for them. */
export const PUDO_OPERATIONS: readonly Operation[] = [
  {
    method: 'POST',
    path: '/pudos',
    answer: async (call) => (await import('./search.ts')).answerPudoSearch(call),
  },
]
