import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { LosslessNumber } from 'lossless-json'
import { describe, expect, test } from 'vitest'
import type * as z from 'zod'
import { shapeOf } from '../../../src/lib/wire/fields.ts'
import { labelSetSchema } from '../../../src/lib/wire/labels.ts'
import { explainedMethodsSchema } from '../../../src/lib/wire/methods.ts'
import { pudosResponseSchema } from '../../../src/lib/wire/pudos.ts'
import { misfits } from '../../../src/lib/wire/read.ts'
import { refundSchema } from '../../../src/lib/wire/refunds.ts'
import { returnListSchema } from '../../../src/lib/wire/returns.ts'
import { errorBodySchema } from '../../../src/lib/wire/tracking.ts'
import { transportationSchema } from '../../../src/lib/wire/transportations.ts'

type Misfit = ReturnType<typeof misfits>[number]

/** Whole answers, so that every shape that answers are read by is in one of them. */
const CASES: [fixture: string, schema: z.ZodType][] = [
  ['return-list', returnListSchema],
  ['transportation', transportationSchema],
  ['refund', refundSchema],
  ['label-set', labelSetSchema],
  ['methods-response', explainedMethodsSchema],
  ['pudos-response', pudosResponseSchema],
  ['error-body', errorBodySchema],
]

/** Values that replace a value; `undefined` removes it. */
const replacement = fc.oneof(
  fc.constantFrom(undefined, null, '', ' ', '12', '-1.5', '1e3', '0x1', 'PENDING', 'ZZZ', 0, 7, 1.5),
  fc.constantFrom(true, false, [], {}, [null], [{}], [[]], { a: 1 }, Number.NaN, 2 ** 60),
  fc.constantFrom('12345678901234567890', '0.12345678901234567890').map((text) => new LosslessNumber(text)),
  fc.jsonValue(),
)

describe.each(CASES)('%s', (fixture, schema) => {
  const json = readFileSync(join(import.meta.dirname, `../../fixtures/wire/${fixture}.full.json`), 'utf8')
  const places = placesIn(JSON.parse(json))

  test('a value departs from its shape exactly where zod says so', () => {
    const changes = fc.array(fc.tuple(fc.nat(places.length - 1), replacement), { maxLength: 6 })
    fc.assert(
      fc.property(changes, (all) => {
        const body: unknown = JSON.parse(json)
        for (const [place, value] of all) put(body, places[place] ?? [], value)
        expect(misfits(shapeOf(schema), body)).toEqual(zodsMisfits(schema, body))
      }),
      { numRuns: 400 },
    )
  })

  test.each([null, undefined, [], {}, 'text', 7])(
    '%j in place of the whole value departs as zod says',
    (body) => {
      expect(misfits(shapeOf(schema), body)).toEqual(zodsMisfits(schema, body))
    },
  )
})

function zodsMisfits(schema: z.ZodType, body: unknown): Misfit[] {
  const { issues } = schema.safeParse(body).error ?? { issues: [] }
  return issues.map(({ code, path }) => {
    const value = path.reduce((inside, step) => Reflect.get(Object(inside), step), body)
    const isUnknownValue = code === 'invalid_value' && typeof value === 'string'
    return {
      path: path.map((step) => (typeof step === 'number' ? step : String(step))),
      value,
      isUnknownValue,
    }
  })
}

function placesIn(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([step, inside]) => [
    [step],
    ...placesIn(inside).map((rest) => [step, ...rest]),
  ])
}

/** Changes nothing if an earlier change has removed the path. */
function put(root: unknown, place: readonly string[], value: unknown) {
  const last = place.at(-1) ?? ''
  const parent = place.slice(0, -1).reduce((inside, step) => Reflect.get(Object(inside), step), root)
  if (typeof parent !== 'object' || parent === null) return
  if (value === undefined && !Array.isArray(parent)) Reflect.deleteProperty(parent, last)
  else Reflect.set(parent, last, value)
}
