import { isLosslessNumber, parse } from 'lossless-json'
import { causedBy, messageOf, usageError } from '../../errors.ts'
import { stringifyJson } from '../../wire/json.ts'
import { kindOf } from '../../wire/read.ts'
import { fileText, type InputFile } from './input-file.ts'
import { BATCH_ROWS, type Cell, MAX_RECORD_BYTES, type RawRow } from './row.ts'

export function ndjsonRows(file: InputFile): AsyncGenerator<readonly RawRow[]> {
  const { read } = jsonRecords()
  let row = 0
  let rest = ''
  const add = (line: string): RawRow[] => {
    row += 1
    if (line.trim() === '') return []
    try {
      return [read(row, line)]
    } catch (error) {
      return [{ row, columns: [], cells: [], fault: { message: `not JSON: ${messageOf(error)}` } }]
    }
  }
  return inBatches(file, function* (text) {
    if (text === undefined) {
      yield* add(rest)
      return
    }
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    if (rest.length > MAX_RECORD_BYTES) {
      throw usageError(
        `${file.name}, line ${row + lines.length + 1} is longer than 1 MiB.`,
        'NDJSON has one object a line',
      )
    }
    for (const line of lines) yield* add(line)
  })
}

/** @throws AppError `usage` at a syntax error, after which no further element can be found */
export function jsonListRows(file: InputFile): AsyncGenerator<readonly RawRow[]> {
  const { read } = jsonRecords()
  const splitter = new ListSplitter()
  let row = 0
  return inBatches(file, function* (text) {
    try {
      for (const element of splitter.add(text)) {
        yield read(row + 1, element)
        row += 1
      }
    } catch (error) {
      if (!(error instanceof SyntaxError)) throw error
      throw causedBy(
        error,
        'usage',
        `${file.name}, record ${row + 1}: not JSON: ${error.message}.`,
        'write the file again, or give NDJSON, one object a line',
      )
    }
  })
}

async function* inBatches(
  file: InputFile,
  read: (text: string | undefined) => Iterable<RawRow>,
): AsyncGenerator<readonly RawRow[]> {
  let batch: RawRow[] = []
  for await (const text of fileText(file)) {
    for (const row of read(text)) batch.push(row)
    if (batch.length < BATCH_ROWS) continue
    yield batch
    batch = []
  }
  for (const row of read(undefined)) batch.push(row)
  if (batch.length > 0) yield batch
}

class ListSplitter {
  /** 0 outside the list, 1 between its elements. */
  #depth = 0
  #isOver = false
  #isString = false
  #isEscaped = false
  #elements = 0
  #element = ''

  #endsElement(character: string) {
    if (character === ',') return this.#depth === 1
    if (character === '{' || character === '[') this.#depth++
    else if (character === '}' || character === ']') this.#depth--
    if (this.#depth > 0) return false
    if (character === '}') throw new SyntaxError('a "}" that nothing opens')
    this.#isOver = true
    return true
  }

  *add(text: string | undefined): Generator<string> {
    if (text === undefined) {
      if (!this.#isOver) throw new SyntaxError('the list is cut off')
      return
    }
    let start = 0
    for (let at = this.#isString ? this.#stringEnd(text, 0) + 1 : 0; at < text.length; at++) {
      const character = text.charAt(at)
      if (this.#depth === 0) {
        start = at + 1
        this.#outside(character)
      } else if (character === '"') {
        at = this.#stringEnd(text, at + 1)
      } else if (this.#endsElement(character)) {
        const element = this.#element + text.slice(start, at)
        this.#element = ''
        start = at + 1
        // An empty list is valid; an empty element after a comma is not.
        if (!this.#isOver || element.trim() !== '' || this.#elements > 0) yield element
        this.#elements++
      }
    }
    this.#element += text.slice(start)
    if (this.#element.length > MAX_RECORD_BYTES) throw new SyntaxError('a record longer than 1 MiB')
  }

  /** Returns the text's length if the string goes on in the next chunk. */
  #stringEnd(text: string, from: number) {
    for (let at = from; at < text.length; at++) {
      const character = text[at]
      if (this.#isEscaped) this.#isEscaped = false
      else if (character === '\\') this.#isEscaped = true
      else if (character === '"') {
        this.#isString = false
        return at
      }
    }
    this.#isString = true
    return text.length
  }

  #outside(character: string) {
    if (' \n\r\t'.includes(character)) return
    if (this.#isOver) throw new SyntaxError('something follows the list')
    if (character !== '[') throw new SyntaxError('no list')
    this.#depth = 1
  }
}

const MAX_SHAPES = 1000

/** Rows with the same keys share one array of column names. */
function jsonRecords() {
  const shapes = new Map<string, readonly string[]>()
  const columnsOf = (keys: readonly string[]) => {
    const shape = JSON.stringify(keys)
    const known = shapes.get(shape)
    if (known) return known
    if (shapes.size >= MAX_SHAPES) shapes.clear()
    shapes.set(shape, keys)
    return keys
  }
  return {
    read(row: number, text: string): RawRow {
      try {
        const value = parsed(text)
        if (typeof value === 'object' && value !== null && !Array.isArray(value))
          return { row, columns: columnsOf(Object.keys(value)), cells: Object.values(value).map(toCell) }
        return { row, columns: [], cells: [], fault: { message: `${kindOf(value)}, not a JSON object` } }
      } catch (error) {
        throw error instanceof RangeError ? new SyntaxError('it is nested too deeply') : error
      }
    },
  }
}

const MAYBE_UNUSUAL_NUMBER = /[:,[]\s*(?:-?\d{16}|-?\d+[.eE]|-0)/
const LAST_KEY_COUNTS = { onDuplicateKey: ({ newValue }: { newValue: unknown }) => newValue }

/** Keeps the text of numbers that JavaScript would print differently. */
function parsed(text: string): unknown {
  const value: unknown = JSON.parse(text)
  return MAYBE_UNUSUAL_NUMBER.test(text) ? parse(text, undefined, LAST_KEY_COUNTS) : value
}

function toCell(value: unknown): Cell {
  if (typeof value === 'string') return value
  if (value === null || value === undefined) return ''
  if (typeof value === 'number') return { number: String(value) }
  if (isLosslessNumber(value)) return { number: value.value }
  return typeof value === 'object' ? { json: stringifyJson(value) } : String(value)
}
