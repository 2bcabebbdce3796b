import * as z from 'zod'
import { AppError, type ErrorDetail, usageError } from '../../errors.ts'
import { joinParts } from '../../wire/raw.ts'
import { choice, problemsOf } from '../problems.ts'
import optionKinds from './option-kinds.json'

export const FAULT_KINDS = [
  'late',
  'never',
  'never-after-commit',
  'reset',
  'reset-after-commit',
  'cut-body',
  '401',
  '429',
  '500',
  '503',
  '500-after-commit',
  'html',
  'wrong-content-type',
  'schema-drift',
] as const

/** `*` or a method, then a path in which `*` stands for anything and `:name` for one part. Others would never hit. */
const ROUTE = /^(\*|GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS) (?!\/integration\/v1(?:[/*]|$))(\/[^\s?#]*|\*)$/i

const OPTION_KINDS: Readonly<Record<string, readonly string[]>> = optionKinds

const wholeNumber = z.int('must be a whole number').min(0, 'must not be negative')

/** Unknown keys are refused: a mistyped option would have no effect. */
const faultSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w.-]{1,64}$/, 'may hold up to 64 letters, digits, ".", "_" and "-"')
      .optional(),
    route: z
      .string()
      .regex(
        ROUTE,
        'must be a method or *, a space and a path without /integration/v1 and query: POST /shipping_trackings',
      ),
    kind: choice(FAULT_KINDS),
    rate: z.number().min(0, 'must be from 0 to 1').max(1, 'must be from 0 to 1').default(1),
    count: wholeNumber.optional(),
    after: wholeNumber.default(0),
    seed: wholeNumber.max(2 ** 32 - 1, 'must be below 2^32').default(1),
    /** Default 10 s for `late`, 5 min for `never…`. */
    delayMs: wholeNumber.max(3_600_000, 'must be an hour at most').optional(),
    retryAfter: wholeNumber.max(86_400, 'must be a day at most').optional(),
    retryAfterForm: z.enum(['seconds', 'date'], 'must be seconds or date').optional(),
    status: z.literal([200, 502], 'must be 200 or 502').optional(),
    drift: z
      .enum(['renamed', 'missing', 'extra', 'retyped'], 'must be renamed, missing, extra or retyped')
      .optional(),
    field: z.string().min(1, 'must not be empty').optional(),
    /** Counts of a listed fault, which start anew. */
    seen: wholeNumber.optional(),
    hits: wholeNumber.optional(),
  })
  .superRefine((fault, context) => {
    for (const [option, kinds] of Object.entries(OPTION_KINDS)) {
      if (Reflect.get(fault, option) === undefined || kinds.includes(fault.kind)) continue
      context.addIssue({ code: 'custom', path: [option], message: `goes with ${kinds.join(', ')} only` })
    }
  })

export type FaultInput = z.input<typeof faultSchema>
export type Fault = z.output<typeof faultSchema> & { id: string }

export interface FaultRecord extends Fault {
  seen: number
  hits: number
}

export function withFault(faults: readonly FaultRecord[], input: FaultInput): FaultRecord[] {
  const isTaken = (id: string) => faults.some((fault) => fault.id === id)
  const { id = freeId(isTaken), ...read } = faultSchema.parse(input)
  if (isTaken(id)) {
    throw usageError(`There is a fault ${id} already.`, 'choose another id')
  }
  return [...faults, { id, ...read, seen: 0, hits: 0 }]
}

/** The same list set again must have the same ids, on which hits depend. */
function freeId(isTaken: (id: string) => boolean) {
  let number = 1
  while (isTaken(`fault-${number}`)) number += 1
  return `fault-${number}`
}

export const FAULTS_EXAMPLE = 'for example [{"route":"POST /shipping_trackings","kind":"reset","rate":0.05}]'

const faultListSchema = z.union([z.array(z.unknown()), z.strictObject({ faults: z.array(z.unknown()) })])

/** @throws AppError `usage` that names every mistake */
export function readFaults(document: unknown, what = 'This'): FaultInput[] {
  const list = faultListSchema.safeParse(document)
  if (!list.success) throw notFaults(what, [{ message: 'must be a list of faults, or {"faults":[…]}' }])
  const entries = Array.isArray(list.data) ? list.data : list.data.faults
  const read = entries.map((entry) => ({ entry, ...faultSchema.safeParse(entry) }))
  const problems = read.flatMap(({ entry, error }, index) =>
    problemsOf(error, entry).map(({ path, message }) => ({
      message,
      path: joinParts([`faults[${index}]`, path], '.'),
    })),
  )
  const faults = read.flatMap(({ data }) => data ?? [])
  const ids = faults.flatMap(({ id }) => id ?? [])
  for (const id of new Set(ids.filter((one, index) => ids.indexOf(one) < index))) {
    problems.push({ message: `the id ${id} is there twice`, path: 'faults' })
  }
  if (problems.length > 0) throw notFaults(what, problems)
  return faults
}

function notFaults(what: string, details: readonly ErrorDetail[]) {
  return new AppError('usage', `${what} is not a list of faults.`, { details, hints: [FAULTS_EXAMPLE] })
}

export function readFault(entry: unknown): FaultInput {
  const { data, error } = faultSchema.safeParse(entry)
  if (data) return data
  throw new AppError('usage', 'This fault is not possible.', { details: problemsOf(error, entry) })
}
