import { afterAll, expect, test } from 'vitest'
import { fuzzedSandbox } from '../helpers/fuzz/fuzz.ts'
import { PROBE_GROUPS, type ProbeGroup } from '../helpers/fuzz/probes.ts'

const RUNS: Record<ProbeGroup, number> = {
  'list returns': 13_000,
  'read one return': 14_000,
  'read labels': 8000,
  'make labels': 9000,
  'update labels': 14_000,
  'report tracking': 15_000,
  'calculate methods': 13_000,
  'search points': 9000,
  anything: 15_000,
}
const fuzzed = await fuzzedSandbox()
const watched = await fuzzedSandbox({ returns: 12 })
afterAll(() => {
  fuzzed.close()
  watched.close()
})

/** More than a hundred thousand requests in all. */
test.each(PROBE_GROUPS)('every answer is a documented one: %s', { timeout: 240_000 }, async (group) => {
  await fuzzed.fuzz(group, RUNS[group])
})

test.each(['make labels', 'update labels', 'report tracking', 'anything'] as const)(
  'a refused request changes nothing: %s',
  { timeout: 240_000 },
  async (group) => {
    expect(await watched.fuzzRefused(group, 800)).toBeGreaterThan(80)
  },
)
