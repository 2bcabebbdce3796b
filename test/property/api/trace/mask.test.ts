import { join } from 'node:path'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { harEntry } from '../../../../src/lib/api/trace/har.ts'
import { maskBody } from '../../../../src/lib/api/trace/mask.ts'
import { answerLines } from '../../../../src/lib/api/trace/verbose.ts'
import { stringifyJson } from '../../../../src/lib/wire/json.ts'
import { jsonFile } from '../../../helpers/files.ts'
import { expectLinear } from '../../../helpers/growth.ts'

const FIXTURE = join(import.meta.dirname, '../../../fixtures/wire/return-list.full.json')

/** Personal data in a return, by hand from the tables of spec §2.1, §2.2 and §2.5. */
const PERSONAL = [
  ...['customerIban', 'customerId', 'accountHolderName', 'fullName', 'email', 'phone'],
  ...['line1', 'line2', 'city', 'postalCode', 'region'],
]
// A mark that can't be anywhere else, so that finding it anywhere is a leak.
const secret = fc
  .tuple(fc.string({ unit: 'grapheme', maxLength: 20 }), fc.nat())
  .map(([text, n]) => `${text}Zq${n}qZ`)

/** A whole return list with every personal field replaced by a generated value; those are collected. */
function replacePersonal(value: unknown, next: () => string, placed: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => replacePersonal(one, next, placed))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (!PERSONAL.includes(key)) return [key, replacePersonal(inner, next, placed)]
      placed.push(next())
      return [key, placed.at(-1)]
    }),
  )
}

it('no personal value of a return is in what verbose and trace write, whole or cut anywhere', () => {
  const list: unknown = jsonFile(FIXTURE)
  fc.assert(
    fc.property(
      fc.infiniteStream(secret),
      fc.double({ min: 0.2, max: 1, noNaN: true }),
      fc.boolean(),
      (secrets, part, whole) => {
        const placed: string[] = []
        const json = stringifyJson(replacePersonal(list, () => secrets.next().value, placed))
        expect(placed.length).toBeGreaterThanOrEqual(PERSONAL.length)
        const text = whole ? json : json.slice(0, Math.ceil(json.length * part))
        const request = {
          method: 'GET' as const,
          url: new URL('http://127.0.0.1/returns'),
          headers: {},
          body: text,
          attempt: 1,
          startedAt: 0,
        }
        const response = {
          status: 200,
          statusText: 'OK',
          httpVersion: '1.1',
          headers: {},
          text,
          bytes: 0,
          phases: {},
        }
        const exchange = { request, durationMs: 1, response }
        const written = JSON.stringify(harEntry(exchange)) + answerLines(exchange).join('\n')
        for (const value of placed) expect(written).not.toContain(/Zq\d+qZ$/.exec(value)?.[0])
      },
    ),
    { numRuns: 60 },
  )
})

/** Beginnings, middles and ends of the patterns. */
const PIECES = [
  ...[
    'eyJ',
    'eyJ-',
    'eyJ_',
    'eyJ.',
    'y',
    'A',
    'ES91',
    'AB12 ',
    '+1',
    '1',
    '(',
    'Bearer ',
    'Basic',
    'http://',
    'https',
  ],
  ...[
    '://',
    'a@',
    '@',
    '.',
    '..',
    '-',
    '_',
    '/',
    '?',
    '#',
    '=',
    '&',
    ' ',
    '\t',
    '\n',
    '"',
    '\\',
    '\\"',
    '""',
    "'",
  ],
  ...[',', ':', '{', '[', '"a" ', '"a":', '"email":"', '"token":', '<', 'é', '😀', 'a.b'],
]
const AROUND = [
  ['', ''],
  ['{"', ''],
  ['["', '"]'],
  ['"token":"', ''],
  ['{"a":', ''],
  ['[', ''],
]

it('maskBody takes time in proportion to any text', () => {
  for (const piece of PIECES) expectLinear(piece, maskBody, ['{"', ''])
  const unit = fc
    .array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 4 })
    .map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(unit, fc.constantFrom(...AROUND), (text, around) => expectLinear(text, maskBody, around)),
    { numRuns: 60 },
  )
})
