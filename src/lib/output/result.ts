import { stringifyJson } from '../wire/json.ts'
import type { Field, Section } from './formats/details.ts'
import type { Envelope } from './formats/json.ts'
import type { Streams } from './streams.ts'
import type { View } from './view.ts'

/** `geojson` is for the one command that returns such a document. */
export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'yaml' | 'geojson'

export type Items<T> = Iterable<T> | AsyncIterable<T>

export interface ListResult<T> {
  kind: 'list'
  items: Items<T>
  view: View<T>
  /** Object around the list in JSON and YAML. */
  envelope?: Envelope
  /** Replaces the table on a terminal, unless columns are asked for. */
  overview?(): Section[]
  /** Shown above the table in a pipe, unless columns are asked for. */
  lead?: Section
  /** Cards instead of the table, unless columns are asked for. */
  details?(record: T): Section[] | Promise<Section[]>
}

export interface RecordResult<T> {
  kind: 'record'
  record: T
  view: View<T>
  /** Last member, which JSON streams as it may exceed memory. */
  list?: { key: string; items: AsyncIterable<unknown> }
  /** Default: all columns of the view, one a line. */
  details?(record: T): Section[] | Promise<Section[]>
}

/** Records of an endless result. Each is a document in JSON and YAML. */
export interface PartResult<T> {
  kind: 'part'
  items: readonly T[]
  view: View<T>
  isFirst: boolean
}

/** Text made by rma, such as a token. */
interface TextResult {
  kind: 'text'
  text: string
  /** True if a terminal may break lines at spaces. */
  isProse?: true
  json: unknown
}

/** Sentences for people, which a terminal may break at spaces. */
export function prose(text: string, json: unknown): TextResult {
  return { kind: 'text', isProse: true, text, json }
}

export type Result<T> = RowsResult<T> | PartResult<T> | TextResult

export interface RendererOptions {
  streams: Streams
  format: OutputFormat
  columns?: readonly string[]
  jq?: string
  headers: boolean
  timeZone: string
  /** Called before a date is shown in local time. */
  onLocalTime?: () => Promise<unknown>
  quiet?: boolean
}

/** Makes a field of each value. `formats` holds, by label, formats other than text. */
export function toFields(
  values: Readonly<Record<string, unknown>>,
  formats: Readonly<Record<string, Omit<Field, 'label' | 'value'>>> = {},
): Field[] {
  return Object.entries(values).map(([label, value]) => ({ label, value, ...formats[label] }))
}

export type RowsResult<T> = ListResult<T> | RecordResult<T>

export function resultItems<T>(result: RowsResult<T>): Items<T> {
  return result.kind === 'list' ? result.items : [result.record]
}

export interface PlannedRequest {
  method: string
  path: string
  body?: unknown
}

export function plannedRequests(base: string, requests: readonly PlannedRequest[]): Result<never> {
  const planned = requests.map(({ method, path, body }) => ({ method, url: `${base}${path}`, body }))
  const [only] = planned
  return {
    kind: 'text',
    text: planned.map(asText).join('\n\n'),
    json: planned.length === 1 ? only : planned,
  }
}

function asText({ method, url, body }: { method: string; url: string; body?: unknown }) {
  return body === undefined ? `${method} ${url}` : `${method} ${url}\n${stringifyJson(body, 2)}`
}
