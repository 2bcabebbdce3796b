import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { newDesk } from '../../helpers/new-desk.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a question ignores keys pressed before the person could see it', () => {
  const desk = newDesk()
  const done: string[] = []
  desk.ask('Buy a label?', () => done.push('bought'))
  vi.advanceTimersByTime(400)
  desk.onKey('y')
  expect([done, desk.question?.[0]]).toEqual([[], 'Buy a label?'])
  vi.advanceTimersByTime(200)
  desk.onKey('y')
  expect([done, desk.question]).toEqual([['bought'], undefined])
})

it('a question does not replace another one', () => {
  const desk = newDesk()
  desk.ask('Buy a label for A?', () => {})
  desk.ask('Buy a label for B?', () => {})
  expect(desk.question?.[0]).toBe('Buy a label for A?')
  expect(desk.message).toBe('Not asked, since you went on: Buy a label for B?')
})

it('a question ends with the first character of a scan, which goes to the search', () => {
  const desk = newDesk()
  const keys: string[] = []
  desk.top!.onKey = (key) => void keys.push(key)
  desk.ask('Buy a label?', () => {})
  for (const key of 'HV1') desk.onKey(key)
  expect([keys.join(''), desk.question]).toEqual(['HV1', undefined])
})
