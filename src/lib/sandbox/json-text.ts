/*
 * JSON as a binary string: its UTF-8, one character a byte. Texts of all scripts are joined and written as fast as ASCII.
 */

/** What JSON writes otherwise, and what takes several bytes. */
const NOT_PLAIN = /[^ !#-[\]-~]/
const NOT_ASCII = /[^\0-\x7f]/

function binaryString(text: string): string {
  return NOT_ASCII.test(text) ? Buffer.from(text).toString('latin1') : text
}

export function binaryOf({ buffer, byteOffset, byteLength }: Uint8Array): string {
  return Buffer.from(buffer, byteOffset, byteLength).toString('latin1')
}

/** The text of a binary string. */
export function textOf(binary: string): string {
  return NOT_ASCII.test(binary) ? jsonBytes(binary).toString() : binary
}

export function jsonText(value: string | object): string {
  if (typeof value === 'string' && !NOT_PLAIN.test(value)) return `"${value}"`
  return binaryString(JSON.stringify(value))
}

/** What stands between the braces of an object. */
export function membersOf(value: object): string {
  return jsonText(value).slice(1, -1)
}

export function jsonBytes(text: string): Buffer {
  return Buffer.from(text, 'latin1')
}

/** Makes a text once for an object that never changes, and keeps it there: a map of them is three times as slow. */
export function keptText<T extends object, A extends unknown[]>(
  make: (about: T, ...more: A) => string,
): (about: T, ...more: A) => string {
  const place = Symbol('text')
  return (about: T & { [place]?: string }, ...more) => {
    const kept = about[place]
    if (kept !== undefined) return kept
    const text = make(about, ...more)
    // Copies of the object go without.
    Object.defineProperty(about, place, { value: text })
    return text
  }
}
