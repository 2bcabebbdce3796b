import { expect, it } from 'vitest'
import { durationSeconds } from '../../../src/lib/wire/time.ts'

it.each([
  ['1s', 1],
  ['30m', 1800],
  ['12h', 43_200],
  ['3d', 259_200],
  ['2w', 1_209_600],
  ['0d', undefined],
  ['-3d', undefined],
  ['3', undefined],
  ['1.5d', undefined],
  ['3 d', undefined],
  ['3D', undefined],
  ['9999999999d', undefined],
])('%s are %s seconds', (text, seconds) => expect(durationSeconds(text)).toBe(seconds))
