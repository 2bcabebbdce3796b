import { isRecord } from '../../wire/raw.ts'
import type { ServedTool } from './tools.ts'

/** Limits of an assistant's attention: of what it gets unasked, and of what it asked for. */
const MAX_DEFAULT_BYTES = 8000
const MAX_ANSWER_BYTES = 128 * 1024

/** Cuts the tool's list down to the fields and the number of entries asked for, and says what is missing. */
export function compact(
  { list }: ServedTool,
  typed: Record<string, unknown>,
  { fields, limit }: Record<string, unknown>,
): { result: Record<string, unknown>; notes: string[] } {
  const all = list && typed[list.key]
  const isDefault = fields === undefined && limit === undefined
  const maxBytes = isDefault ? MAX_DEFAULT_BYTES : MAX_ANSWER_BYTES
  if (!list || !Array.isArray(all)) return cut(typed, maxBytes)
  const paths = (fields as string[] | undefined) ?? list.fields
  const count = (limit as number | undefined) ?? list.limit
  const kept = list.isNewestLast ? all.slice(-count) : all.slice(0, count)
  const chosen = paths.includes('*') ? kept : kept.map((one) => picked(one, paths))
  const { result, notes } = cut({ ...typed, [list.key]: chosen }, maxBytes)
  const names = Object.keys(Object.assign({}, ...kept))
  const unknown = paths.filter((path) => path !== '*' && !names.includes(path.split('.')[0] ?? ''))
  if (fields && names.length > 0 && unknown.length > 0) {
    notes.push(`Nothing is known as ${unknown.join(', ')}: there are ${names.join(', ')}.`)
  }
  const missing = all.length - kept.length
  if (missing > 0) notes.push(`${kept.length} of ${all.length} ${list.key}: limit takes up to 50.`)
  return { result, notes }
}

function picked(value: unknown, paths: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => picked(one, paths))
  if (!isRecord(value)) return value
  const entries = Object.entries(value).flatMap(([name, inner]) => {
    if (paths.includes(name)) return [[name, inner]]
    const below = paths.flatMap((path) => (path.startsWith(`${name}.`) ? path.slice(name.length + 1) : []))
    return below.length === 0 ? [] : [[name, picked(inner, below)]]
  })
  return Object.fromEntries(entries)
}

/** Halves the longest list until the result is short enough. */
function cut(given: Record<string, unknown>, maxBytes: number) {
  const result = structuredClone(given)
  let omitted = 0
  while (sizeOf(result) > maxBytes) {
    const [longest] = listsIn(result).sort((one, other) => sizeOf(other) - sizeOf(one))
    if (longest === undefined) return { result: {}, notes: ['The result is too long to be told.'] }
    const kept = Math.floor(longest.length / 2)
    omitted += longest.length - kept
    longest.length = kept
  }
  const notes =
    omitted === 0 ? [] : [`${omitted} entries are left out: ask for fewer fields, or name a limit.`]
  return { result, notes }
}

function listsIn(value: unknown): unknown[][] {
  if (typeof value !== 'object' || value === null) return []
  const own = Array.isArray(value) && value.length > 0 ? [value] : []
  return [...own, ...Object.values(value).flatMap(listsIn)]
}

function sizeOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}
