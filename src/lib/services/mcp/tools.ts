import * as z from 'zod'
import { PUDO_LOCATION_TYPES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import { labelSetListSchema, labelSetSchema } from '../../wire/labels.ts'
import { methodsResponseSchema } from '../../wire/methods.ts'
import { pudoResultSchema } from '../../wire/pudos.ts'
import { returnListSchema, returnSchema } from '../../wire/returns.ts'
import { dates, limited, oneLine, returnName } from './inputs.ts'
import { withoutMatches, withoutScanTexts } from './withheld.ts'

/** A command that an assistant may run, with typed arguments and a typed result. */
export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  input: Input
  output: z.ZodObject
  /** Addresses in the result are those of shops. */
  isPublic?: true
  /** The command line, without what all of them have. */
  words(input: z.infer<Input>): string[]
  /** Converts the command's output to the form of `output`. */
  result(printed: unknown, told: { reveal: boolean; customerText: boolean }): unknown
}

/** Types of arguments are checked where they come in; a table of tools can't carry them. */
export function tool<Input extends z.ZodObject>(definition: Tool<Input>): Tool {
  return definition as unknown as Tool
}

/** `--name=value` of what is given: a value that begins with a dash stays a value. */
export function flags(values: Record<string, string | number | readonly string[] | undefined>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    return (typeof value === 'object' ? value : [value]).map((one) => `--${name}=${one}`)
  })
}

const whole = (printed: unknown) => printed
const PERCENTILES = z.object({ count: z.number(), p50: z.number(), p90: z.number(), p95: z.number() })

const filters = {
  status: z.enum(RETURN_STATUSES).optional().describe('Only returns in this state'),
  createdFrom: dates('Created at this time or later'),
  createdTo: dates('Created at this time or before'),
  updatedFrom: dates('Changed at this time or later'),
  updatedTo: dates('Changed at this time or before'),
}

const filterFlags = ({
  status,
  createdFrom,
  createdTo,
  updatedFrom,
  updatedTo,
}: {
  [name in keyof typeof filters]?: string | undefined
}) =>
  flags({
    status,
    'created-from': createdFrom,
    'created-to': createdTo,
    'updated-from': updatedFrom,
    'updated-to': updatedTo,
  })

