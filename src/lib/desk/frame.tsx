import { Box, type Key, Text, useInput } from 'ink'
import { visible } from '../output/visible.ts'
import { displayWidth, padEnd, truncate, wrapWords } from '../output/width.ts'
import { joinParts } from '../wire/raw.ts'
import type { Desk } from './desk.ts'
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
function keysOf(input: string, key: Key): string[] {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : []
  const name = Object.entries(NAMES).find(([property]) => key[property as keyof Key])?.[1]
  if (name !== undefined) return [name]
  const keys = Array.from(input).flatMap((typed) => CONTROLS[typed] ?? (typed < ' ' ? [] : typed))
  // A character that comes in one read with Esc before it reads as Alt with the character.
  return key.meta ? ['escape', ...keys] : keys
}

const FRAME_ROWS = 4

/** Draws the desk into all but the last row, since a terminal scrolls when that one is written. */
export function Frame({ desk }: { desk: Desk }) {
  useInput((input, key) => {
    for (const one of keysOf(input, key)) desk.onKey(one)
  })
  const { question, size, top } = desk
  const rows = Math.max(1, size.rows - FRAME_ROWS)
  const asked = question?.flatMap((line) => wrapWords(line, size.columns))
  const lines = asked ?? top?.draw({ rows, columns: size.columns }) ?? []
  const hints = question ? '' : top?.hints.join('  ')
  return (
    <Box flexDirection="column" height={size.rows - 1} width={size.columns}>
      <Text wrap="truncate-end">{headOf(desk)}</Text>
      <Box flexDirection="column" height={rows}>
        {lines.slice(0, rows).map((line, at) => (
          <Text key={at} wrap="truncate-end">
            {line || ' '}
          </Text>
        ))}
      </Box>
      <Text wrap="truncate-end">{desk.message || ' '}</Text>
      <Text dimColor wrap="truncate-end">
        {hints}
      </Text>
    </Box>
  )
}

/** Shortens the right side, never the title. */
function headOf(desk: Desk) {
  const { age, size, top, where } = desk
  const title = visible(`rma desk  ${top?.title ?? ''}`)
  const right = truncate(joinParts([where.text, age], '  '), size.columns - displayWidth(title) - 2)
  return padEnd(title, size.columns - displayWidth(right)) + desk.style(right, where.style)
}
