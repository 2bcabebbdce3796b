import { describe, expect, it } from 'vitest'
import { parseRecords } from '../../../src/lib/cli/command-input.ts'

describe('parseRecords', () => {
  it('names the lines that are not JSON', () => {
    expect(() => parseRecords({ text: '{"a":1}\n{"a":\n{"b":2}', name: 'in.ndjson' })).toThrow(
      '1 of 3 lines of in.ndjson',
    )
  })
  it.each(['', ' \n', '[]', 'hello', '{"a":'])('%j is refused', (text) => {
    expect(() => parseRecords({ text, name: 'x' })).toThrow(/^x is/)
  })
})
