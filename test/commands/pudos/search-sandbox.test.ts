import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, succeeded, typed } from '../../helpers/command-line.ts'
import { expectPrivate, newFolder, textFile } from '../../helpers/files.ts'
import { usePlatform } from '../../helpers/platform.ts'
import '../../../src/commands/pudos/search.ts'
import '../../../src/commands/returns/list.ts'
import { times } from '../../helpers/values-of.ts'

/** The built-in platform's own points. */
const platform = usePlatform({ returns: 60 })
const { run } = platform
const MADRID = typed`--lat 40.4168 --lon -3.7038 --shop LUMBRE-ES --carrier-service SBX_STANDARD`

interface Sent {
  carrierCode: string
  pudoPoints: {
    id: string
    latitude: number
    longitude: number
    distance: number
    openingHours: { day: number }[]
  }[]
}

const search = asTyped(async (argv) => {
  const { stdout } = succeeded(await run`pudos search ${argv}`)
  return stdout
})
const list = asTyped(async (argv): Promise<Sent[]> => JSON.parse(await search`${argv} --json`))
const lines = (text: string) => text.split(/\r?\n/).filter((line) => line !== '')

it('pudos search shows kind, distance, hours and addresses in full on a small terminal', async () => {
  const { stdout } = await run(typed`pudos search ${MADRID}`, { columns: 100 })
  expect(stdout).toMatch(/\n {40,}Madrid, ES\n/)
  expect(stdout).toMatch(
    /^NAME .* TYPE +KM +OPEN NOW +ADDRESS\n(.* {2}(carrier depot|locker|post office|service point) .*\n| .*\n)+$/,
  )
  expect(stdout).not.toMatch(/ {2}.*…/)
})

it('pudos search never cuts a name at 80 columns, and says which columns have no room', async () => {
  const { stdout, stderr } = await run(typed`pudos search ${MADRID}`, { columns: 80 })
  expect(stdout).toContain('\nSandbox Locker Avenida de la Constitución  ')
  expect(stderr).toContain('Not shown at this width: type, address')
})

it('pudos search merges the carriers, nearest first', async () => {
  const both = typed`${MADRID} --carrier-service MRW_DIRECT --limit 30`
  const sent = await list`${both}`
  const expected = sent
    .flatMap(({ carrierCode, pudoPoints }) =>
      pudoPoints.map(({ id, distance }) => ({ carrierCode, id, distance })),
    )
    .sort((a, b) => a.distance - b.distance)
  expect(expected.length).toBe(30)
  const rows = lines(await search`${both} -o ndjson`).map((line) => JSON.parse(line))
  expect(rows.map(({ carrierCode, id, distance }) => ({ carrierCode, id, distance }))).toEqual(expected)
})

it('--open-at finds open points beyond the nearest closed ones', async () => {
  // A Sunday night: hardly anything but lockers.
  const [open] = await list`${MADRID} --open-at 'sun 23:00' --limit 5`
  const [nearest] = await list`${MADRID} --limit 5`
  expect(open?.pudoPoints).toHaveLength(5)
  expect(open?.pudoPoints.every(({ openingHours }) => openingHours.some(({ day }) => day === 7))).toBe(true)
  expect(open?.pudoPoints.at(-1)?.distance).toBeGreaterThan(nearest?.pudoPoints.at(-1)?.distance ?? Infinity)
})

it('sandbox points are found by address, and printed as GeoJSON', async () => {
  const place = typed`--city London --country gb --shop HARROW-UK --carrier-service EVRI_PARCELSHOP`
  const { features } = JSON.parse(await search`${place} -o geojson`)
  expect(features).toHaveLength(20)
  expect(lines(await search`${place} --type locker -o csv --no-headers --columns type`)).toEqual(
    times(20, () => 'LOCKER'),
  )
})

it('--map by address marks the place that the platform measured from, and links to its streets', async () => {
  const file = join(newFolder(), 'a.html')
  await search`--city Madrid --country ES ${MADRID.slice(4)} --map ${file}`
  const html = textFile(file)
  expect(html).toMatch(/class="ring".*<title>Madrid, ES<\/title>/s)
  expect(html).toMatch('Las calles la necesitan: <a href="https://www.openstreetmap.org/?mlat=40.4')
  expectPrivate(file)
})

it('pudos search with a return prints one row per point near the customer', async () => {
  const { stdout } = await run`returns list --shop HARROW-UK -o ndjson`
  const returns = lines(stdout).map((line) => JSON.parse(line))
  const one = returns.find(
    ({ activeTransportation, origin }) => activeTransportation && origin.address.city === 'London',
  )
  const pasted = lines(await search`${one.name} --carrier-service EVRI_PARCELSHOP --limit 3 --paste`)
  expect(pasted).toHaveLength(3)
  for (const line of pasted)
    expect(line).toMatch(
      /^Evri .+ \(Evri\), .+, London, [A-Z\d ]+, GB, [\d.]+ k?m, ((?:today|Sat) [\d:–, ]+|day and night|temporarily closed)$/,
    )
})

it('a search without a carrier service uses those of the shop, if the shop is known', async () => {
  const { stdout } = expectEnd(
    await run`pudos search ${MADRID.slice(0, 6)} -o csv --columns carrier`,
    0,
    /for (\w+, ){2}\w+: those of LUMBRE-ES's return methods/,
  )
  expect([...new Set(lines(stdout).slice(1))].sort()).toEqual(['CORREOS', 'LUMBRE', 'MRW'])
  const several = ended(await run`pudos search ${MADRID.slice(0, 4)}`, 2)
  expect(several.stderr).toContain('Several shops fit: name one.\nTry: --shop FJORD-SE')
})

it.each([
  ['pick-up', "the carrier fetches the parcel at the customer's"],
  ['do-it-yourself', 'the customer chooses the carrier'],
])('a return with %s has no points, and a larger range would not help', async (type, words) => {
  const { stdout } = await run`returns list --limit 60 -o ndjson`
  const one = lines(stdout)
    .map((line) => JSON.parse(line))
    .find(({ activeTransportation }) => activeTransportation?.serviceType === type)
  const found = await run`pudos search ${one.name}`
  expect(succeeded(found).stdout).toBe('')
  expect(found.stderr).toContain(`No drop-off points: ${words}; --carrier-service CODE`)
  expect(found.stderr).not.toContain('--range')
})

it('pudos search says what the platform says about a place that it does not know', async () => {
  const argv = typed`pudos search --city Atlantis --country ES --shop LUMBRE-ES --carrier-service A`
  expectEnd(await run(argv), 6, ['Atlantis'])
})

it('an unknown carrier service has no points', async () => {
  const { stdout } = expectEnd(await run`pudos search ${MADRID.slice(0, -1)} NOPE`, 0, [
    'No drop-off points found',
  ])
  expect(stdout).toBe('')
})
