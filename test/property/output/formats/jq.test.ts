import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compileJq, jqOfEach } from '../../../../src/lib/output/formats/jq.ts'
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
test('a filter gives the same for records together and alone', async () => {
  const records = fc.array(record, { maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fc.oneof(records, fc.constant([])), each, async (returns, expression) => {
      const expected = await resultsOf(async () => {
        const filter = await compileJq(expression, raise)
        return (function* () {
          for (const one of returns) yield* filter(stringifyJson(one))
        })()
      })
      const items = async function* () {
        for (const one of returns) yield stringifyJson(one)
      }
      const found = await resultsOf(async () => jqOfEach(expression, items(), raise))
      expect(found).toEqual(expected)
    }),
    { numRuns: 80 },
  )
})

function raise(error: Error) {
  throw error
}

async function resultsOf(run: () => Promise<Iterable<string> | AsyncIterable<string>>) {
  const texts: string[] = []
  try {
    for await (const text of await run()) texts.push(text)
    return { texts, failure: undefined }
  } catch (error) {
    return { texts, failure: String(error) }
  }
}
