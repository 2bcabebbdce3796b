import * as z from 'zod'
import type { CommandResult } from '../../cli/cli-config.ts'
import {
  LABEL_FORMATS,
  PUDO_LOCATION_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../wire/enumerations.ts'
import { at, isRecord, list } from '../../wire/raw.ts'
import argumentFacts from './arguments.json'
import TOOLS from './tools.json'
import type { Disclosure } from './typed-result.ts'

interface ToolFacts {
  title: string
  description: string
  /** Command that the tool runs: `returns list`. */
  command: string
  /** Asked of the person before a write. Absent for reads. */
  question?: string
  /** Entries of arguments.json, by the argument's name. */
  input: Readonly<Record<string, string>>
  list?: {
    key: string
    limit: number
    /** Paths that an answer has by default. */
    fields: readonly string[]
    isNewestLast?: boolean
    /** True if the command takes the limit. */
    isPaged?: boolean
    /** True if the command prints a record or a list of them, without the key. */
    isBare?: boolean
  }
  isPublic?: boolean
}

interface ArgumentFacts {
  kind: keyof typeof KINDS
  what?: string
  isOptional?: boolean
  isPositional?: boolean
  /** Name of the flag, if it differs from the argument's. */
  flag?: string
}

type Changed = (printed: unknown, disclosure: Disclosure) => unknown

export interface Tool extends Omit<ToolFacts, 'input'> {
  name: string
  input: z.ZodObject
  lineOf(given: Record<string, unknown>): string[]
  result?: Changed
}

export interface ServedTool extends Tool {
  output: z.ZodType
  result: Changed
}

const KINDS = {
  /** `-` would stand for standard input, which is the protocol. */
  line: z
    .string()
    .min(1)
    .max(200)
    .regex(/^[^\p{Cc}\p{Cs}\p{Zl}\p{Zp}]*$/u, 'must be one line without control characters')
    .refine((value) => value.trim() !== '' && value.trim() !== '-', 'must say something'),
  date: z
    .string()
    .max(40)
    .regex(/^[\w:.+ -]+$/, 'must be a date'),
  folder: z
    .string()
    .max(200)
    .regex(/^\w[\w-]*(?:\/\w[\w-]*)*$/, 'must be a name of letters, digits, _ and -, with / between folders'),
  page: z.int().min(1).max(1_000_000),
  kilometres: z.number().min(0.1).max(100),
  groups: z
    .array(z.enum(['status', 'reason', 'method', 'carrier', 'country', 'shop', 'day', 'week']))
    .min(1)
    .max(8)
    .default(['status']),
  switch: z.boolean(),
  status: z.enum(RETURN_STATUSES),
  transportStatus: z.enum(TRANSPORTATION_STATUSES),
  pointType: z.enum(PUDO_LOCATION_TYPES),
  labelFormat: z.enum(LABEL_FORMATS),
}

const ARGUMENTS = argumentFacts as Readonly<Record<string, ArgumentFacts>>
const FACTS: Readonly<Record<string, ToolFacts>> = TOOLS

export function tool(
  name: keyof typeof TOOLS,
  result?: Changed,
  complete = (given: Record<string, unknown>) => given,
): Tool {
  const { input: names, ...facts } = FACTS[name] as ToolFacts
  const { command, list } = facts
  const shape = Object.entries(names).map(([argument, key]) => {
    const { kind, what, isOptional } = ARGUMENTS[key] as ArgumentFacts
    const type = isOptional ? KINDS[kind].optional() : KINDS[kind]
    return [argument, what === undefined ? type : type.describe(what)]
  })
  const lists = list && {
    fields: z
      .array(z.string().max(100))
      .min(1)
      .max(50)
      .optional()
      .describe(`Dotted paths to tell of each of ${list.key}, or * for all; else ${list.fields.join(', ')}`),
    limit: z.int().min(1).max(50).optional().describe(`How many of ${list.key}, ${list.limit} by default`),
  }
  const bare = Object.keys(names).find((argument) => ARGUMENTS[names[argument] ?? '']?.isPositional)
  const lineOf: Tool['lineOf'] = ({ fields: _, limit = list?.limit, ...given }) => {
    const sent = complete({ ...(list?.isPaged && { limit }), ...given })
    const words = Object.entries(sent).flatMap(([argument, value]) =>
      wordsOf(argument, value, ARGUMENTS[names[argument] ?? '']),
    )
    return [...command.split(' '), ...words, ...(bare === undefined ? [] : ['--', String(given[bare])])]
  }
  return { ...facts, name, input: z.strictObject({ ...Object.fromEntries(shape), ...lists }), lineOf, result }
}

/** `--created-from=7d` of `createdFrom`: a value that begins with a dash stays a value. */
function wordsOf(name: string, value: unknown, { isPositional, flag }: Partial<ArgumentFacts> = {}) {
  if (value === undefined || isPositional) return []
  const word = flag ?? name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
  if (typeof value === 'boolean') return [value ? `--${word}` : `--no-${word}`]
  return [value].flat().map((one) => `--${word}=${one}`)
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
    const data = tool.result?.(printed, disclosure) ?? printed
    return key === undefined ? data : { [key]: Array.isArray(data) ? data : [data] }
  }
  return { ...tool, result, output }
}

export const READING_TOOLS: readonly Tool[] = [
  tool('search', withoutMatches),
  tool('get'),
  tool('explain', withoutScanTexts),
  tool('list'),
  tool('methods'),
  tool('points', pointsOfSets),
  tool('labels'),
  tool('stuck'),
  tool('stats'),
]

function pointsOfSets(printed: unknown): unknown {
  return list(printed).flatMap((set) =>
    list(at(set, 'pudoPoints'))
      .filter(isRecord)
      .map((point) => ({ ...point, carrierCode: at(set, 'carrierCode') })),
  )
}

function withoutMatches(printed: unknown, { reveal, customerText }: Disclosure) {
  if (reveal && customerText) return printed
  const returns = list(at(printed, 'returns')).filter(isRecord)
  return {
    returns: returns.map((record) => ({
      ...record,
      matched: list(record.matched).map((hit) => ({ field: at(hit, 'field') })),
    })),
  }
}

function withoutScanTexts(printed: unknown, { customerText }: Disclosure) {
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
