import { expect, it } from 'vitest'
import { childEnv } from '../../../src/lib/files/child-env.ts'

const kept = { PATH: '/bin', RMA_SHOP: 'x' }

it.each([
  ['postgres://me:secret@host/returns', false],
  ['postgresql://host/returns?user=me&password=secret', false],
  ['host=h password=secret', false],
  ['postgres://me@host/returns', true],
  ['postgres://host:5432/returns', true],
])('a program gets no token, and no database address with a password: %s', (RMA_DATABASE, isKept) => {
  expect(childEnv({ ...kept, RMA_TOKEN: 't', RMA_DATABASE })).toEqual({
    ...kept,
    ...(isKept && { RMA_DATABASE }),
  })
})
