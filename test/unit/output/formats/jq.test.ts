import { LosslessNumber } from 'lossless-json'
import { expect, test } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import { compileJq } from '../../../../src/lib/output/formats/jq.ts'
import { stringifyJson } from '../../../../src/lib/wire/json.ts'

const DOCUMENT = {
  returns: [
    { name: 'R#-1', status: 'CLOSED', amount: 12.5, carrier: null, items: [{ sku: 'A' }, { sku: 'B' }] },
    { name: 'R#-2', status: 'PENDING', amount: 8, carrier: 'SBX', items: [] },
  ],
  big: new LosslessNumber('12345678901234567890'),
}

const raise = (error: AppError) => {
  throw error
}

const JSON_TEXT = stringifyJson(DOCUMENT)

test.each([
  ['.returns[].name', ['R#-1', 'R#-2']],
  ['.returns[0].amount', ['12.5']],
  ['.returns[0].carrier', ['null']],
  ['.returns[0].items', ['[{"sku":"A"},{"sku":"B"}]']],
  ['.returns | length', ['2']],
  ['.returns[] | select(.status == "CLOSED") | .name', ['R#-1']],
  ['.returns[] | [.name, .amount] | @csv', ['"R#-1",12.5', '"R#-2",8']],
  ['[.returns[].amount] | add', ['20.5']],
  ['.big', ['12345678901234567890']],
  ['.returns[] | .carrier // "none"', ['none', 'SBX']],
  ['(.nothing // empty), (false // 1), (.returns.x? // 2)', ['1', '2']],
  ['.returns[0] | keys', ['["amount","carrier","items","name","status"]']],
  ['[.returns[].amount][1:]', ['[8]']],
  ['[.returns[].amount] | sort_by(-.)', ['[12.5,8]']],
  ['try error("x") catch .', ['x']],
  ['.returns[1].items, "", ""', ['[]', '', '']],
  ['empty', []],
  ['"a\\nb"', ['a\nb']],
])('%s', async (expression, results) => {
  expect([...(await compileJq(expression, raise))(JSON_TEXT)]).toEqual(results)
})

test('an empty expression is the whole document', async () => {
  expect([...(await compileJq(' ', raise))('[1]')]).toEqual(['[1]'])
})

test('compileJq leaves the exit code of the process alone', async () => {
  const before = process.exitCode
  await compileJq('.a |', raise).catch(() => {})
  expect(process.exitCode).toBe(before)
})

test.each(['.a |', '| .a', '.a and', '.a +', '"open', '{a', '.a)', 'nosuch', '.returns[.name'])(
  'an expression that cannot be read is a usage error that shows it: %s',
  async (expression) => {
    const error = await compileJq(expression, raise).catch((failure) => failure)
    expect(error).toBeInstanceOf(AppError)
    expect(error).toMatchObject({
      kind: 'usage',
      message: expect.stringMatching(/^--jq: ./),
      details: [{ message: expression }],
    })
  },
)

test.each(['.returns.name', '.big | error', '.returns[0].name | keys', '@nosuch'])(
  'an expression that fails on the document is a usage error: %s',
  async (expression) => {
    const filter = await compileJq(expression, raise)
    expect(() => [...filter(JSON_TEXT)]).toThrow(/^--jq: ./)
  },
)

test('a failing document comes unfiltered if the failure is handled', async () => {
  const failures: AppError[] = []
  const filter = await compileJq('.a + 1', (error) => void failures.push(error))
  expect([...filter('{"a":"x"}'), ...filter('{"a":2}')]).toEqual(['{"a":"x"}', '3'])
  expect(failures).toEqual([expect.objectContaining({ kind: 'usage', details: [{ message: '.a + 1' }] })])
})
