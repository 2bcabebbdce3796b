import { isLosslessNumber, parse } from 'lossless-json'
import { stringifyJson } from '../../wire/json.ts'
import type { Cell, RawRow } from './row.ts'

const MAX_SHAPES = 1000
const MAYBE_UNUSUAL_NUMBER = /[:,[]\s*-?(?:\d{16}|\d+[.eE])/

/** Makes rows of JSON texts; rows with the same keys share one array of column names. */
export class JsonRecords {
  #last: readonly string[] = []
  readonly #shapes = new Map<string, readonly string[]>()

  /** Reads a record. JSON that is no object gets a fault. @throws SyntaxError if the text is not JSON, or too deep */
  read(row: number, text: string): RawRow {
    try {
      return this.#read(row, text)
    } catch (error) {
      // The stack is too small for those who walk through it.
      throw error instanceof RangeError ? new SyntaxError('it is nested too deeply') : error
    }
  }

  #read(row: number, text: string): RawRow {
    let value: unknown = JSON.parse(text)
    // Nearly always a number's text is what the number prints as; where it may differ, a slower parser keeps it.
    if (holdsUnusualNumber(value, text)) value = parse(text, undefined, LAST_KEY_COUNTS)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) {
      return { row, columns: this.#columns(Object.keys(value)), cells: Object.values(value).map(toCell) }
    }
    return { row, columns: [], cells: [], fault: { message: `${kindOf(value)}, not a JSON object` } }
  }

  #columns(keys: readonly string[]): readonly string[] {
    const last = this.#last
    if (keys.length === last.length && keys.every((key, at) => key === last[at])) return last
    const shape = JSON.stringify(keys)
    const known = this.#shapes.get(shape)
    if (known === undefined) {
      if (this.#shapes.size >= MAX_SHAPES) this.#shapes.clear()
      this.#shapes.set(shape, keys)
    }
    this.#last = known ?? keys
    return this.#last
  }
}

const LAST_KEY_COUNTS = { onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue }

function holdsUnusualNumber(value: unknown, text: string): boolean {
  if (typeof value !== 'object' || value === null) return false
  let holdsNumber = false
  for (const one of Object.values(value)) {
    if (typeof one === 'number' && (!Number.isSafeInteger(one) || Object.is(one, -0))) return true
    holdsNumber ||= typeof one === 'number' || (typeof one === 'object' && one !== null)
  }
  return holdsNumber && MAYBE_UNUSUAL_NUMBER.test(text)
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return { number: String(value) }
  if (isLosslessNumber(value)) return { number: value.value }
  return typeof value === 'object' ? { json: stringifyJson(value) } : String(value)
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'an object'
  return typeof value === 'string' ? 'a text' : `a ${typeof value}`
}
