import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { harEntry } from '../../../../src/lib/api/trace/har.ts'
import { parseWhen, readDuration } from '../../../../src/lib/config/flag-values.ts'
import { expiryWarning, lastingPart, readToken } from '../../../../src/lib/config/token.ts'
import { AppError } from '../../../../src/lib/errors.ts'
import {
  Base64Error,
  decodeBase64,
  describeUnknown,
  sniffFormat,
} from '../../../../src/lib/labels/folder/label-bytes.ts'
import { dateReader, formatProblem, numericDate } from '../../../../src/lib/mappings/date-format.ts'
import { csvRow } from '../../../../src/lib/output/formats/csv.ts'
import { visible } from '../../../../src/lib/output/visible.ts'
import { displayWidth, prepareWidths, truncate, wrapText } from '../../../../src/lib/output/width.ts'
import { ApiError } from '../../../../src/lib/sandbox/http/answers.ts'
import { authenticate, signToken } from '../../../../src/lib/sandbox/http/auth.ts'
import { parseMoment } from '../../../../src/lib/services/pudos/open-at-flag.ts'
import { parseJson, stringifyJson } from '../../../../src/lib/wire/json.ts'
import { JsonTooComplexError } from '../../../../src/lib/wire/json-scan.ts'
import { formatServiceDate, parseServiceDate, parseWallTime } from '../../../../src/lib/wire/time.ts'
import type { FuzzTarget } from '../play.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
const ZONES = ['UTC', 'Europe/Madrid', 'America/St_Johns', 'Africa/Monrovia', 'Pacific/Apia']
/** Characters that control a terminal or reorder text. */
const OBEYED = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/u

function tried<T>(read: () => T, isExpected: (error: unknown) => boolean): T | undefined {
  try {
    return read()
  } catch (error) {
    if (isExpected(error)) return undefined
    throw error
  }
}

/** Accepts the same texts as `JSON.parse`. A value stays the same when written again, and is safe to print. */
export const json: FuzzTarget = {
  kinds: [],
  check(bytes) {
    const text = bytes.toString().replace(/^\ufeff/, '')
    const isSyntax = (error: unknown) => error instanceof SyntaxError
    const expected = tried(() => ({ value: JSON.parse(text) }), isSyntax)
    let isComplex = false
    const found = tried(
      () => ({ value: parseJson(text, 10_000) }),
      (error) => {
        isComplex = error instanceof JsonTooComplexError
        return isSyntax(error)
      },
    )
    if (isComplex) return
    assert.equal(found === undefined, expected === undefined)
    const written = stringifyJson(found?.value)
    assert.doesNotMatch(written, /[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069]/)
    if (expected) assert.equal(JSON.stringify(JSON.parse(written)), JSON.stringify(expected.value))
  },
}

const MAIL = 'maria.secret@example.com'
const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJ4In0.abc-_123'

/** A trace of any exchange is valid JSON without the token and the customer's address. */
export const har: FuzzTarget = {
  kinds: [],
  check(bytes) {
    const text = bytes.toString()
    const [first = '', second = ''] = text.split('\n')
    const url = new URL('http://x/returns')
    url.search = first
    url.searchParams.append('email', MAIL)
    const headers = { authorization: `Bearer ${TOKEN}`, location: `${first} ${MAIL}`, 'x-note': second }
    const entry = harEntry({
      request: { method: 'GET', url, headers, body: `${text} ${MAIL} `, attempt: 1, startedAt: NOW },
      durationMs: 1,
      response: {
        ...{ status: 200, statusText: second, httpVersion: '1.1', headers, bytes: text.length, phases: {} },
        text: `{"a": ${text}, "email": "${MAIL}", "token": "${TOKEN}`,
      },
    })
    const written = JSON.stringify(entry)
    assert.deepEqual(JSON.parse(written), entry)
    assert(!written.includes(MAIL) && !written.includes(TOKEN.slice(-12)), 'a secret is shown')
  },
}

