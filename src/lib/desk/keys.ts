import type { Key } from 'ink'
import keyNames from './key-names.json'

/** Names by ink's properties. Most terminals send `delete` for the backspace key. */
const NAMES: Partial<Record<keyof Key, string>> = keyNames

/** Returns the keys of one read: a scanner or a paste sends many characters at once. */
export function keysOf(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : []
  const name = Object.entries(NAMES).find(([property]) => key[property as keyof Key])?.[1]
  if (name !== undefined) return [name]
  if (key.meta) return []
  return Array.from(input).flatMap((character) => {
    if (character === '\r' || character === '\n') return ['return']
    return character < ' ' ? [] : [character]
  })
}