export const READING_TOOLS: readonly Tool[] = [
  tool({
    name: 'search',
    title: 'Search returns',
    description:
      'Find returns by what is known of them, in any order: name, e-mail, phone, order, tracking code, SKU, city. ' +
      'Best first.',
    input: z.strictObject({ text: oneLine('What is known'), limit: limited(50), status: filters.status }),
    output: z.object({
      returns: z.array(
        returnSchema.extend({
          matched: z.array(z.object({ field: z.string(), value: z.string().optional() })),
        }),
      ),
    }),
    words: ({ text: known, limit, status }) => ['search', ...flags({ limit, status }), '--', known],
    result: withoutMatches,
  }),
  tool({
    name: 'get',
    title: 'Get a return',
    description: 'The record of a return; a bare order names all of its returns.',
    input: z.strictObject({ return: returnName }),
    output: z.object({ returns: z.array(returnSchema) }),
    words: ({ return: name }) => ['returns', 'get', '--', name],
    result: (printed) => ({ returns: Array.isArray(printed) ? printed : [printed] }),
  }),
  tool({
    name: 'explain',
    title: 'Explain a return',
    description:
      'What happened to a return and what comes next: where the parcel is, when the money comes, a timeline of ' +
      'scans, labels and refunds, and what is wrong.',
    input: z.strictObject({ return: returnName }),
    output: z.object({
      where: z.string(),
      money: z.string(),
      next: z.string(),
      problems: z.array(z.string()),
      return: returnSchema.pick({ id: true, name: true, shopCode: true, status: true }),
      timeline: z.array(z.object({ date: z.string(), of: z.string(), what: z.string(), detail: z.string() })),
    }),
    words: ({ return: name }) => ['returns', 'explain', '--', name],
    result: withoutScanTexts,
  }),
  tool({
    name: 'list',
    title: 'List returns',
    description: 'Returns that match, newest first, page by page.',
    input: z.strictObject({
      ...filters,
      order: oneLine('Order that they were requested from').optional(),
      limit: limited(50),
      page: z.int().min(1).max(1_000_000).optional().describe('From 1; the size is limit'),
    }),
    output: returnListSchema,
    words: ({ order, limit = 20, page, ...rest }) => [
      ...['returns', 'list'],
      ...filterFlags(rest),
      ...flags({ order, limit, page }),
    ],
    result: whole,
  }),
  tool({
    name: 'methods',
    title: 'Return methods',
    description: 'How the customer of a return can send its items back, and what that costs.',
    input: z.strictObject({ return: returnName, tier: oneLine("The customer's tier").optional() }),
    output: methodsResponseSchema,
    words: ({ return: name, tier }) => ['methods', 'calculate', ...flags({ for: name, tier })],
    result: whole,
  }),
  tool({
    name: 'points',
    title: 'Drop-off points',
    description:
      'Where a parcel can be dropped off: near the customer of a return with its carrier service, or near coordinates.',
    input: z.strictObject({
      return: returnName.optional(),
      latitude: z.number().min(-90).max(90).optional(),
      longitude: z.number().min(-180).max(180).optional(),
      carrierService: oneLine('Code of a carrier service, as methods has them').optional(),
      rangeKm: z.number().min(0.1).max(100).optional(),
      type: z.enum(PUDO_LOCATION_TYPES).optional(),
      limit: limited(50),
    }),
    output: z.object({ points: z.array(pudoResultSchema) }),
    isPublic: true,
    words: ({ return: name, latitude, longitude, carrierService, rangeKm, type, limit = 10 }) => [
      ...['pudos', 'search'],
      ...flags({
        lat: latitude?.toFixed(6),
        lon: longitude?.toFixed(6),
        range: rangeKm?.toFixed(3),
        type,
        limit,
      }),
      ...flags({ 'carrier-service': carrierService }),
      ...(name === undefined ? [] : ['--', name]),
    ],
    result: (printed) => ({ points: printed }),
  }),
  tool({
    name: 'labels',
    title: 'Labels of a return',
    description: 'The labels that were made for a shipment or a return: carrier, tracking codes, format.',
    input: z.strictObject({ return: returnName }),
    output: z.object({
      labels: z.array(
        labelSetListSchema.element.extend({
          shippingLabels: z.array(
            labelSetSchema.shape.shippingLabels.element.omit({
              base64: true,
              url: true,
              labelFreeCode: true,
            }),
          ),
        }),
      ),
    }),
    words: ({ return: name }) => ['labels', 'get', '--', name],
    result: (printed) => ({ labels: printed }),
  }),
  tool({
    name: 'stuck',
    title: 'Stuck returns',
    description: 'Returns that do not move on, by which rule, since when, and what leads on.',
    input: z.strictObject({}),
    output: z.object({
      stuck: z.array(
        z.object({
          ...returnSchema.pick({ name: true, id: true, status: true }).shape,
          ...{ shop: z.string(), carrier: z.string(), carrierService: z.string(), rule: z.string() },
          ...{ why: z.string(), since: z.string(), hours: z.number(), next: z.string() },
        }),
      ),
      unread: z.number(),
    }),
    words: () => ['returns', 'stuck'],
    result: whole,
  }),
  tool({
    name: 'stats',
    title: 'Returns in numbers',
    description:
      'How many returns by status, reason, method, carrier, country, shop, day or week; and how long they take.',
    input: z.strictObject({
      by: z
        .array(z.enum(['status', 'reason', 'method', 'carrier', 'country', 'shop', 'day', 'week']))
        .min(1)
        .max(8)
        .optional(),
      createdFrom: filters.createdFrom,
      createdTo: filters.createdTo,
    }),
    output: z.object({
      stats: z.array(
        z.object({
          ...{ by: z.string(), key: z.string(), label: z.string(), returns: z.number(), share: z.number() },
          ...{ requestToRefund: PERCENTILES, dropOffToArrival: PERCENTILES },
        }),
      ),
    }),
    words: ({ by, ...rest }) => ['returns', 'stats', ...filterFlags(rest), ...flags({ by })],
    result: whole,
  }),
]
