import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { makeGazetteer, TOWNS_FILE } from '../../tools/gazetteer.mjs'

test('the file of towns is what gazetteer.mjs makes', () => {
  const committed = readFileSync(TOWNS_FILE, 'utf8')
  expect(committed.length).toBeLessThan(1_000_000)
  // Compared by equality, since a difference of a megabyte is of no help.
  expect(committed === makeGazetteer(), 'run: node tools/gazetteer.mjs').toBe(true)
})
