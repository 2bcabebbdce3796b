import type { Key } from 'ink'

const NAMES = {
  upArrow: 'up',
  downArrow: 'down',
  leftArrow: 'left',
  rightArrow: 'right',
  pageUp: 'pageup',
  pageDown: 'pagedown',
  home: 'home',
  end: 'end',
  return: 'return',
  escape: 'escape',
  tab: 'tab',
  backspace: 'backspace',
  // Most terminals send this one for the backspace key.
  delete: 'backspace',
} as const satisfies Partial<Record<keyof Key, string>>

/** Returns the keys of one read: a scanner or a paste sends many characters at once. */
export function keysOf(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : []
  const name = Object.entries(NAMES).find(([property]) => key[property as keyof typeof NAMES])?.[1]
  if (name !== undefined) return [name]
  if (key.meta) return []
  return Array.from(input).flatMap((character) => {
    if (character === '\r' || character === '\n') return ['return']
    return character < ' ' ? [] : [character]
  })
}
