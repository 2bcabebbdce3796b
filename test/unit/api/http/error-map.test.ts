import { expect, test } from 'vitest'
import { detailsOf, requestIdOf } from '../../../../src/lib/api/http/error-map.ts'

test('an odd entry among the errors hides no other', () => {
  const errors = [
    null,
    { code: 5, message: { en: 'no' } },
    { code: 'LB02', message: 'refused', carrierErrors: ['x', { carrierName: 'SEUR', message: 'no street' }] },
  ]
  const carrierErrors = [{ carrierName: 'SEUR', message: 'no street' }]
  const expected = [
    { code: '5', message: 'no message' },
    { code: 'LB02', message: 'refused', carrierErrors },
  ]
  expect(detailsOf({ errors, requestId: 'r1' })).toEqual(expected)
  expect(requestIdOf({}, { errors, requestId: 'r1' })).toBe('r1')
  expect(requestIdOf({}, { errors, requestId: {} })).toBeUndefined()
})

test.each([
  [{ errors: 'closed for today' }, ['"closed for today"']],
  [{ errors: { shopCode: ['unknown'] } }, ['{"shopCode":["unknown"]}']],
  [{ errors: [] }, []],
  [{ errors: null, message: 'no' }, ['no']],
  ['text', []],
  [null, []],
])('an unknown error body is shown unchanged: %j', (body, messages) => {
  expect(detailsOf(body).map(({ message }) => message)).toEqual(messages)
})
