import * as z from 'zod'
import { AppError, type ErrorDetail, nearest, nearHints } from '../../errors.ts'
import {
  LABEL_FORMATS,
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../wire/enumerations.ts'
import { at, pathText } from '../../wire/raw.ts'
import { DURATION } from '../../wire/time.ts'
import { choice, problemsOf } from '../problems.ts'

const amount = z.number().min(0, 'must not be negative')

const newReturnSchema = z.strictObject({
  shop: z.string().min(1).describe('Code of the shop'),
  orderName: z.string().regex(/\S/, 'must not be blank').describe('The return is R#-{orderName}'),
  carrierServiceCode: z.string().min(1).optional().describe("One of the shop's; its first by default"),
  needsValidation: z.boolean().optional().describe('It has to be approved first'),
  fee: amount.optional().describe('Fee of the return method; 0 by default'),
  lines: z
    .array(
      z.strictObject({
        sku: z.string().min(1).optional().describe("Any of the shop's by default"),
        price: amount.optional().describe('Price of a unit, taxes included; 49.95 by default'),
        discount: amount.optional(),
        quantity: z.int('must be a whole number').min(1, 'must be 1 at least').optional(),
        refundType: choice(REFUND_TYPES).optional(),
        refundMode: choice(REFUND_MODES).optional(),
        exchange: z
          .strictObject({ sku: z.string().min(1), price: amount.optional() })
          .optional()
          .describe('What the customer wants instead; at the same price by default'),
      }),
    )
    .min(1, 'must not be empty')
    .optional()
    .describe('One item by default'),
})

export function checkNewReturn(document: unknown) {
  const read = newReturnSchema.safeParse(document)
  if (read.success) return read.data
  const details = problemsOf(read.error, document, Object.keys(newReturnSchema.shape))
  throw new AppError('usage', 'This is not a return that can be made', { details })
}

const NAME = /^[A-Za-z][\w-]{0,63}$/
const MAX_STEPS = 1000

const name = z.string().regex(NAME, 'must be a letter, then letters, digits, "_" and "-"')
const text = z.string().min(1, 'must not be empty')
const duration = z.string().regex(DURATION, 'must be a duration such as 30m, 12h, 3d or 2w')
const transportStatus = choice(TRANSPORTATION_STATUSES)

const subject = { return: name.describe('Which return: a name that a step before, or "returns", gives it') }
const refusable = {
  refused: text.optional().describe('It has to be refused, and this is part of the reason: TR02'),
}
const moving = {
  travels: z
    .boolean()
    .optional()
    .describe('Its parcel travels on by itself as time goes by. By default it waits for the next step'),
}

const expectedRefund = z.strictObject({
  refundType: choice(REFUND_TYPES).optional(),
  refundMode: choice(REFUND_MODES).optional(),
  status: choice(REFUND_STATUSES).optional(),
  amount: z.number().optional(),
  fee: z.number().optional(),
})

const expectedEvent = z.strictObject({
  status: transportStatus,
  description: z.string().optional(),
  applied: z.boolean().optional(),
})

const expectation = {
  status: choice(RETURN_STATUSES).optional().describe('Status of the return'),
  transport: transportStatus.optional().describe('State of the active transport'),
  transports: z.int().min(0).optional().describe('How many transports there are'),
  refunds: z
    .array(expectedRefund)
    .optional()
    .describe('All refunds; what is not said of one may be anything'),
  labelSets: z.int().min(0).optional().describe('How many times labels were made for it'),
  events: z
    .array(z.union([transportStatus, expectedEvent]))
    .optional()
    .describe('All tracking events of all its transports, as they came in'),
  record: z.record(z.string(), z.unknown()).optional().describe('Parts of its record'),
}

const stepSchema = z.discriminatedUnion(
  'do',
  [
    z.strictObject({
      do: z.literal('create'),
      as: name.optional().describe('Its name in the steps to come'),
      ...newReturnSchema.shape,
      ...moving,
      ...refusable,
    }),
    z.strictObject({ do: z.literal('approve'), ...subject, ...moving, ...refusable }),
    z.strictObject({
      do: z.literal(['discard', 'receive', 'check', 'close', 'lose-parcel']),
      ...subject,
      ...refusable,
    }),
    z.strictObject({
      do: z.literal('execute-refund'),
      ...subject,
      refundMode: choice(REFUND_MODES).optional().describe('Mode of the refunds to execute; by default any'),
      ...refusable,
    }),
    z.strictObject({
      do: z.literal('track'),
      ...subject,
      trackingStatus: transportStatus,
      trackingNumber: text.optional(),
      carrierName: text.optional(),
      trackingUrl: text.optional(),
      trackingStatusDescription: text.optional(),
      ago: duration.optional().describe('How long before the time of the step it was'),
      ...moving,
      ...refusable,
    }),
    z.strictObject({
      do: z.literal('label'),
      ...subject,
      carrierServiceCode: text.optional().describe("By default that of the return's transport"),
      labelFormat: choice(LABEL_FORMATS).optional(),
      ...refusable,
    }),
    z.strictObject({ do: z.literal('advance'), by: duration }),
    z.strictObject({ do: z.literal('expect'), ...subject, ...expectation }),
  ],
  {
    error: ({ input }) => {
      const word = at(input, 'do')
      if (word === undefined) return 'is missing'
      return [`must be one of ${STEPS.join(', ')}`, ...nearHints(String(word), STEPS)].join('; ')
    },
  },
)

export const scenarioSchema = z.strictObject({
  $schema: z.string().optional(),
  title: z.string().optional(),
  description: z.string().optional(),
  returns: z
    .record(name, text)
    .optional()
    .describe('Names for returns that are there already, by id or RMA name'),
  steps: z.array(stepSchema).min(1, 'must not be empty').max(MAX_STEPS, `must be ${MAX_STEPS} at most`),
})

export type Scenario = z.output<typeof scenarioSchema>
export type Step = z.output<typeof stepSchema>
export type StepOf<K extends Step['do']> = Extract<Step, { do: K }>

const STEPS: readonly string[] = stepSchema.options.flatMap(({ shape }) => [...shape.do.values])
const KEYS = [
  ...new Set([
    ...Object.keys(scenarioSchema.shape),
    ...stepSchema.options.flatMap((one) => Object.keys(one.shape)),
  ]),
]

/** @throws AppError `usage` that names every mistake */
export function readScenario(document: unknown, shops: readonly string[], what = 'This'): Scenario {
  const { data, error } = scenarioSchema.safeParse(document)
  const details = [...problemsOf(error, document, KEYS), ...referenceProblems(document, shops)]
  if (data && details.length === 0) return data
  throw new AppError('usage', `${what} is not a scenario that can be played.`, { details })
}

function referenceProblems(document: unknown, shops: readonly string[]) {
  const known = new Set(Object.keys(Object(at(document, 'returns'))))
  const steps = at(document, 'steps')
  const problems: ErrorDetail[] = []
  for (const [i, step] of (Array.isArray(steps) ? steps : []).entries()) {
    const pathOf = (key: string) => pathText(['steps', i, key])
    const [wanted, given, shop] = [at(step, 'return'), at(step, 'as'), at(step, 'shop')]
    if (typeof wanted === 'string' && NAME.test(wanted) && !known.has(wanted)) {
      const names = known.size === 0 ? 'there is none yet' : `there is ${[...known].join(', ')}`
      problems.push({
        path: pathOf('return'),
        message: `no step before makes a return "${wanted}"; ${names}`,
      })
    }
    if (typeof shop === 'string' && !shops.includes(shop)) {
      const near = nearest(shop, shops)
      const remedy = near === undefined ? `one of ${shops.join(', ')}` : near
      problems.push({ path: pathOf('shop'), message: `the sandbox has no shop "${shop}"; use ${remedy}` })
    }
    if (typeof given !== 'string') continue
    if (known.has(given))
      problems.push({ path: pathOf('as'), message: `"${given}" is another return already` })
    known.add(given)
  }
  return problems
}
