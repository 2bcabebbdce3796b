import type { Http } from '../../api/http/client.ts'
import { asksForShop, type HttpResponse } from '../../api/http/error-map.ts'
import { type HttpRequest, splitQuery } from '../../api/http/request.ts'
import { isRead } from '../../api/http/retry-policy.ts'
import { MAX_PAGE_SIZE, paginateReturns, type ResultChange, resultChangeText } from '../../api/paginate.ts'
import { wholeNumber } from '../../api/returns.ts'
import type { Context } from '../../cli/context.ts'
import type { writeFlags } from '../../cli/global-flags.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { rethrowUnless, rewordError, usageError } from '../../errors.ts'
import { visible } from '../../output/visible.ts'
import { parseJson, stringifyJson } from '../../wire/json.ts'
import { at, isRecord, objectsIn } from '../../wire/raw.ts'

const METHODS: readonly HttpRequest['method'][] = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE']

export const apiFlags = {
  'raw-field': listFlag('KEY=VALUE', 'A text field; a[b]=… and a[]=… make objects and lists; repeatable', {
    char: 'f',
  }),
  field: listFlag('KEY=VALUE', 'A typed field: true, 12.5, null, @file; repeatable', { char: 'F' }),
  input: textFlag('FILE', 'Body as JSON; - for standard input'),
  include: switchFlag('Print status and headers of the answer before it', { char: 'i' }),
  paginate: switchFlag('Read all pages into one document'),
}

type ApiFlags = FlagValues<typeof apiFlags & typeof writeFlags>

interface ApiRequest {
  method: HttpRequest['method']
  path: string
  body?: unknown
}

export async function callApi(context: Context, args: { method: string; path: string }, flags: ApiFlags) {
  await context.checkOutput()
  const { shop } = await context.settings()
  if (shop?.source === 'flag') {
    throw usageError('rma api adds no shop.', shopHint(shop.value))
  }
  const request = await readRequest(context.input, args, flags)
  const isReading = isRead(request.method)
  if (flags['dry-run']) return context.showRequests([request])
  if (!isReading) await context.questions.confirmWrite(`${request.method} ${request.path}`, flags.yes)
  context.progress.start(`${request.method} ${request.path}`)
  const http = await context.connection.http()
  const answer = await send(http, request, context)
  if (flags.include) await context.streams.out.write(headText(answer))
  const body = flags.paginate ? await withAllPages(http, request, answer, context) : answer.body
  if (body !== undefined) await context.render({ kind: 'text', text: stringifyJson(body, 2), json: body })
  if (!isReading) await context.done(`${request.method} ${request.path} was taken`)
}

function shopHint(code: string) {
  return `-f shop_code=${code}, or -f shopCode=${code} in a body`
}

/** After Ctrl-C a write under way may still be taken. */
async function send(http: Http, request: ApiRequest, context: Context) {
  try {
    return await http.request(request)
  } catch (error) {
    rethrowUnless(error, 'interrupted', 'rejected')
    if (asksForShop(error)) throw rewordError(error, error.message, { hints: [shopHint('CODE')] })
    if (error.kind === 'rejected' || isRead(request.method)) throw error
    const isLabels = request.path.startsWith('/shipping_labels')
    const words = isLabels ? ['labels', 'get', 'SHIPMENT'] : ['returns', 'get', 'RETURN']
    throw rewordError(error, `Interrupted: ${request.method} ${request.path} may have been taken.`, {
      hints: [`look before you send it again: ${await context.shellLine(words)}`],
    })
  }
}

async function readRequest(
  input: Context['input'],
  { method: word, path: given }: { method: string; path: string },
  flags: ApiFlags,
): Promise<ApiRequest> {
  const method = METHODS.find((known) => known === word.toUpperCase())
  if (method === undefined) {
    throw usageError(
      `${JSON.stringify(word)} is not a method.`,
      `one of ${METHODS.join(', ')}: rma api GET /returns`,
    )
  }
  if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(given)) {
    throw usageError(
      'The path is relative to the base URL; the token goes nowhere else.',
      'rma api GET /returns',
      '--base-url names another platform',
    )
  }
  if (flags.paginate && method !== 'GET') {
    throw usageError('--paginate goes with GET only.')
  }
  const read = async (path: string) => (await input.readUtf8(path)).text
  const fields = await Promise.all([
    ...(flags['raw-field'] ?? []).map((text) => readField('-f', text, read)),
    ...(flags.field ?? []).map((text) => readField('-F', text, read)),
  ])
  const path = `/${given.replace(/^\/+/, '')}`
  const isQuery = isRead(method) || flags.input !== undefined
  if (flags.input !== undefined && isRead(method)) {
    throw usageError(`A ${method} has no body: --input goes with POST, PUT, PATCH or DELETE.`)
  }
  if (!isQuery) return { method, path, ...(fields.length === 0 ? {} : { body: bodyOf(fields) }) }
  const query = new URLSearchParams(
    fields.map(({ path, value }): [string, string] => [
      fieldPath(path),
      typeof value === 'string' ? value : (stringifyJson(value) ?? ''),
    ]),
  )
  const joint = path.includes('?') ? '&' : '?'
  const full = query.size === 0 ? path : `${path}${joint}${query}`
  if (flags.input === undefined) return { method, path: full }
  const { value } = await input.json(flags.input)
  return { method, path: full, body: value }
}

