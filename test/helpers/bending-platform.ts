import { afterAll, beforeAll } from 'vitest'
import { list } from '../../src/lib/wire/raw.ts'
import { usePlatform } from './platform.ts'
import { homeAt } from './run-cli.ts'
import { type Answer, type RecordedRequest, type ScriptServer, scriptServer } from './script-server.ts'

type Path = readonly (string | number)[]

/** One value in the answers of an operation and its replacement; undefined removes it. */
export interface Bend {
  /** `GET /returns/:id` */
  operation: string
  path: Path
  value: unknown
}

/** A correct platform except for one value in its answers. */
export function useBendingPlatform() {
  const platform = usePlatform({ returns: 24 })
  let server: ScriptServer
  let bend: Bend | undefined
  let answered = new Map<string, unknown>()
  const kept = new Map<string, { status: number; body: string }>()
  const straightAnswer = async ({ method, url, text, headers }: RecordedRequest) => {
    const key = `${method} ${url} ${text}`
    const response = kept.get(key) ?? (await askAt(`${platform.baseUrl}${url}`, method, text, headers))
    // A read after a write shows that write.
    if (method === 'GET' || /pudos|methods/.test(url)) kept.set(key, response)
    return response
  }
  const answer = async (request: RecordedRequest): Promise<Answer> => {
    const { status, body } = await straightAnswer(request)
    const operation = operationOf(request)
    const document: unknown = JSON.parse(body)
    if (!answered.has(operation)) answered.set(operation, document)
    const sent = bend?.operation === operation ? bentAt(document, bend.path, bend.value) : document
    return {
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(sent) ?? 'null',
    }
  }
  beforeAll(async () => {
    server = await scriptServer(answer, { autoClose: false })
  })
  afterAll(() => server.close())
  return {
    platform,
    env: () => homeAt(server.baseUrl, { RMA_TOKEN: platform.token }),
    bend(one: Bend | undefined): void {
      bend = one
    },
    /** Takes the requests since the last call, with the first unbent answer of each operation. */
    takeAnswered(): Map<string, unknown> {
      const taken = answered
      answered = new Map()
      return taken
    },
  }
}

/** Sends a request on to a platform. */
export async function askAt(url: string, method: string, text: string, headers: RecordedRequest['headers']) {
  const body = text === '' ? {} : { body: text }
  const { authorization = '' } = headers
  const response = await fetch(url, {
    method,
    headers: { authorization, 'content-type': 'application/json' },
    ...body,
  })
  return { status: response.status, body: await response.text() }
}

function operationOf({ method, path }: RecordedRequest): string {
  const place = path.replace(/^(\/returns\/)[^/]+/, '$1:id').replace(/(\/transportations\/)[^/]+/, '$1:id')
  return `${method} ${place}`
}

/** All paths in a document; for a list, those of its first item. */
export function placesOf(value: unknown, path: Path = []): Path[] {
  const inside =
    typeof value !== 'object' || value === null
      ? []
      : Array.isArray(value)
        ? list(value)
            .slice(0, 1)
            .map((item, index) => [index, item] as const)
        : Object.entries(value)
  return [path, ...inside.flatMap(([step, item]) => placesOf(item, [...path, step]))]
}

export function bentAt(document: unknown, [step, ...rest]: Path, value: unknown): unknown {
  if (step === undefined) return value
  if (typeof document !== 'object' || document === null || !(step in document)) return document
  const inside = bentAt(Reflect.get(document, step), rest, value)
  return Array.isArray(document)
    ? document.map((item, index) => (index === step ? inside : item))
    : { ...document, [step]: inside }
}
