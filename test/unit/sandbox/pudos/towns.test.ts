import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { placeKey, townKeys } from '../../../../src/lib/sandbox/pudos/towns.ts'
import { makeGazetteer, TOWNS_FILE } from '../../../../tools/gazetteer.mjs'

test('the file of towns is what gazetteer.mjs makes', () => {
  const committed = readFileSync(TOWNS_FILE, 'utf8')
  expect(committed.length).toBeLessThan(1_000_000)
  // Not toBe: a difference of a megabyte is of no help.
  expect(committed === makeGazetteer(), 'run: node tools/gazetteer.mjs').toBe(true)
})

test.each([
  ['A CORUÑA', 'A Coruña'],
  ['Saint-Etienne', 'Saint-Étienne'],
  ['st etienne', 'Saint-Étienne'],
  ['Lodz', 'Łódź'],
  ['Alesund', 'Ålesund'],
  ['Aalesund', 'Ålesund'],
  ['Koeln', 'Köln'],
  ['Tromso', 'Tromsø'],
  ['L’Hospitalet de Llobregat', "L'Hospitalet de Llobregat"],
  ['Washington DC', 'Washington, DC'],
])('%s finds %s', (written, name) => {
  expect([...townKeys({ name, aliases: [] })]).toContain(placeKey(written))
})
