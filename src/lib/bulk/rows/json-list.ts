import { AppError } from '../../errors.ts'
import { fileText, type InputFile } from './input-file.ts'
import { JsonRecords } from './json-record.ts'
import { BATCH_ROWS, MAX_RECORD_BYTES, type RawRow } from './row.ts'

/**
 * The elements of a JSON list, one at a time.
 *
 * @throws AppError `usage` where it is not JSON: after that, nobody knows where an element begins
 */
export async function* jsonListRows(file: InputFile): AsyncGenerator<readonly RawRow[]> {
  const records = new JsonRecords()
  const splitter = new ListSplitter()
  let batch: RawRow[] = []
  let row = 0
  try {
    for await (const text of fileText(file)) {
      for (const element of splitter.add(text)) {
        batch.push(records.read(row + 1, element))
        row++
      }
      if (batch.length >= BATCH_ROWS) {
        yield batch
        batch = []
      }
    }
    splitter.end()
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw new AppError('usage', `${file.name}, record ${row + 1}: not JSON: ${error.message}.`, {
      hints: ['write the file again, or give NDJSON, one object a line'],
      cause: error,
    })
  }
  if (batch.length > 0) yield batch
}

const QUOTE = 0x22
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const BACKSLASH = 0x5c
const CLOSE_LIST = 0x5d
const OPEN_OBJECT = 0x7b
const CLOSE_OBJECT = 0x7d

/** Finds where the elements of a list begin and end; whether they are JSON is for a parser to say. */
class ListSplitter {
  /** 0 before the list and after it, 1 between its elements. */
  #depth = 0
  #isOver = false
  #isString = false
  #isEscaped = false
  #elements = 0
  #element = ''

  /** @throws SyntaxError if the list is not complete */
  end(): void {
    if (!this.#isOver) throw new SyntaxError('the list is cut off')
  }

  /** The elements that end in this piece. @throws SyntaxError if something stands before or after the list */
  *add(text: string): Generator<string> {
    let start = 0
    for (let at = this.#isString ? this.#stringEnd(text, 0) + 1 : 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#depth === 0) {
        start = at + 1
        this.#outside(code)
      } else if (code === QUOTE) {
        at = this.#stringEnd(text, at + 1)
      } else if (this.#endsElement(code)) {
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

  /** Whether a character that is in no string is the first one behind an element. */
  #endsElement(code: number): boolean {
    if (code === COMMA) return this.#depth === 1
    if (code === OPEN_OBJECT || code === OPEN_LIST) this.#depth++
    else if (code === CLOSE_OBJECT || code === CLOSE_LIST) this.#depth--
    if (this.#depth > 0) return false
    if (code === CLOSE_OBJECT) throw new SyntaxError('a "}" that nothing opens')
    this.#isOver = true
    return true
  }

  /** Returns the end of the string that goes on at `from`; the text's length if it goes on in the next piece. */
  #stringEnd(text: string, from: number): number {
    for (let at = from; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (this.#isEscaped) this.#isEscaped = false
      else if (code === BACKSLASH) this.#isEscaped = true
      else if (code === QUOTE) {
        this.#isString = false
        return at
      }
    }
    this.#isString = true
    return text.length
  }

  #outside(code: number): void {
    if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) return
    if (this.#isOver) throw new SyntaxError('something follows the list')
    if (code !== OPEN_LIST) throw new SyntaxError('no list')
    this.#depth = 1
  }
}