function headText({ status, headers }: HttpResponse) {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${visible(String(value))}\n`)
  return `HTTP ${status}\n${lines.join('')}\n`
}

/** Fetches each record once (spec §4.7), unless the answer has no pages. */
async function withAllPages(http: Http, request: ApiRequest, first: HttpResponse, context: Context) {
  const list = pagedList(first.body)
  if (list === undefined) {
    await context.warn('--paginate: the answer has no pageInfo beside one list, so no further page is read.')
    return first.body
  }
  const [pathname, search] = splitQuery(request.path)
  const query = new URLSearchParams(search)
  query.delete('page')
  const pageSize = Number(query.get('limit') ?? MAX_PAGE_SIZE)
  query.delete('limit')
  let last: object = {}
  const fetchPage = async (page: number, limit: number) => {
    const all = new URLSearchParams([...query, ['limit', String(limit)], ['page', String(page)]])
    const { body } = await http.request({ method: 'GET', path: `${pathname}?${all}` })
    const found = pagedList(body)
    last = found?.document ?? last
    return found ?? { records: [] }
  }
  const records: object[] = []
  const onResultChanged = (info: ResultChange) => void context.warn(resultChangeText(info))
  for await (const record of paginateReturns(fetchPage, { pageSize, onResultChanged })) records.push(record)
  return { ...last, [list.key]: records }
}

function pagedList(body: unknown) {
  const info = at(body, 'pageInfo')
  if (!isRecord(body) || !isRecord(info)) return undefined
  const [found, ...others] = Object.entries(body).filter(([, value]) => Array.isArray(value))
  if (!found || others.length > 0) return undefined
  const [key, records] = found
  return {
    document: body,
    key,
    records: objectsIn(records as object[]),
    totalRecords: wholeNumber(info.totalRecords),
    totalPages: wholeNumber(info.totalPages),
  }
}

type JsonObject = { [name: string]: unknown }

/** `originAddress[city]=Vigo`, `items[][sku]=A1` */
interface BodyField {
  flag: '-f' | '-F'
  /** `originAddress`, `city`; empty for the end of a list. */
  path: readonly string[]
  value: unknown
}

/** Reads `key=value`. With `-F`, JSON scalars are typed and `@file` is a file's text. */
async function readField(
  flag: BodyField['flag'],
  text: string,
  readFile: (path: string) => Promise<string>,
): Promise<BodyField> {
  const [, key = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? []
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? []
  if (first === '') {
    throw usageError(
      `${flag}: ${JSON.stringify(text)} is not KEY=VALUE.`,
      'shipmentId=R#-1001, address[city]=Vigo, items[][sku]=A1',
    )
  }
  const path = [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, name = '']) => name)]
  if (flag === '-f') return { flag, path, value }
  return { flag, path, value: value.startsWith('@') ? await readFile(value.slice(1)) : typed(value) }
}

function typed(text: string): unknown {
  return /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(text) ? parseJson(text) : text
}

function bodyOf(fields: readonly BodyField[]) {
  const body: JsonObject = Object.create(null)
  for (const { flag, path, value } of fields) {
    if (!insert(body, path, value)) {
      throw usageError(`${flag} ${fieldPath(path)}: another field gives it another type.`)
    }
  }
  return body
}

function fieldPath([first = '', ...rest]: readonly string[]) {
  return first + rest.map((name) => `[${name}]`).join('')
}

function insert(
  target: JsonObject | unknown[],
  [name = '', ...rest]: readonly string[],
  value: unknown,
): boolean {
  if (Array.isArray(target)) {
    if (name !== '') return false
    if (rest.length === 0) return target.push(value) > 0
    // A key that the last element has begins the next one.
    const last = target.at(-1)
    if (isRecord(last) && rest[0] !== '' && !(rest.length === 1 && Object.hasOwn(last, rest[0] ?? ''))) {
      return insert(last, rest, value)
    }
    const element = container(rest)
    target.push(element)
    return insert(element, rest, value)
  }
  if (name === '') return false
  if (rest.length === 0) {
    if (Object.hasOwn(target, name)) return false
    target[name] = value
    return true
  }
  target[name] ??= container(rest)
  const next = target[name]
  return (isRecord(next) || Array.isArray(next)) && insert(next, rest, value)
}

function container([name]: readonly string[]): JsonObject | unknown[] {
  return name === '' ? [] : Object.create(null)
}
