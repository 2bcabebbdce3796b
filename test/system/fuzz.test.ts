import { test } from 'vitest'
import { fuzzedSandbox } from '../helpers/fuzz/fuzz.ts'
import { PROBE_GROUPS } from '../helpers/fuzz/probes.ts'
import { isWhole } from '../helpers/whole.ts'

const RUNS = {
  'list returns': 6500,
  'read one return': 7000,
  'read labels': 4000,
  'make labels': 1500,
  'update labels': 7000,
  'report tracking': 7500,
  'calculate methods': 6500,
  'search points': 4500,
  anything: 7500,
}
const fuzzed = await fuzzedSandbox()

/** More than fifty thousand requests in all, twice as many of the whole. */
test.each(PROBE_GROUPS)('every answer is a documented one: %s', { timeout: 240_000 }, async (group) => {
  await fuzzed.fuzz(group, RUNS[group] * (isWhole ? 2 : 1))
})
