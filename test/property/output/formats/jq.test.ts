import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileJq } from '../../../../src/lib/output/formats/jq.ts'
import { planJq } from '../../../../src/lib/output/formats/jq-plan.ts'
import { jqOfList } from '../../../../src/lib/output/render-jq.ts'
import { stringifyJson } from '../../../../src/lib/wire/json.ts'

const record = fc.record(
  {
    name: fc.string({ maxLength: 5 }),
    amount: fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(null, '12.5', 'nan', -0),
    ),
    items: fc.array(fc.record({ sku: fc.string({ maxLength: 3 }) }), { maxLength: 3 }),
    ' x]': fc.jsonValue({ maxDepth: 2 }),
  },
  { requiredKeys: ['items'] },
)

const each = fc.constantFrom(
  ...[
    '.',
    '.name',
    '.name, .amount',
    '{name, n: (.items | length)}',
    '[.amount, .items[].sku]',
    '.amount / 3',
    '-.amount',
  ],
  ...[
    'select(.name > "K") | .name',
    '"\\(.name)-\\([.items[].sku] | join("]"))"',
    'select(.items | length > 1)',
  ],
  ...[
    '.items | map(.sku) | sort',
    'to_entries',
    '.amount // "none"',
    '. as {$name} | [$name, .amount]',
    '.[" x]"]',
    '.items[]',
  ],
  ...[
    'try (.amount | tonumber) catch "no"',
    'if .amount == null then empty else .amount end',
    'nan',
    'tojson',
  ],
  ...['reduce .items[] as $i (0; . + 1)', 'def f: .name; [f]', 'error("x")', '.amount | isnan?'],
)
const then = fc.constantFrom(
  ...[
    'length',
    '.[0]',
    'sort',
    'unique',
    'group_by(.)',
    '.[]',
    'add',
    'map(tostring)',
    'tojson',
    '.[1:]',
    'map(. == null)',
  ],
  ...[
    'map(type)',
    'min, max',
    'to_entries[] | .key',
    'first, last',
    'map(isnan?)',
    'map(-(.|numbers))',
    'map(keys?)',
  ],
)
const program = fc.oneof(
  fc.tuple(fc.constantFrom('.returns[] | ', '.returns | .[] | ', '.returns[]|'), each).map(([a, b]) => a + b),
  fc.tuple(each, fc.option(then), fc.boolean()).map(([f, rest, isMap]) => {
    const head = isMap ? `.returns | map(${f})` : `[.returns[] | ${f}]`
    return rest === null ? head : `${head} | ${rest}`
  }),
  fc.option(then).map((rest) => (rest === null ? '.returns | length' : `.returns | length | ${rest}`)),
  fc.constantFrom('.', '.total', '.returns | sort_by(.name)', '.returns[0]', '[.returns[].name][0]'),
)

test('a list in parts gives what jq gives for the whole document', async () => {
  const kinds = new Set<string>()
  // A part holds 500.
  const records = fc
    .array(record, { maxLength: 3 })
    .map((some) => Array.from({ length: 170 }, () => some).flat())
  await fc.assert(
    fc.asyncProperty(fc.oneof(records, fc.constant([])), program, async (returns, expression) => {
      kinds.add(planJq(expression, 'returns').kind)
      const expected = await resultsOf(async () => (await compileJq(expression))(json({ returns, total: 7 })))
      const items = async function* () {
        for (const one of returns) yield json(one)
      }
      const envelope = { key: 'returns', rest: () => ({ total: 7 }) }
      const found = await resultsOf(async () => jqOfList(expression, { items: items(), envelope }))
      // What was given before a failure in a later part is given already.
      expect(found.failure).toBe(expected.failure)
      if (expected.failure === undefined) expect(found.texts).toEqual(expected.texts)
    }),
    { numRuns: 150 },
  )
  expect(kinds).toEqual(new Set(['records', 'list', 'whole']))
})

const json = (value: unknown) => Buffer.from(stringifyJson(value))

async function resultsOf(run: () => Promise<Iterable<string> | AsyncIterable<string>>) {
  const texts: string[] = []
  try {
    for await (const text of await run()) texts.push(text)
    return { texts, failure: undefined }
  } catch (error) {
    return { texts, failure: String(error) }
  }
}
