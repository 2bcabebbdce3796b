import { expect, test } from 'vitest'
import { placeKey, townKeys } from '../../../../src/lib/sandbox/pudos/towns.ts'

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
