import { expect, it } from 'vitest'
import { statusCodeMeaning } from '../../../../src/lib/wire/tracking/status-code.ts'

it.each([
  ['applied', ['OK', 'ok', ' Ok ', '200', 200, '201', 204, 'HTTP 200', '200 OK', 'OK200']],
  ['applied', ['SUCCESS', 'success', 'ACCEPTED', ' Accepted ']],
  [
    'duplicate',
    ['DUPLICATE', 'duplicated', 'Already registered', 'ALREADY_EXISTS', 'REPEATED', 'NOT_CHANGED'],
  ],
  ['stale', ['STALE', 'outdated', 'Out of order', 'TOO-OLD', 'OBSOLETE']],
  [
    'rejected',
    ['404', 404, '400', '500', 503, 'KO', 'ko', 'ERROR', 'Error', 'FAILED', 'FAILURE', 'NOT FOUND'],
  ],
  ['rejected', ['VALIDATION_ERROR', 'ERROR_42', '404 Not Found', 'HTTP-500', 'rejected', 'NOK']],
  ['rejected', ['Error: not found', 'BAD_REQUEST', 'Unauthorized', 'FORBIDDEN', 'NOT_ACCEPTED', 'TR02']],
  ['rejected', ['UNSUCCESSFUL', 'Exception', 'SHIPMENT_NOT_FOUND', 'unprocessable entity', '(KO)']],
  [
    'unclear',
    [
      undefined,
      null,
      '',
      ' ',
      'DONE',
      '302',
      '100',
      '2000',
      '0',
      0,
      true,
      'MIRROR',
      'TERRORS',
      'NOTED',
      'SHIPPING_FAILED',
      {},
    ],
  ],
])('the statusCode %s means %j', (meaning, codes) => {
  for (const code of codes) expect([code, statusCodeMeaning(code)]).toEqual([code, meaning])
})
