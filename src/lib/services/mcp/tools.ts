import * as z from 'zod'
import type { CommandResult } from '../../cli/cli-config.ts'
import { PUDO_LOCATION_TYPES, RETURN_STATUSES } from '../../wire/enumerations.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import TOOLS from './tools.json'
import type { Disclosure } from './typed-result.ts'

/** Entry of tools.json. */
interface ToolFacts {
  title: string
  description: string
  /** `returns list`; its result has the schema of this command. */
  command: string
  /** Put to the person before a write. Absent for reads. */
  question?: string
  list?: {
    key: string
    limit: number
    /** Paths that are told unless others are asked for. */
    fields: readonly string[]
    isNewestLast?: boolean
    /** True if the command takes the limit. */
    isPaged?: boolean
    /** True if the command prints a record or a list of them, without the key. */
    isBare?: boolean
  }
  isPublic?: boolean
}

/** Input of a tool, and the command line that it becomes. */
interface ToolUse<Input extends z.ZodObject> {
  input: Input
  words(input: z.infer<Input> & { limit?: number }): string[]
  result?(printed: unknown, disclosure: Disclosure): unknown
}

export type Tool = { name: string } & ToolFacts & ToolUse<z.ZodObject>

export interface ServedTool extends Tool {
  output: z.ZodType
}

export function tool<Input extends z.ZodObject>(name: keyof typeof TOOLS, use: ToolUse<Input>): Tool {
  const facts: ToolFacts = TOOLS[name]
  const { list } = facts
  const lists = list && {
    fields: z
      .array(z.string().max(100))
      .min(1)
      .max(50)
      .optional()
      .describe(`Dotted paths to tell of each of ${list.key}, or * for all; else ${list.fields.join(', ')}`),
    limit: z.int().min(1).max(50).optional().describe(`How many of ${list.key}, ${list.limit} by default`),
  }
  return { ...facts, ...use, name, input: use.input.extend(lists ?? {}) } as unknown as Tool
}

export async function servedTool(
  tool: Tool,
  resultOf: (command: string) => Promise<CommandResult>,
): Promise<ServedTool> {
  const { json, view } = await resultOf(tool.command)
  const key = tool.list?.isBare ? tool.list.key : undefined
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
  tool('search', {
    input: z.strictObject({ text: oneLine('What is known'), status: filters.status }),
    words: ({ text, ...rest }) => [...flags(rest), '--', text],
    result: withoutMatches,
  }),
  tool('get', {
    input: z.strictObject({ return: returnName }),
    words: ({ return: name }) => ['--', name],
  }),
  tool('explain', {
    input: z.strictObject({ return: returnName }),
    words: ({ return: name }) => ['--', name],
    result: withoutScanTexts,
  }),
  tool('list', {
    input: z.strictObject({
      ...filters,
      order: oneLine('Order that they were requested from').optional(),
      page: z.int().min(1).max(1_000_000).optional().describe('From 1; the size is limit'),
    }),
    words: flags,
  }),
  tool('methods', {
    input: z.strictObject({ return: returnName, tier: oneLine("The customer's tier in the shop") }),
    words: ({ return: name, tier }) => flags({ for: name, tier }),
  }),
  tool('points', {
    input: z.strictObject({
      return: returnName,
      carrierService: oneLine('Code of a carrier service, as methods has them').optional(),
      rangeKm: z.number().min(0.1).max(100).optional(),
      type: z.enum(PUDO_LOCATION_TYPES).optional(),
    }),
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
  tool('labels', {
    input: z.strictObject({ return: returnName }),
    words: ({ return: name }) => ['--', name],
  }),
  tool('stuck', {
    input: z.strictObject({}),
    words: () => [],
  }),
  tool('stats', {
    input: z.strictObject({
      by: z
        .array(z.enum(['status', 'reason', 'method', 'carrier', 'country', 'shop', 'day', 'week']))
        .min(1)
        .max(8)
        .optional(),
      createdFrom: filters.createdFrom,
      createdTo: filters.createdTo,
    }),
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
