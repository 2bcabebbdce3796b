import { expect, test } from 'vitest'
import { planJq } from '../../../../src/lib/output/formats/jq-plan.ts'

test.each([
  '.returns[]',
  ' .returns[] ',
  '.returns | .[]',
  '.returns[].items[]?.sku',
  '.returns[]["name"]',
  '.returns[] | select(.status == "CLOSED") | .name, .amount',
  '.returns[] | label $out | (.items[] | ., break $out)',
  '.returns[] | debug',
])('record by record: %s', (expression) => {
  expect(planJq(expression, 'returns')).toEqual({ kind: 'records' })
})

test.each([
  ['[.returns[]]', '[.returns[]]', ''],
  ['[.returns[] | .name, "]#)"] ', '[.returns[] | .name, "]#)"]', ''],
  ['[.returns[] | nan]', '[.returns[] | nan]', ''],
  ['.returns | map(.name)', '[.returns[] | .name]', ''],
  ['.returns|map ( "\\(.name)]" )', '[.returns[] |  "\\(.name)]" ]', ''],
  ['.returns | length', '[.returns[] | 0]', ' length'],
  ['.returns|length|. + 1', '[.returns[] | 0]', ' length|. + 1'],
  ['[.returns[].amount] | add', '[.returns[].amount]', ' add'],
  ['.returns | map({name, status}) | .[0]', '[.returns[] | {name, status}]', ' .[0]'],
  ['[.returns[] | select(.status == "nan")] | .[]', '[.returns[] | select(.status == "nan")]', ' .[]'],
])('a list made of the parts: %s', (expression, head, rest) => {
  expect(planJq(expression, 'returns')).toEqual({ kind: 'list', head, rest })
})

test.each([
  '.returns[], .returns[0].name',
  '.returns[].name, .big | tostring',
  '.returns[] as $r | $r.name',
  '. as $all | .returns[] | $all.big',
  '.returns[] |= .name',
  '.returns[].amount + 1',
  '.returns[].carrier // "none"',
  '.returns[] | input_line_number',
  '.returns[] | halt_error',
  '.returns[] | first(inputs)',
  '.returns[] | $__loc__',
  'first(.returns[])',
  'limit(1; .returns[] | .name)',
  '.returnsX[]',
  '.[]',
  '',
  '[.returns[].name][0]',
  '[.returns[].name] + [1]',
  '[.returns[].name] |= 1',
  '[.returns[].name, .big]',
  '[.returns[].name # ]',
  '[.returns[] | "\\(.name"]',
  '.returns | map(.name)[0]',
  '.returns | map(.amount) as $all | $all',
  '.returns | mapped',
  '.returns | length + 1',
  '.returns | length_of',
  '.returns | first',
  'def f: 1; [.returns[] | f]',
  // A number that JSON has no form for would be another after the first run.
  '[.returns[] | nan] | .[0] < 1',
  '[.returns[] | "\\(nan)" | fromjson] | sort',
  '[.returns[].amount] | map(isnan)',
])('the whole document: %s', (expression) => {
  expect(planJq(expression, 'returns')).toEqual({ kind: 'whole' })
})

test('a bare list', () => {
  const kinds = ['.[]', '.[] | .name', '[.[].name]', 'map(.name)', '. | length', '.', '.[0]', 'add'].map(
    (one) => planJq(one).kind,
  )
  expect(kinds).toEqual(['records', 'records', 'list', 'list', 'list', 'whole', 'whole', 'whole'])
})
