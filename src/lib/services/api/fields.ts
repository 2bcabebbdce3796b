import { AppError } from '../../errors.ts'
import { parseJson } from '../../wire/json.ts'
import { isRecord } from '../../wire/raw.ts'

type Json = unknown
type JsonObject = { [name: string]: Json }

/** A field as it was given: `originAddress[city]=Vigo`, `items[][sku]=A1`. */
export interface BodyField {
  flag: '-f' | '-F'
  /** `originAddress`, `city`; empty for the end of a list. */
  path: readonly string[]
  value: Json
}

/** Reads `key=value`. Of `-F`, numbers, `true`, `false` and `null` are typed, and `@file` is a file's text. */
export async function readField(
  flag: BodyField['flag'],
  text: string,
  readFile: (path: string) => Promise<string>,
): Promise<BodyField> {
  const [, key = '', value = ''] = /^([^=]+)=([\s\S]*)$/.exec(text) ?? []
  const [, first = '', rest = ''] = /^([^[\]]+)((?:\[[^[\]]*\])*)$/.exec(key) ?? []
  if (first === '') {
    throw new AppError('usage', `${flag}: ${JSON.stringify(text)} is not KEY=VALUE.`, {
      hints: ['shipmentId=R#-1001, address[city]=Vigo, items[][sku]=A1'],
    })
  }
  const path = [first, ...Array.from(rest.matchAll(/\[([^[\]]*)\]/g), ([, name = '']) => name)]
  if (flag === '-f') return { flag, path, value }
  return { flag, path, value: value.startsWith('@') ? await readFile(value.slice(1)) : typed(value) }
}

function typed(text: string): Json {
  return /^(true|false|null|-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?)$/.test(text) ? parseJson(text) : text
}

/** The object that fields describe. @throws AppError `usage` where two contradict each other */
export function bodyOf(fields: readonly BodyField[]): JsonObject {
  const body: JsonObject = Object.create(null)
  for (const { flag, path, value } of fields) {
    if (!place(body, path, value)) {
      throw new AppError('usage', `${flag} ${fieldPath(path)}: another field has made something else of it.`)
    }
  }
  return body
}

/** `originAddress[city]` */
export function fieldPath([first = '', ...rest]: readonly string[]): string {
  return first + rest.map((name) => `[${name}]`).join('')
}

/** False if there is something in the way. */
function place(target: JsonObject | Json[], [name = '', ...rest]: readonly string[], value: Json): boolean {
  const child = rest.length === 0 ? value : undefined
  if (Array.isArray(target)) {
    if (name !== '') return false
    if (rest.length === 0) return target.push(child) > 0
    // A further part of the last element, until one comes that it has.
    const last: Json = target.at(-1)
    if (isRecord(last) && rest[0] !== '' && !(rest.length === 1 && Object.hasOwn(last, rest[0] ?? ''))) {
      return place(last, rest, value)
    }
    const element = container(rest)
    target.push(element)
    return place(element, rest, value)
  }
  if (name === '') return false
  if (rest.length === 0) {
    if (Object.hasOwn(target, name)) return false
    target[name] = child
    return true
  }
  target[name] ??= container(rest)
  const next = target[name]
  return (isRecord(next) || Array.isArray(next)) && place(next, rest, value)
}

function container([name]: readonly string[]): JsonObject | Json[] {
  return name === '' ? [] : Object.create(null)
}
