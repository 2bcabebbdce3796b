import { expect, it } from 'vitest'
import { deviationsError, deviationWarnings } from '../../../src/lib/api/spec-deviations.ts'
import { SpecDeviations } from '../../../src/lib/wire/read.ts'

function sample() {
  const deviations = new SpecDeviations()
  deviations.add('returns[].customer.email', 'missing')
  deviations.add('returns[].customer.email', 'missing')
  deviations.add('returns[].status', 'unknown-value', 'LOST')
  deviations.add('refunds[].amount', 'wrong-type')
  deviations.add('pageInfo', 'missing')
  return deviations
}

it('each deviation is one line, with the number of records', () => {
  expect(deviationWarnings(sample())).toEqual([
    '2 returns lack customer.email',
    '1 return has values of status that the specification does not know: LOST',
    '1 refund has amount in another type than specified',
    'The answer lacks pageInfo',
  ])
})

it('all deviations are one error', () => {
  expect(deviationsError(new SpecDeviations())).toBeUndefined()
  expect(deviationsError(sample())).toMatchObject({
    kind: 'contract',
    details: [{ message: '2 returns lack customer.email' }, {}, {}, {}],
  })
})
