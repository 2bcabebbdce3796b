import fc from 'fast-check'
import { expect, test } from 'vitest'
import { routeMatcher } from '../../../../src/lib/sandbox/faults/faults.ts'
import { leastCpuMs } from '../../../helpers/growth.ts'

/** The same by the shortest way, which takes for ever on long paths. */
function matchesPlainly(pattern: string, path: string) {
  const source = pattern.replace(/\./g, '\\.').replace(/\*/g, '.*').replace(/:\w/g, '[^/]+')
  return new RegExp(`^${source}$`).test(path)
}

test('a route matches exactly its paths, however many stars it has', () => {
  let matches = 0
  const piece = fc.constantFrom('*', '*', ':x', '/', 'a', 'b', '.')
  const pattern = fc
    .array(piece, { maxLength: 8 })
    .map((pieces) => `/${pieces.join('').replace(/(:x)+/g, ':x')}`)
  const path = fc
    .array(fc.constantFrom('/', 'a', 'b', '.'), { maxLength: 10 })
    .map((parts) => `/${parts.join('')}`)
  fc.assert(
    fc.property(pattern, path, (route, given) => {
      // A name goes as far as letters do.
      fc.pre(!/:x[ab]/.test(route))
      const isMatch = matchesPlainly(route, given)
      matches += Number(isMatch)
      expect(routeMatcher(`* ${route}`)('GET', given)).toBe(isMatch)
    }),
    { numRuns: 5000 },
  )
  expect(matches).toBeGreaterThan(200)
})

test('a path of maximum length is matched quickly', () => {
  const work = () => {
    expect(routeMatcher(`* /${'*a'.repeat(20)}*b`)('GET', `/${'a'.repeat(16_000)}`)).toBe(false)
    expect(routeMatcher('* *:id/*/:id*b')('GET', '/a'.repeat(8000))).toBe(false)
  }
  expect(leastCpuMs(work)).toBeLessThan(2000)
})