/** A token is read, or refused by a message that shows none of it. Only a signed one opens the sandbox. */
export const jwt: FuzzTarget = {
  kinds: [],
  check(bytes) {
    const text = bytes.toString()
    const isRefusal = (error: unknown) =>
      error instanceof AppError &&
      error.kind === 'auth' &&
      (text.length < 12 || !error.message.includes(text))
    const signed = signToken({ sub: text, shops: [text], iat: bytes.length, exp: bytes.length * 1e8 }, 'key')
    const [head, , signature] = signed.split('.')
    for (const value of [text, signed, `${head}.${bytes.toString('base64url')}.${signature}`]) {
      const token = tried(() => readToken(value), isRefusal)
      if (token === undefined) continue
      tried(() => expiryWarning(token, NOW), isRefusal)
      lastingPart(token.value)
      const isUnknown = (error: unknown) => error instanceof ApiError && error.status === 401
      const shops = tried(() => authenticate(`Bearer ${value}`, 'key', 0), isUnknown)
      if (value !== signed) assert.equal(shops, undefined)
      else if (bytes.length > 0) assert.deepEqual([shops, token.shops], [[text], [text]])
    }
  },
}

/** A text is a valid date that survives a round trip, or a usage error. */
export const dates: FuzzTarget = {
  kinds: [],
  check(bytes) {
    const [text = '', format = text] = bytes.toString().split('\n')
    const isUsage = (error: unknown) => error instanceof AppError && error.kind === 'usage'
    const zone = ZONES[bytes.length % ZONES.length] ?? 'UTC'
    const instant = parseServiceDate(text)
    if (instant !== undefined) {
      const written = formatServiceDate(instant, zone)
      // Other time zones may move the first and last day into a year of another length.
      if (/^\d{4}-/.test(written)) assert.equal(parseServiceDate(written), instant, written)
    }
    for (const edge of ['from', 'to'] as const) {
      const when = tried(() => parseWhen(text, { edge, zone, now: NOW, flag: '--x' }), isUsage)
      if (when) assert.notEqual(parseWallTime(when.wall), undefined, when.wall)
    }
    const seconds = tried(() => readDuration('--x', text), isUsage)
    if (seconds !== undefined) assert(Number.isSafeInteger(seconds))
    const moment = tried(() => parseMoment(text, NOW, '--x'), isUsage)
    const walls = [moment?.(zone), numericDate(text, 'DMY'), numericDate(text, 'MDY')]
    if (formatProblem(format) === undefined) walls.push(dateReader(format)(text))
    for (const wall of walls) if (wall !== undefined) assert.notEqual(parseWallTime(wall), undefined, wall)
  },
}

/** Decoding returns the encoded bytes in every style. Other text causes a `Base64Error`. */
export const base64: FuzzTarget = {
  kinds: [],
  check(bytes) {
    const plain = bytes.toString('base64')
    const styles = [plain, plain.replace(/=+$/, ''), bytes.toString('base64url'), `data:;base64,${plain}\n`]
    for (const text of styles) assert(decodeBase64(text).equals(bytes), text)
    const text = bytes.toString('latin1')
    const read = tried(
      () => decodeBase64(text),
      (error) => error instanceof Base64Error && error.position <= text.length + 1,
    )
    const digits = (one: string) =>
      one
        .replace(/^\s*data:[^,]*,|[\s=]/gi, '')
        .replace(/\+/g, '-')
        .replace(/\//g, '_')
    if (read) assert.equal(read.toString('base64url'), digits(text))
    sniffFormat(bytes)
    assert.match(describeUnknown(bytes), /^[\x20-\x7e]*$/)
  },
}

/** Terminals get no control characters, cut or broken text loses no other character, and CSV cells are not formulas. */
export const terminal: FuzzTarget = {
  kinds: [],
  async check(bytes) {
    await prepareWidths()
    const text = bytes.toString(bytes.length % 2 === 0 ? 'utf8' : 'utf16le')
    const shown = visible(text)
    assert.doesNotMatch(shown, OBEYED)
    assert.equal(visible(shown), shown)
    assert.doesNotMatch(visible(text, 'lines').replaceAll('\n', ''), OBEYED)
    const width = 1 + (bytes.length % 20)
    assert(displayWidth(truncate(shown, width)) <= width)
    assert.equal(wrapText(shown, width).join('').replaceAll(' ', ''), shown.replaceAll(' ', ''))
    const [[cell = ''] = []] = parse(csvRow([text, 'x']), { record_delimiter: '\r\n' }) as string[][]
    assert.doesNotMatch(cell, /^[=@\t\r\n\uff1d\uff20\uff0b\uff0d]|^[+-](?![\d .]+$)/)
  },
}
