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
import { markdownTable } from '../helpers/markdown-table.ts'

const KINDS: readonly (readonly [string, WordsKind, readonly string[]])[] = [
  ['Return', 'returnStatus', RETURN_STATUSES],
  ['Transport', 'transportStatus', TRANSPORTATION_STATUSES],
  ['Refund', 'refundStatus', REFUND_STATUSES],
  ['Refund goes back', 'refundMode', REFUND_MODES],
  ['Refund goes', 'refundType', REFUND_TYPES],
  ['Drop-off point', 'locationType', PUDO_LOCATION_TYPES],
]

/** The page has the words that the program says; `npx vitest run -u` writes it anew. */
it('docs/tables.md shows the words as the program says them', async () => {
  const rows = KINDS.flatMap(([title, kind, codes]) =>
    codes.map((code) => [title, `\`${code}\``, wordsOf(kind, code)]),
  )
  const page = [
    '# Tables and words',
    '',
    '## Tables at any width',
    '',
    'On a terminal a table shows as many columns as there is room for. Names, codes, amounts and dates are never cut;',
    'texts such as a customer are narrowed, then the least important columns are left out, which a line on standard error',
    'says. Columns that `--columns` asks for are all shown. Below 60 columns, and where what must be shown does not fit, a',
    'record is a block of lines. What is said of one record, what `doctor` finds, and addresses of drop-off points take more',
    'lines instead of being cut. In a pipe nothing is cut or left out.',
    '',
    'Where a limit has cut a list, standard error says so: `100 of 927; --all for the rest`.',
    '',
    '## Codes in words',
    '',
    'On a terminal codes are said in words. JSON, NDJSON, YAML, CSV, `--columns`, and tables in a pipe have the codes as',
    'the platform sends them, so that they can be searched for. A code that rma does not know is shown as it was sent.',
    '',
    markdownTable(['Of', 'Code', 'On a terminal'], rows),
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../../docs/tables.md')
})
