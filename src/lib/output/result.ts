import { stringifyJson } from '../wire/json.ts'
import type { View } from './columns.ts'
import type { Section } from './formats/details.ts'
import type { Envelope } from './formats/json.ts'
import type { Streams } from './streams.ts'

/** `geojson` prints the document that it is given, which only a command that has one asks for. */
export type OutputFormat = 'table' | 'json' | 'ndjson' | 'csv' | 'yaml' | 'geojson'

export type Items<T> = Iterable<T> | AsyncIterable<T>

export interface ListResult<T> {
  kind: 'list'
  items: Items<T>
  view: View<T>
  /** Object around the list in JSON and YAML; without it the bare list is printed. */
  envelope?: Envelope
  /** On a terminal, in place of the table, unless columns are asked for. */
  overview?(): Section[]
}

export interface RecordResult<T> {
  kind: 'record'
  record: T
  view: View<T>
  /** Its last member, where that may be too long for the memory; JSON alone has it piece by piece. */
  list?: { key: string; items: AsyncIterable<unknown> }
  /** How a table format shows the record; by default all the view's columns, one a line. */
  details?(record: T): Section[] | Promise<Section[]>
}

/** Some records of a result that goes on without an end; JSON and YAML are a document each. */
export interface PartResult<T> {
  kind: 'part'
  items: readonly T[]
  view: View<T>
  isFirst: boolean
}

/** A text that we made ourselves (a token), and what stands for it in JSON. */
interface TextResult {
  kind: 'text'
  text: string
  json: unknown
}

export type Result<T> = ListResult<T> | RecordResult<T> | PartResult<T> | TextResult

export interface RendererOptions {
  streams: Streams
  format: OutputFormat
  columns?: readonly string[] | undefined
  /** A jq expression; implies JSON. */
  jq?: string | undefined
  headers: boolean
  /** IANA zone of the dates in tables. */
  timeZone: string
  /** Called before a date is shown in local time. */
  onLocalTime?: (() => Promise<unknown>) | undefined
  /** Say nothing about an empty result. */
  quiet?: boolean | undefined
}

/** A record is a list of one. */
export function resultItems<T>(result: ListResult<T> | RecordResult<T>): Items<T> {
  return result.kind === 'list' ? result.items : [result.record]
}

export interface PlannedRequest {
  method: string
  /** Relative to the base URL. */
  path: string
  body?: unknown
}

/** Requests that are not sent, under their base URL. As JSON a list, or the one request. */
export function plannedRequests(base: string, requests: readonly PlannedRequest[]): Result<never> {
  const planned = requests.map(({ method, path, body }) => ({ method, url: `${base}${path}`, body }))
  const [only] = planned
  return {
    kind: 'text',
    text: planned.map(asText).join('\n\n'),
    json: planned.length === 1 ? only : planned,
  }
}

function asText({ method, url, body }: { method: string; url: string; body?: unknown }): string {
  return body === undefined ? `${method} ${url}` : `${method} ${url}\n${stringifyJson(body, 2)}`
}
