import { expect, test } from 'vitest'
import { fuzzedSandbox } from '../helpers/fuzz/fuzz.ts'

const watched = await fuzzedSandbox({ returns: 12 })

test.each(['make labels', 'update labels', 'report tracking', 'anything'] as const)(
  'a refused request changes nothing: %s',
  { timeout: 240_000 },
  async (group) => {
    expect(await watched.fuzzRefused(group, 240)).toBeGreaterThan(40)
  },
)
