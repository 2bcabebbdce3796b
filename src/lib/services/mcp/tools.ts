import * as z from 'zod'
import type { CommandResult } from '../../cli/cli-config.ts'
import { PUDO_LOCATION_TYPES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import FIELDS from './default-fields.json' with { type: 'json' }
import type { Disclosure } from './typed-result.ts'

export interface Tool<Input extends z.ZodObject = z.ZodObject> {
  name: string
  title: string
  description: string
  /** `returns list`; its result has the schema of this command. */
  command: string
  /** Put to the person before a write. Absent for reads. */
  question?: string
  input: Input
  list?: {
    key: string
    limit: number
    isNewestLast?: true
    /** True if the command takes the limit. */
    isPaged?: true
    /** True if the command prints a record or a list of them, without the key. */
    isBare?: true
  }
  isPublic?: true
  words(input: z.infer<Input> & { limit?: number }): string[]
  result?(printed: unknown, disclosure: Disclosure): unknown
}

export interface ServedTool extends Tool {
  output: z.ZodType
}

/** Told where no fields are asked for. */
export function defaultFields(tool: string): readonly string[] {
  return Object.entries(FIELDS).find(([name]) => name === tool)?.[1] ?? []
}

export function tool<Input extends z.ZodObject>({ input, list, ...rest }: Tool<Input>): Tool {
  const some = defaultFields(rest.name).join(', ')
  const fields = z.array(z.string().max(100)).min(1).max(50).optional()
  const lists = {
    fields: fields.describe(`Dotted paths to tell of each of ${list?.key}, or * for all; else ${some}`),
    limit: z.int().min(1).max(50).optional().describe(`How many of ${list?.key}, ${list?.limit} by default`),
  }
  return { ...rest, list, input: list ? input.extend(lists) : input } as unknown as Tool
}

export async function servedTool(
  tool: Tool,
  resultOf: (command: string) => Promise<CommandResult>,
): Promise<ServedTool> {
  const { json, view } = await resultOf(tool.command)
  const key = tool.list?.isBare && tool.list.key
  const record = (await view?.schema?.()) ?? z.object({})
  const output = key === undefined ? ((await json?.()) ?? record) : z.object({ [key]: z.array(record) })
  const result = (printed: unknown, disclosure: Disclosure) => {
    const told = tool.result?.(printed, disclosure) ?? printed
    return key === undefined ? told : { [key]: Array.isArray(told) ? told : [told] }
  }
  return { ...tool, result, output }
}

/** `--created-from=7d` of `createdFrom`: a value that begins with a dash stays a value. */
export function flags(values: Record<string, string | number | readonly string[] | undefined>): string[] {
  return Object.entries(values).flatMap(([name, value]) => {
    if (value === undefined) return []
    const flag = `--${name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
    return (typeof value === 'object' ? value : [value]).map((one) => `${flag}=${one}`)
  })
}

/** `-` would stand for standard input, which is the protocol. */
export const oneLine = (what: string) =>
  z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line without control characters')
    .refine((value) => value.trim() !== '' && value.trim() !== '-', 'must say something')
    .describe(what)

export const returnName = oneLine(
  'A return as people name it: LU105189, R#-LU105189, an id, a client reference, a tracking code',
)

const dates = (what: string) =>
  z
    .string()
    .max(40)
    .regex(/^[\w:.+ -]+$/, 'must be a date')
    .optional()
    .describe(`${what}: a date, a date and time, or how long ago (7d, 12h)`)

const filters = {
  status: z.enum(RETURN_STATUSES).optional().describe('Only returns in this state'),
  createdFrom: dates('Created at this time or later'),
  createdTo: dates('Created at this time or before'),
  updatedFrom: dates('Changed at this time or later'),
  updatedTo: dates('Changed at this time or before'),
}

export const READING_TOOLS: readonly Tool[] = [
  tool({
    name: 'search',
    title: 'Search returns',
    description:
      'Find returns by what is known of them, in any order: name, e-mail, phone, order, tracking code, SKU, city. ' +
      'Best first.',
    command: 'search',
    input: z.strictObject({ text: oneLine('What is known'), status: filters.status }),
    list: { key: 'returns', limit: 10, isPaged: true },
    words: ({ text, ...rest }) => [...flags(rest), '--', text],
    result: withoutMatches,
  }),
  tool({
    name: 'get',
    title: 'Get a return',
    description: 'The record of a return; a bare order names all of its returns.',
    command: 'returns get',
    input: z.strictObject({ return: returnName }),
    list: { key: 'returns', limit: 5, isBare: true },
    words: ({ return: name }) => ['--', name],
  }),
  tool({
    name: 'explain',
    title: 'Explain a return',
    description:
      'What happened to a return and what comes next: where the parcel is, when the money comes, a timeline of ' +
      'scans, labels and refunds, and what is wrong.',
    command: 'returns explain',
    input: z.strictObject({ return: returnName }),
    list: { key: 'timeline', limit: 20, isNewestLast: true },
    words: ({ return: name }) => ['--', name],
    result: withoutScanTexts,
  }),
  tool({
    name: 'list',
    title: 'List returns',
    description: 'Returns that match, newest first, page by page.',
    command: 'returns list',
    input: z.strictObject({
      ...filters,
      order: oneLine('Order that they were requested from').optional(),
      page: z.int().min(1).max(1_000_000).optional().describe('From 1; the size is limit'),
    }),
    list: { key: 'returns', limit: 20, isPaged: true },
    words: flags,
  }),
  tool({
    name: 'methods',
    title: 'Return methods',
    description: 'How the customer of a return can send its items back, and what that costs.',
    command: 'methods calculate',
    input: z.strictObject({ return: returnName, tier: oneLine("The customer's tier in the shop") }),
    list: { key: 'returnMethods', limit: 10 },
    words: ({ return: name, tier }) => flags({ for: name, tier }),
  }),
  tool({
    name: 'points',
    title: 'Drop-off points',
    description:
      'Where a parcel can be dropped off, near the customer of a return, with its carrier service or another one.',
    command: 'pudos search',
    input: z.strictObject({
      return: returnName,
      carrierService: oneLine('Code of a carrier service, as methods has them').optional(),
      rangeKm: z.number().min(0.1).max(100).optional(),
      type: z.enum(PUDO_LOCATION_TYPES).optional(),
    }),
    list: { key: 'points', limit: 5, isPaged: true, isBare: true },
    isPublic: true,
    words: ({ return: name, rangeKm, ...rest }) => [
      ...flags({ range: rangeKm?.toFixed(3), ...rest }),
      ...['--', name],
    ],
    result: (printed) =>
      list(printed).flatMap((set) =>
        list(at(set, 'pudoPoints'))
          .filter(isRecord)
          .map((point) => ({ ...point, carrierCode: at(set, 'carrierCode') })),
      ),
  }),
  tool({
    name: 'labels',
    title: 'Labels of a return',
    description: 'The labels that were made for a shipment or a return: carrier, tracking codes, format.',
    command: 'labels get',
    input: z.strictObject({ return: returnName }),
    list: { key: 'labels', limit: 10, isBare: true },
    words: ({ return: name }) => ['--', name],
  }),
  tool({
    name: 'stuck',
    title: 'Stuck returns',
    description: 'Returns that do not move on, by which rule, since when, and what leads on.',
    command: 'returns stuck',
    input: z.strictObject({}),
    list: { key: 'stuck', limit: 20 },
    words: () => [],
  }),
  tool({
    name: 'stats',
    title: 'Returns in numbers',
    description:
      'How many returns by status, reason, method, carrier, country, shop, day or week; and how long they take.',
    command: 'returns stats',
    input: z.strictObject({
      by: z
        .array(z.enum(['status', 'reason', 'method', 'carrier', 'country', 'shop', 'day', 'week']))
        .min(1)
        .max(8)
        .optional(),
      createdFrom: filters.createdFrom,
      createdTo: filters.createdTo,
    }),
    list: { key: 'stats', limit: 30 },
    words: ({ by = ['status'], ...rest }) => flags({ by, ...rest }),
  }),
]

/** Removes the text of matched fields unless all may be seen. */
function withoutMatches(printed: unknown, { reveal, customerText }: Disclosure): unknown {
  if (reveal && customerText) return printed
  const returns = list(at(printed, 'returns')).filter(isRecord)
  const matched = (hits: unknown) => list(hits).map((hit) => ({ field: at(hit, 'field') }))
  return { returns: returns.map((record) => ({ ...record, matched: matched(record.matched) })) }
}

function withoutScanTexts(printed: unknown, { customerText }: Disclosure): unknown {
  if (customerText || !isRecord(printed)) return printed
  const timeline = list(printed.timeline).filter(isRecord)
  return {
    ...printed,
    where: String(printed.where).replace(/: “.*”/s, ''),
    timeline: timeline.map((entry) =>
      entry.of === 'scan' || entry.of === 'transport' ? { ...entry, detail: undefined } : entry,
    ),
  }
}
