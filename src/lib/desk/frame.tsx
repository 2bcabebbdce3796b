import { Box, Text, useInput } from 'ink'
import { visible } from '../output/visible.ts'
import { displayWidth, padEnd, truncate, wrapWords } from '../output/width.ts'
import { joinParts } from '../wire/raw.ts'
import type { Desk } from './desk.ts'
import { keysOf } from './keys.ts'

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
