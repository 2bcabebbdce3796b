import { expect, test } from 'vitest'
import { detailsOf, errorFrom, requestIdOf } from '../../../../src/lib/api/http/error-map.ts'

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
  [
    404,
    'https://x.example/returns',
    undefined,
    'a base URL with its path, such as https://x.example/integration/v1',
  ],
  [401, 'https://x.example/api/v1/returns', 'RMA_TOKEN', /^the token comes from RMA_TOKEN: renew it there/],
  [
    401,
    'https://x.example/returns',
    '--token-file a b.txt',
    "see what it says with: rma auth status --profile live --token-file 'a b.txt'",
  ],
  [401, 'https://x.example/api/v1/returns', undefined, 'sign in again with: rma auth login --profile live'],
])('HTTP %i of %s with a token of %s names the remedy', (status, url, tokenSource, remedy) => {
  const answer = { kind: 'response', status, headers: {}, body: {}, text: '', requestId: undefined } as const
  const place = { url: new URL(url), hasToken: true, tokenSource, targetFlags: ' --profile live' }
  const error = errorFrom(answer, { method: 'GET', attempts: 1, timeoutMs: 1, ...place })
  expect(error.hints).toContainEqual(remedy instanceof RegExp ? expect.stringMatching(remedy) : remedy)
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
