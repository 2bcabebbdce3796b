import type { Key } from 'ink'
import keyNames from './key-names.json'

/** Names by ink's properties. Most terminals send `delete` for the backspace key. */
const NAMES: Partial<Record<keyof Key, string>> = keyNames

const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'return',
  '\b': 'backspace',
  '\x7f': 'backspace',
}

/** Returns the keys of one read: a scanner or a paste sends many characters at once. */
export function keysOf(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : []
  const name = Object.entries(NAMES).find(([property]) => key[property as keyof Key])?.[1]
  if (name !== undefined) return [name]
  const keys = Array.from(input).flatMap((typed) => CONTROLS[typed] ?? (typed < ' ' ? [] : typed))
  // A character that comes in one read with Esc before it reads as Alt with the character.
  return key.meta ? ['escape', ...keys] : keys
}
