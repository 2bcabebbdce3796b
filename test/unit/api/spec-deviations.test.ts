import { expect, it } from 'vitest'
import { departuresError, departureWarnings } from '../../../src/lib/api/spec-deviations.ts'
import { Departures } from '../../../src/lib/wire/read.ts'

function sample() {
  const departures = new Departures()
  departures.add('returns[].customer.email', 'missing')
  departures.add('returns[].customer.email', 'missing')
  departures.add('returns[].status', 'unknown-value', 'LOST')
  departures.add('refunds[].amount', 'wrong-type')
  departures.add('pageInfo', 'missing')
  return departures
}

it('each departure is one line, with the number of records', () => {
  expect(departureWarnings(sample())).toEqual([
    '2 returns lack customer.email',
    '1 return has values of status that the specification does not know: LOST',
    '1 refund has amount in another type than specified',
    'The answer lacks pageInfo',
  ])
})

it('all departures are one error', () => {
  expect(departuresError(new Departures())).toBeUndefined()
  expect(departuresError(sample())).toMatchObject({
    kind: 'contract',
    details: [{ message: '2 returns lack customer.email' }, {}, {}, {}],
  })
})
