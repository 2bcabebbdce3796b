import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import {
  PUDO_LOCATION_TYPES,
  REFUND_MODES,
  REFUND_STATUSES,
  REFUND_TYPES,
  RETURN_STATUSES,
  TRANSPORTATION_STATUSES,
} from '../../src/lib/wire/enumerations.ts'
import { type WordsKind, wordsOf } from '../../src/lib/wire/words.ts'
import { wrappedItem } from '../helpers/markdown-table.ts'
import { root } from '../helpers/run-cli.ts'

const PAGE = join(root, 'docs/reference.md')

const KINDS: readonly (readonly [string, WordsKind, readonly string[]])[] = [
  ['Return', 'returnStatus', RETURN_STATUSES],
  ['Transport', 'transportStatus', TRANSPORTATION_STATUSES],
  ['Refund', 'refundStatus', REFUND_STATUSES],
  ['Refund goes back', 'refundMode', REFUND_MODES],
  ['Refund goes', 'refundType', REFUND_TYPES],
  ['Drop-off point', 'locationType', PUDO_LOCATION_TYPES],
]

/** The part below the mark is generated; `npx vitest run -u` updates it. */
it('docs/reference.md shows the words as the program says them', async () => {
  const lines = KINDS.map(([title, kind, codes]) =>
    wrappedItem(`**${title}**: ${codes.map((code) => `\`${code}\` ${wordsOf(kind, code)}`).join('; ')}`),
  )
  const mark = '<!-- written by test/surface/reference-page.test.ts -->'
  const [prose = ''] = readFileSync(PAGE, 'utf8').split(mark)
  expect(prose).toContain('# Help and reference')
  await expect(`${prose}${mark}\n\n${lines.join('\n')}\n`).toMatchFileSnapshot(PAGE)
})
