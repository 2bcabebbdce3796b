import { expect, test } from 'vitest'
import { AnswerCache } from '../../../../src/lib/sandbox/store/answer-cache.ts'

test('the answers used last stay, up to a size that counts questions too', () => {
  const cache = new AnswerCache(40)
  const made: string[] = []
  const ask = (state: string, question: string) =>
    String(
      cache.answer(state, question, () => {
        made.push(`${state}:${question.slice(0, 3)}`)
        return Buffer.from(`${state} ${question}`.slice(0, 8))
      }),
    )
  // 2 × 3 + 5 bytes each.
  for (const question of ['one', 'two', 'six', 'one', 'ten', 'one', 'six']) ask('1', question)
  expect(made).toEqual(['1:one', '1:two', '1:six', '1:ten'])
  ask('1', 'two')
  ask('1', 'long'.repeat(10))
  ask('1', 'two')
  expect(made.slice(4)).toEqual(['1:two', '1:lon', '1:two'])
  expect(ask('2', 'two')).toBe('2 two')
})
