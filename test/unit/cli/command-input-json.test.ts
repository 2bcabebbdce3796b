import { expect, it } from 'vitest'
import { parseRecords } from '../../../src/lib/cli/command-input.ts'

it('parseRecords names the lines that are not JSON', () => {
  expect(() => parseRecords({ text: '{"a":1}\n{"a":\n{"b":2}', name: 'in.ndjson' })).toThrow(
    '1 of 3 lines of in.ndjson',
  )
})
it.each(['', ' \n', '[]', 'hello', '{"a":'])('parseRecords refuses %j', (text) => {
  expect(() => parseRecords({ text, name: 'x' })).toThrow(/^x is/)
})
