import { expect, it } from 'vitest'
import { shorten } from '../../../../src/lib/services/mcp/session.ts'

it('halves the longest list until an answer fits, and counts what it left out', () => {
  const small = { returns: [{ name: 'a' }], pageInfo: { totalRecords: 1 } }
  expect(shorten(small)).toEqual({ result: small, omitted: 0 })
  const returns = Array.from({ length: 50 }, (_, at) => ({ name: `R${at}`, text: 'x'.repeat(9000) }))
  const { result, omitted } = shorten({ returns, labels: ['kept'] })
  expect(JSON.stringify(result).length).toBeLessThanOrEqual(128 * 1024)
  expect(result).toEqual({ returns: returns.slice(0, 12), labels: ['kept'] })
  expect(omitted).toBe(38)
  expect(returns).toHaveLength(50)
  expect(shorten({ text: 'x'.repeat(200_000) })).toEqual({ result: {}, omitted: 1 })
})
