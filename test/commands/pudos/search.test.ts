import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { newFile, newFolder, textFile } from '../../helpers/files.ts'
import { homeAt, runCli } from '../../helpers/run-cli.ts'
import { NOW, SAMPLE } from '../../helpers/sample-points.ts'
import { type Answer, refusal, scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/pudos/search.ts'
import '../../../src/commands/returns/list.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'

const ADDRESS = { line1: 'Gran Vía 2', city: 'Madrid', postalCode: '28013', countryCode: 'ES' }
const HERE = typed`--lat 40.4168 --lon -3.7038 --carrier-service SBX_STANDARD`

const search = asTyped(async (argv, script: readonly Answer[] = [{ body: SAMPLE }]) => {
  const { baseUrl, requests } = await scriptServer(script)
  const result = await runCli(typed`pudos search ${argv}`, { now: NOW, env: homeAt(baseUrl) })
  return { ...result, requests }
})

it('the search request has the values of the flags, and no others', async () => {
  const { requests } = succeeded(
    await search`--address 'Calle Mayor 1' --city Madrid --postal-code 28013 --country es --carrier-service A --carrier-service B --carrier-service A --limit 30 --range 2.5 --type locker --shop MODA-ES`,
  )
  expect(requests.map(({ method, path, json }) => [method, path, json])).toEqual([
    [
      'POST',
      '/pudos',
      {
        shopCode: 'MODA-ES',
        carrierServices: [{ code: 'A' }, { code: 'B' }],
        limit: 200,
        address: 'Calle Mayor 1',
        city: 'Madrid',
        postalCode: '28013',
        countryCode: 'ES',
        range: 2.5,
        locationType: 'LOCKER',
      },
    ],
  ])
})

it('coordinates override the address, with a note', async () => {
  const { requests, stderr } = await search`${HERE} --city Paris --country FR`
  expect(requests[0]?.json).toEqual({
    carrierServices: [{ code: 'SBX_STANDARD' }],
    latitude: 40.4168,
    limit: 200,
    longitude: -3.7038,
  })
  expect(stderr).toContain('they win over the address')
})

it('pudos search of a return uses its address and carrier service', async () => {
  const record = {
    id: 'r1',
    name: 'R#-1001',
    shopCode: 'MODA-ES',
    origin: { address: ADDRESS },
    activeTransportation: { carrierServiceCode: 'MRW_DROP' },
  }
  const { requests, stderr } = await search(
    ['R#-1001'],
    [{ body: { returns: [record] } }, { body: record }, { body: SAMPLE }],
  )
  expect(requests.at(-1)?.json).toEqual({
    shopCode: 'MODA-ES',
    carrierServices: [{ code: 'MRW_DROP' }],
    address: 'Gran Vía 2',
    city: 'Madrid',
    postalCode: '28013',
    countryCode: 'ES',
    limit: 200,
  })
  expect(stderr).toContain('Searching near Gran Vía 2, 28013 Madrid, ES, for MRW_DROP')
})

it.each([
  [['r1'], [{ body: { id: 'r1', name: 'R#-1001', customer: { address: { city: 'Madrid' } } } }]],
  [typed`--city Madrid`, [{ body: { returns: [] } }]],
])('a search without a code or methods says where to get a code: %j', async (argv, script) => {
  const { requests } = expectEnd(await search(argv, script), 2, ['rma methods calculate --for'])
  expect(requests.length).toEqual(script.length)
})

it('the methods are asked for a customer like that of the newest return of each country', async () => {
  const record = {
    ...{ id: 'r1', name: 'R#-1001', shopCode: 'MODA-ES', currency: 'EUR', origin: { address: ADDRESS } },
    ecommerceOrder: { id: 'o1', customerId: 'c1' },
    returnLineItems: [{ sku: 'A-1', quantity: 2, barcode: 'x', refundType: 'EXCHANGE' }],
  }
  const abroad = { ...record, origin: { address: { ...ADDRESS, countryCode: 'PT' } } }
  const method = (code: unknown, serviceType: string, visible = true) => ({
    ...{ code: 'M', serviceType, visible, carrierService: { code } },
  })
  const methods = [
    method('DROP', 'drop-off'),
    method(7, 'drop-off-store'),
    method('FETCH', 'pick-up'),
    method('OWN', 'do-it-yourself'),
    method('SECRET', 'drop-off', false),
  ]
  const { requests, stderr } = await search(typed`--lat 40.4168 --lon -3.7038`, [
    { body: { returns: [record, abroad, record] } },
    { body: { returnMethods: methods } },
    refusal('VA01', 'not from there'),
    { body: SAMPLE },
  ])
  expect(requests.map(({ path }) => path.replace(/\?.*/, ''))).toEqual([
    ...['/returns', '/return_methods', '/return_methods', '/pudos'],
  ])
  expect(requests[1]?.json).toEqual({
    shopCode: 'MODA-ES',
    currencyCode: 'EUR',
    ecommerceOrder: { id: 'o1' },
    originAddress: ADDRESS,
    returnLineItems: [{ sku: 'A-1', quantity: 2, refundTypeCode: 'EXCHANGE' }],
    client: { id: 'c1', tier: 'standard' },
  })
  expect(requests[3]?.json).toMatchObject({
    shopCode: 'MODA-ES',
    carrierServices: [{ code: 'DROP' }, { code: '7' }],
  })
  expect(stderr).toContain("for DROP, 7: those of MODA-ES's return methods")
})

it('a search is sent again after a 500 and after a time-out', async () => {
  const { requests } = succeeded(
    await search(typed`${HERE} --timeout 0.2 --json`, [{ status: 500 }, { fault: 'hang' }, { body: [] }]),
  )
  expect(requests.length).toBe(3)
})

it.each([
  [typed`--carrier-service A`, 'Near what place?'],
  [typed`--country ES --carrier-service A`, '--country ES alone is not a place'],
  [typed`--lat 91 --lon 0`, '--lat: "91" is not a number of degrees from -90 to 90'],
  [typed`--lat 0 --lon 180.01`, '--lon: "180.01"'],
  [typed`--lat 1`, '--lon is missing'],
  [typed`--lon 1`, '--lat is missing'],
  [typed`--lat 40,5 --lon 1`, '--lat: "40,5"'],
  [typed`--city X --country XQ`, '--country: "XQ"'],
  [typed`--city X --country UK`, 'use GB'],
  [typed`--city X --range far`, '--range: "far" is not a number; known: kilometres above 0, up to 100'],
  [typed`--city X --limit all`, '--limit: "all" is not a number; known: whole numbers from 1 to 200'],
  [typed`--city X --type ' '`, '--type is empty'],
  [typed`--city X --carrier-service ''`, '--carrier-service is empty'],
  [typed`${HERE} --open-at someday`, '--open-at: "someday"'],
  [typed`${HERE} --map -`, '--map takes the name of a file'],
  [typed`${HERE} --language de`, '--map'],
  [typed`${HERE} --map a.html --language nl`, 'en, es, fr, de, it'],
  [typed`${HERE} --paste -o geojson`, 'leave out one'],
  [typed`${HERE} --columns nmae`, '--columns name'],
  [typed`R#-1 --city X`, '--city: the return says where its customer is'],
])('pudos search %j is refused before anything is sent', async (argv, message) => {
  expectEnd(await search(argv, []), 2, [message])
})

it('all bad values of a search are named at once', async () => {
  const argv = typed`--lat 91 --lon 181 --range x --limit x`
  expectEnd(await search(argv, []), 2, ['--lat: ', '--lon: ', '--range: ', '--limit: '])
})

it.each([
  ['--type', 'Loker', { locationType: 'Loker' }, 'Did you mean LOCKER? Known: SERVICE_POINT, LOCKER, '],
  ['--range', '500', { range: 500 }, /^Warning: --range: "500" is sent as it is; known: kilometres above 0/],
  ['--range', '0', { range: 0 }, '"0" is sent as it is'],
  ['--limit', '201', { limit: 201 }, /"201" is sent as it is; known: whole numbers from 1 to 200\n$/],
  ['--limit', '1.5', { limit: 1.5 }, /"1.5" is sent as it is/],
  ['--limit', '-1', { limit: -1 }, '"-1" is sent as it is'],
])('%s %s is sent as it was typed, with a warning', async (flag, value, sent, warning) => {
  const { stderr, requests } = expectEnd(
    await search(typed`${HERE} ${flag}=${value} --json`, [{ body: [] }]),
    0,
    [warning],
  )
  expect(requests[0]?.json).toMatchObject(sent)
  expect(stderr.match(/Warning/g)).toHaveLength(1)
})

it('--open-at does not limit the --limit that is sent', async () => {
  const open = await search`${HERE} --open-at now --limit 300 --json`
  expect([open.code, open.requests[0]?.json]).toEqual([0, expect.objectContaining({ limit: 300 })])
})

it('a table of points lists all carriers, nearest first, with opening state', async () => {
  const { stdout } = succeeded(await search(HERE))
  const rows = stdout.split('\n').map((line) => line.split(/ {2,}/))
  expect(rows[0]).toEqual(['NAME', 'CARRIER', 'TYPE', 'KM', 'OPEN NOW', 'ADDRESS'])
  expect(
    rows
      .slice(1, -1)
      .map(([name, ...rest]) => [name, rest.find((cell) => /until|opens|closed|day and/.test(cell))]),
  ).toEqual([
    ['Estanco Sol', 'until 14:00'],
    ['Correos Centro', 'temporarily closed'],
    ['Bar Nocturno', 'no, opens 20:00'],
    ['Locker Atocha', 'day and night'],
    ['Sin hora', undefined],
  ])
})

it('pudos search --json prints the answer as it was sent', async () => {
  expect(jsonOf(await search`${HERE} --json`)).toEqual(SAMPLE)
})

it('NDJSON has one point per line, with its carrier and a computed distance', async () => {
  const { stdout } = await search`${HERE} -o ndjson`
  const points = ndjson(stdout)
  expect(points.map(({ id, carrierCode, distance }) => [id, carrierCode, distance])).toEqual([
    ['P-1', 'SBX', 0.04],
    ['M-9', 'MRW', expect.closeTo(0.2536, 3)],
    ['P-3', 'SBX', 0.26],
    ['P-2', 'SBX', '1.67'],
    ['M-10', 'MRW', expect.closeTo(1.874, 2)],
  ])
  expect(points[0]).toEqual({
    carrierCode: 'SBX',
    carrierExternalCode: 'SBX-STANDARD',
    ...SAMPLE[0]?.pudoPoints[0],
  })
})

it('CSV of points has the columns that tables have no room for', async () => {
  const { stdout } = await search`${HERE} -o csv --columns id,service,distance,hours,address.city`
  expect(stdout.split('\r\n').slice(0, 2)).toEqual([
    'id,service,distance,hours,address.city',
    'P-1,SBX-STANDARD,0.04,"Mon–Fri 09:00–14:00, 16:00–20:30; Sat 09:00–14:00; Sun closed",Madrid',
  ])
})

it('a point of two services of one carrier is one row', async () => {
  const point = { id: 'P-1', name: 'Twice', distance: 1 }
  const body = ['ONE', 'TWO'].map((carrierExternalCode) => ({
    carrierCode: 'C',
    carrierExternalCode,
    pudoPoints: [point],
  }))
  const { stdout } = await search(typed`${HERE} -o csv --no-headers --columns name,service`, [{ body }])
  expect(stdout).toBe('Twice,"ONE, TWO"\r\n')
  const ndjson = await search(typed`${HERE} -o ndjson`, [{ body }])
  expect(ndjson.stdout.match(/"(ONE|TWO)"/g)).toEqual(['"ONE"', '"TWO"'])
})

it('--paste prints one line per point', async () => {
  const { stdout } = await search`${HERE} --paste`
  expect(stdout.split('\n').slice(0, 3)).toEqual([
    'Estanco Sol (SBX), Puerta del Sol 3, 28013 Madrid, ES, 40 m, today 09:00–14:00, 16:00–20:30',
    'Correos Centro (MRW), Calle de la Montera 20, 28013 Madrid, ES, 250 m, temporarily closed',
    'Bar Nocturno (SBX), Calle de la Cruz 7, 28013 Madrid, ES, 260 m, today 20:00–03:00',
  ])
})

it('-o geojson prints a FeatureCollection, and is unknown to other commands', async () => {
  const { type, features } = jsonOf(await search`${HERE} -o geojson`)
  expect([type, features.length]).toEqual(['FeatureCollection', 5])
  expect(features[3].geometry).toEqual({ type: 'Point', coordinates: [-3.6895, 40.4065] })
  const elsewhere = await runCli(typed`returns list -o geojson`)
  expect(ended(elsewhere, 2).stdout).toBe('')
  expect(elsewhere.stderr).toMatch(/must be one of table, json, ndjson, csv, yaml\b/)
  const mistyped = await search(typed`${HERE} -o geojsn`, [])
  expect(mistyped.stderr).toContain('did you mean geojson?')
})

it.each([
  [[], ''],
  [['--json'], '[]\n'],
  [typed`-o ndjson`, ''],
  [['--paste'], ''],
  [typed`-o geojson`, '{\n  "type": "FeatureCollection",\n  "features": []\n}\n'],
])('a search without points is a success: %j', async (flags, expected) => {
  const { stdout, stderr } = succeeded(await search(typed`${HERE} ${flags}`, [{ body: [] }]))
  expect(stdout).toEqual(expected)
  expect(stderr.includes('No drop-off points found')).toBe(flags.length === 0 || flags[0] === '--paste')
})

it('--open-at keeps points open then in local time, and reports those with unknown hours', async () => {
  const { stdout, stderr, requests } = await search`${HERE} --open-at 'sat 21:00' -o csv --columns name,open`
  expect(stdout).toBe('name,open\r\nBar Nocturno,until 03:00\r\nLocker Atocha,day and night\r\n')
  expect(stderr).toContain('1 point is left out')
  // More are asked for, so that closed ones don't use up the limit.
  expect(requests[0]?.json).toMatchObject({ limit: 200 })
})

it('--limit counts the points of all carriers together, and tells the total', async () => {
  const idsOf = async (argv: string[], said: RegExp) => {
    const results = jsonOf(expectEnd(await search`${HERE} ${argv} --json`, 0, said))
    return results.map(({ pudoPoints }: { pudoPoints: { id: string }[] }) => valuesOf(pudoPoints, 'id'))
  }
  expect(await idsOf(typed`--limit 2`, /^2 of \d; --limit \d for the rest$/m)).toEqual([['P-1'], ['M-9']])
  expect(await idsOf(typed`--open-at now --limit 1`, /^1 of \d; --limit/m)).toEqual([['P-1'], []])
  const pudoPoints = times(201, (id) => ({ id: String(id) }))
  const answers = [{ body: [{ carrierCode: 'SBX', pudoPoints }] }]
  expectEnd(await search(typed`${HERE} --limit 9`, answers), 0, /^9 of 201 or more; a smaller --range/m)
  pudoPoints.length = 200
  expectEnd(await search(typed`${HERE} --limit 200`, answers), 0, /^200 of 200 or more; a smaller/m)
})

it('invalid points are shown as far as possible, without terminal commands', async () => {
  const body = [
    {
      carrierCode: 'C',
      pudoPoints: [
        null,
        {
          name: 'Evil\x1b[31m\nname',
          distance: 'far',
          locationType: 'KIOSK',
          openingHours: 'always',
          address: 'Here',
        },
        {},
      ],
    },
    { carrierCode: 'D', pudoPoints: 'none' },
  ]
  const { stdout } = expectEnd(await search(HERE, [{ body }]), 0, ['KIOSK'])
  expect(stdout).toContain('Evil\\x1b[31m\\nname')
  expect(stdout).not.toContain('\x1b')
  const pasted = await search(typed`${HERE} --paste`, [{ body }])
  expect(pasted.stdout).toBe('Evil\\x1b[31m\\nname (C), Here\nDrop-off point (C)\n')
})

it('an answer of another shape is exit 8', async () => {
  ended(await search(HERE, [{ body: { pudos: [] } }]), 8)
})

it('--strict makes deviations errors', async () => {
  const body = [{ pudoPoints: [{ locationType: 'KIOSK' }] }]
  ended(await search(typed`${HERE} --strict`, [{ body }]), 8)
})

it('--map writes a page besides the usual result, and no other file', async () => {
  const dir = newFolder()
  const { stdout } = expectEnd(await search`${HERE} --map ${join(dir, 'a.html')}`, 0, [
    `Map of 5 points in ${join(dir, 'a.html')}`,
  ])
  expect(stdout).toContain('Estanco Sol')
  expect(readdirSync(dir)).toEqual(['a.html'])
  const page = textFile(join(dir, 'a.html'))
  expect(page).toContain('Drop-off points near 40.4168, -3.7038')
  expect(page).toContain('as of Fri 20 Nov 2026, 13:00')
})

it.each([
  [[], 'es', 'Cerrado, abre: 20:00', 'lun–vie 09:00–14:00', 'vie 20 nov 2026, 13:00'],
  [typed`--language de`, 'de', 'Geschlossen, öffnet 20:00', 'Mo–Fr 09:00–14:00', 'Fr 20.11.2026, 13:00'],
])('--map uses the language of the country, or that of --language: %j', async (flags, ...texts) => {
  const file = join(newFolder(), 'a.html')
  const place = typed`--city Madrid --country ES --carrier-service A`
  const { stdout } = succeeded(await search`${place} --map ${file} ${flags}`)
  expect(stdout).toContain('no, opens 20:00')
  const page = textFile(file)
  const [language = '', ...others] = texts
  for (const text of [`<html lang="${language}">`, ...others]) expect(page).toContain(text)
})

it('--map replaces a file with other content only with --force', async () => {
  const file = newFile('a.html', 'mine')
  const refusal = ended(await search`${HERE} --map ${file}`, 2)
  expect(refusal.stderr).toContain('Try: --force replaces the file\nTry: or choose another place with --map')
  expect(textFile(file)).toBe('mine')
  succeeded(await search`${HERE} --map ${file} --force`)
  expect(textFile(file)).toContain('<!doctype html>')
})

it('--map into a missing folder is refused', async () => {
  expectEnd(await search`${HERE} --map ${join(newFolder(), 'no/a.html')}`, 2, ['there is no such folder'])
})
