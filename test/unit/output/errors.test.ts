import { expect, test } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { errorJson, formatError } from '../../../src/lib/output/errors.ts'

const REJECTED = new AppError('rejected', 'The service rejected the label (400).', {
  status: 400,
  requestId: 'req-1',
  hints: ['check the postal code', 'rma labels create --help'],
  details: [
    {
      code: 'LB02',
      message: 'the carrier refused',
      path: 'destination.address',
      carrierErrors: [
        { carrierName: 'SBX', carrierService: 'REFUSES', code: 'P1', message: 'no such postal code' },
        { message: 'try again' },
      ],
    },
    { code: 'VA01', message: 'parcels[0].weight is missing', path: 'parcels[0].weight' },
  ],
})

test('people read what happened, what was said, and what to try', () => {
  expect(formatError(REJECTED)).toBe(
    [
      'Error: The service rejected the label (400).',
      '  LB02 the carrier refused (destination.address)',
      '    SBX REFUSES: P1 no such postal code',
      '    try again',
      '  VA01 parcels[0].weight is missing',
      '  Request id: req-1',
      'Try: check the postal code',
      'Try: rma labels create --help',
    ].join('\n'),
  )
})

test('a details line without a path names its place', () => {
  const details = [
    { path: '--status', message: 'is missing' },
    { path: 'parcels[0].weight', message: 'must be more than 0' },
    { path: 'customer.email', message: 'isolated' },
  ]
  expect(formatError(new AppError('usage', 'No.', { details }))).toBe(
    'Error: No.\n  --status is missing\n  parcels[0].weight must be more than 0\n  isolated (customer.email)',
  )
})

test('scripts read one line of JSON', () => {
  const text = errorJson(REJECTED)
  expect(text).not.toContain('\n')
  expect(JSON.parse(text)).toEqual({
    error: {
      kind: 'rejected',
      exitCode: 6,
      message: REJECTED.message,
      hints: REJECTED.hints,
      status: 400,
      requestId: 'req-1',
      errors: REJECTED.details,
    },
  })
})

test('keys without a value are left out of error JSON, but hints are kept', () => {
  expect(errorJson(new AppError('usage', 'No.'))).toBe(
    '{"error":{"kind":"usage","exitCode":2,"message":"No.","hints":[]}}',
  )
  expect(formatError(new AppError('usage', 'No.'))).toBe('Error: No.')
})

test('no text of the service reaches the terminal as a command', () => {
  const error = new AppError('rejected', 'bad \x1b[2J\nsecond line', {
    requestId: '\x1b]0;',
    hints: ['\x07'],
    details: [
      {
        code: '\x1b1',
        message: '\x1b2\n',
        path: '\x1b3',
        carrierErrors: [{ carrierName: '\x9b', message: '\u202e' }],
      },
    ],
  })
  expect(formatError(error).replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}]/u)
  expect(formatError(error)).toContain('bad \\x1b[2J\n  second line')
  expect(errorJson(error)).not.toMatch(/[\p{Cc}\p{Cf}]/u)
})
