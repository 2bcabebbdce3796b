import { expect, it } from 'vitest'
import { Questions } from '../../../src/lib/cli/questions.ts'

type Asking = ConstructorParameters<typeof Questions>[0]

it.each([
  [true, true, true],
  [true, false, false],
  [false, true, false],
  [undefined, undefined, false],
])('asks with input on a terminal: %s, and messages on one: %s → %s', (stdin, stderr, canAsk) => {
  const io = { stdin: { isTTY: stdin }, stderr: { isTTY: stderr } }
  expect(new Questions({ io } as Asking).canAsk).toBe(canAsk)
})
