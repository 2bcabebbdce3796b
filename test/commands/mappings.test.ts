import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ASKING, EXPORTS, FIRST, SECOND } from '../helpers/carrier-exports.ts'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../helpers/command-line.ts'
import { jsonFile, newFolder, textFile } from '../helpers/files.ts'
import { expiredService, type TrackingService, trackingService } from '../helpers/tracking-service.ts'
import { times, valuesOf } from '../helpers/values-of.ts'
import '../../src/commands/jobs/resume.ts'
import '../../src/commands/mappings/check.ts'
import '../../src/commands/mappings/init.ts'
import '../../src/commands/mappings/list.ts'
import '../../src/commands/mappings/show.ts'
import '../../src/commands/tracking/plan.ts'
import '../../src/commands/tracking/push.ts'

const ZONE = typed`--time-zone Europe/Berlin`

function written(content: string | Uint8Array, name = 'export.csv') {
  const path = join(newFolder(), name)
  writeFileSync(path, content)
  return path
}

/** Update of each row that `mappings check -o ndjson` printed. */
const requestsOf = ({ stdout }: { stdout: string }) => valuesOf(ndjson(stdout), 'request')

let service: TrackingService
beforeEach(async () => {
  service = await trackingService()
})
const run = asTyped((argv) => service.run(argv))

describe('init', () => {
  it.each(Object.entries(EXPORTS))('%s: right without a question', async (_name, content) => {
    const path = written(await content())
    const made = await run`mappings init ${path} ${ZONE}`
    expectEnd(made, 0, expect.not.stringMatching(/can't tell|No row has a status/))
    expect(requestsOf(succeeded(await run`mappings check export ${path} -o ndjson`))).toMatchObject([
      { ...FIRST, trackingDate: '2026-11-18T08:30:00Z' },
      { ...SECOND, trackingDate: '2026-11-19T16:05:00Z' },
    ])
  })

  it('24 exports: at least 20 without a question, and at most two for each of the others', () => {
    const [told, asking] = [Object.keys(EXPORTS), Object.keys(ASKING)]
    expect(told.length).toBeGreaterThanOrEqual(20)
    expect(told.length + asking.length).toBe(24)
  })

  it.each(Object.entries(ASKING))('%s: right after at most two', async (_name, { content, answers }) => {
    const path = written(content)
    const { code, stderr } = await run`mappings init ${path} ${ZONE}`
    const questions = stderr.match(/can't tell /g) ?? []
    expect(questions.length, stderr).toBe(answers.length / 2)
    expect(questions.length).toBeLessThanOrEqual(2)
    // Required fields are never left open.
    expect(code).toBe(answers[0] === '--map' ? 2 : 0)
    const made = await run`mappings init ${path} ${ZONE} ${answers} --force`
    expectEnd(made, 0, expect.not.stringContaining("can't tell"))
    const date = expect.stringMatching(/^2026-1[12]-1\dT/)
    expect(requestsOf(await run`mappings check export ${path} -o ndjson`)).toMatchObject([
      { ...FIRST, trackingDate: date },
      { ...SECOND, trackingDate: date },
    ])
  })

  it('says what a file does not tell: its name, and the statuses where it has titles only', async () => {
    expectEnd(await run`mappings init -`, 2, ["Standard input can't name a mapping."])
    expectEnd(await run`mappings init .`, 2, ['"." can\'t name a mapping.'])
    const path = written('Reference,Status,Tracking Number\n')
    expectEnd(await run`mappings init ${path}`, 0, ["--status 'TEXT=STATUS'"])
  })

  it('warns where the header of the dates names another time zone', async () => {
    const path = written('Return,Status,Date (UTC)\nR#-1001,Delivered,18.11.2026 09:30\n')
    const says = '"Date (UTC)" says UTC, but dates are read in Europe/Berlin: --time-zone UTC --force'
    expectEnd(await run`mappings init ${path} ${ZONE}`, 0, [says])
    expectEnd(
      await run`mappings init ${path} --force --time-zone UTC`,
      0,
      expect.not.stringContaining('says UTC'),
    )
  })

  it('printed commands quote file names, and say FILE for standard input', async () => {
    const content = 'Reference,Status\nR#-1001,Zork\n'
    const path = written(content, 'my export.csv')
    expectEnd(await run`mappings init --name filed ${path}`, 0, [`check filed '${path}'`])
    for (const command of [typed`mappings check filed`, typed`tracking push -n -m filed -f`])
      expect((await run`${command} ${path}`).stderr).toContain(`init '${path}' --name filed --force`)
    const check = (stdin: string) => service.run(typed`mappings check filed -`, { stdin })
    expect((await check(content)).stderr).toContain('init FILE --name filed')
    const made = await service.run(typed`mappings init - --name piped`, { stdin: content })
    expectEnd(made, 0, ['rma mappings check piped -'])
    const other = 'shipmentId,trackingStatus\nR#-1001,REQUESTED\n'
    expectEnd(await check(other), 2, ['rma mappings init FILE\n'])
  })

  it.each(['{"Status":"Delivered"}\n{"Status":"Lost"}\n', '[{"Status":"Delivered"}]'])(
    'init says that JSON needs no mapping: %j',
    async (content) => {
      expectEnd(await run`mappings init ${written(content)}`, 2, ['JSON needs no mapping'])
    },
  )

  it('a title in brackets above the header is no JSON', async () => {
    const path = written('[Report 27.11.2026]\nReference;Status\nR#-1001;Delivered\n')
    succeeded(await run`mappings init ${path}`)
    expect(requestsOf(await run`mappings check export ${path} -o ndjson`)).toMatchObject([
      { shipmentId: 'R#-1001', trackingStatus: 'SHIPPING_COMPLETED' },
    ])
  })

  it('mappings check prints no rows if the file lacks a key of the mapping', async () => {
    const path = written('{}')
    const { stdout } = expectEnd(await run`mappings check dpd ${path} -o json`, 2, [
      'No record has the key \\"PARCELNO\\" that was mapped.',
    ])
    expect(stdout).toBe('')
  })

  it('mappings init accepts constants as tracking push does', async () => {
    const path = written('Reference,Status\nR#-1001,Delivered\n')
    const set = ['trackingUrl=https://c.example/?n=1', 'carrier-name=DHL'].flatMap(
      (one) => typed`--set ${one}`,
    )
    expect(jsonOf(await run`mappings init ${path} --json ${set}`)).toMatchObject({
      constants: { trackingUrl: 'https://c.example/?n=1', carrierName: 'DHL' },
    })
  })

  it('mappings init finds the number column and its carrier by check digits', async () => {
    const path = written(await (EXPORTS['UPS, its numbers in a column of no known name']?.() ?? ''))
    expect(jsonOf(await run`mappings init ${path} --json`)).toMatchObject({
      columns: { trackingNumber: 'Label' },
      constants: { carrierName: 'UPS' },
    })
  })

  it('init does not guess which of several days is that of the status', async () => {
    const path = written(
      'Ref,Status,Shipped on,Due on\nR#-1,Delivered,2026-11-18 09:30,2026-11-20\nR#-2,Delivered,2026-11-18 09:30,2026-11-21',
    )
    expectEnd(await run`mappings init ${path}`, 0, [
      "can't tell which column has the day of the status: --map trackingDate=COLUMN",
    ])
    const question = "can't tell which column has the day of the status"
    expectEnd(await run`mappings check export ${path}`, 2, [question, '--set trackingDate=DATE'])
    const push = typed`tracking push -f ${path} -m ups -n`
    expectEnd(await run(push), 2, [`${question}: Shipped on or Due on.`])
    const day = typed`--set trackingDate=2026-11-19`
    for (const name of ['ups', 'export'])
      succeeded(await run`tracking push -f ${path} -m ${name} -n ${day} --yes`)
    const told = await run`${push} --map 'trackingDate=Shipped on' -o json`
    expect(succeeded(told).stdout).toContain('2026-11-18T09:30:00Z')
  })

  it('a column that is not there is refused, with those that are', async () => {
    const path = written('Ref,Status,Date\nR#-1,Delivered,2026-11-18 09:30')
    expectEnd(await run`mappings init ${path} --map shipmentId=Reff`, 2, [
      'no column "Reff"; it has: Ref, Status, Date',
    ])
    // Flags outweigh a column that looks like a return.
    expect(jsonOf(await run`mappings init ${path} --map shipmentId=Date --json`).columns.shipmentId).toBe(
      'Date',
    )
  })

  it("init lists what it can't tell, with the flag that answers it", async () => {
    const path = written(
      'Barcode,Reference,Status,Date\n1,R#-1001,Exception,03/04/2026\n2,R#-1002,Delivered,04/04/2026',
    )
    expectEnd(await run`mappings init ${path}`, 0, [
      `can't tell the status "Exception": --status Exception=STATUS`,
      "can't tell whether dates are DD/MM/YYYY or MM/DD/YYYY: --date-format 'MM/DD/YYYY'",
    ])
    const bad = await run`mappings check export ${path}`
    expectEnd(bad, 9, [
      '"Exception": no such status in row 2',
      '"03/04/2026" may be 2026-04-03 or 2026-03-04',
      'say which: --dates DMY or --dates MDY',
    ])
    const told = typed`--status Exception=SHIPPING_FAILED --date-format MM/DD/YYYY --set carrierName=DHL`
    ended(await run`mappings init ${path} ${told}`, 2)
    const again = await run`mappings init ${path} ${told} --force`
    expectEnd(again, 0, expect.not.stringContaining("can't tell"))
    expect(requestsOf(await run`mappings check export ${path} -o ndjson`)[0]).toMatchObject({
      trackingStatus: 'SHIPPING_FAILED',
      carrierName: 'DHL',
      trackingDate: '2026-03-04T00:00:00Z',
    })
  })

  it('init shows the words that it guessed, and none that a flag gives', async () => {
    const path = written(
      'Reference,Status\nR#-1001,Zugestellt\nR#-1002,Pickup completed\nR#-1003,Wird morgen zugestellt',
    )
    const init = await run`mappings init ${path} --status 'Pickup completed=PICK_UP_COMPLETED'`
    expectEnd(init, 0, [
      'guessed: "Zugestellt" becomes SHIPPING_COMPLETED',
      `can't tell the status "Wird morgen zugestellt"`,
    ])
    expect(init.stderr).not.toContain('guessed: "Pickup completed"')
  })

  it.each([
    [typed`--map trackingNumbr=Tracking`, /there is no field "trackingNumbr".*did you mean trackingNumber/s],
    [typed`--set carrier=DHL`, /"carrier=DHL" is not FIELD=VALUE/],
    [
      typed`--status Delivered=SHIPPING_COMPLETE_`,
      /no status "SHIPPING_COMPLETE_".*did you mean SHIPPING_COMPLETED/s,
    ],
    [typed`--status /[/=SHIPPING_FAILED`, '/[/ is not a regular expression'],
    [typed`--date-format DD.DD.MM.YYYY`, /"DD.DD.MM.YYYY" has the day twice/],
    [typed`--date-format QQQ`, '"QQQ" has no year'],
    [typed`--date-format 'DD/MM/YYYY hh:mm'`, 'has hh without A, or A without hh'],
    [typed`--date-format 'DD/MM/YYYY HH:mm A'`, 'has hh without A, or A without hh'],
    [[], 'two columns are called "Status"'],
  ])('mappings init keeps no unusable mapping: %s', async (flags, message) => {
    const titles = flags.length === 0 ? 'Status,Status' : 'Status,Other'
    const path = written(`Tracking,Reference,${titles}\nA1,R#-LU105189,Delivered,x\n`)
    expectEnd(await run`mappings init ${path} ${flags}`, 2, [message])
    ended(await run`mappings show export`, 5)
  })

  it('--force keeps the columns, constants, dates and rows of the mapping that no flag changes', async () => {
    const { env } = service
    const path = written('A,B,Status,Day,Clock\n1,1001,Zork,11/02/2026,2:30 PM\n,total,Zork,11/02/2026,\n')
    const own = {
      version: 1,
      source: 'by hand',
      columns: { shipmentId: 'B', trackingNumber: 'A', trackingStatus: 'Status', trackingDate: 'Day' },
      statuses: {},
      date: { format: 'MM/DD/YYYY h:mm A', zone: 'America/New_York', timeColumn: 'Clock' },
      constants: { carrierName: 'DHL' },
      leaveOut: [{ column: 'B', pattern: '^total$' }],
      looseNames: true,
      commonWords: true,
      detect: false,
    }
    succeeded(await run`mappings init ${path} --map shipmentId=B`)
    const file = join(env.RMA_CONFIG_DIR, 'mappings', 'export.json')
    writeFileSync(file, JSON.stringify(own))
    const push = await run`tracking push -f ${path} -m export -n`
    const hint = `rma mappings init ${path} --name export --force --status`
    expectEnd(push, 2, [`${hint} TEXT=STATUS`])
    const init = typed`mappings init ${path} --name export --force --json`
    const statuses = { Zork: 'SHIPPING_FAILED' }
    expect(jsonOf(await run`${init} --status Zork=SHIPPING_FAILED`)).toMatchObject({
      ...own,
      statuses,
    })
    expect(jsonOf(await run`${init} ${ZONE} --map carrierName=A --date-format 'DD/MM/YYYY'`)).toMatchObject({
      columns: { shipmentId: 'B', carrierName: 'A' },
      constants: {},
      date: { format: 'DD/MM/YYYY', zone: 'Europe/Berlin' },
    })
  })

  it('two columns of one name are refused where they are read, and only there', async () => {
    const table = 'Tracking,Reference,Status,Note,Note\nA1,R#-LU105189,Delivered,x,y\n'
    succeeded(await run`mappings init ${written(table)}`)
    succeeded(await run`mappings check export ${written(table)}`)
    const doubled = written(table.replace('Note,Note', 'Note,Status'))
    expectEnd(await run`mappings check export ${doubled}`, 2, ['two columns are called "Status"'])
  })

  it('--set and --map of a push outweigh the mapping, in each form of a field’s name', async () => {
    const path = written('Reference,Status,Carrier,Other\nR#-LU105189,SHIPPING_FAILED,UPS,DPD\n')
    succeeded(await run`mappings init ${path} --map carrierName=Carrier`)
    for (const [flags, carrierName] of [
      [typed`--set carrier-name=DHL`, 'DHL'],
      [typed`--map carrier-name=Other`, 'DPD'],
    ]) {
      const { stdout } = succeeded(await run`tracking push -f ${path} -m export ${flags} -n -o ndjson`)
      expect(ndjson(stdout)).toMatchObject([{ body: { carrierName } }])
    }
  })

  it('a word added to a ready-made mapping keeps its carrier and the words that carriers share', async () => {
    const path = written('Referentie,Status,Datum tijd\nR#-LU105189,Foo bar,25-11-2026 10:00\n')
    const init = typed`mappings init ${path} --name postnl --force --status ${'Foo bar=SHIPPING_FAILED'}`
    expect(jsonOf(await run`${init} --json`)).toMatchObject({
      constants: { carrierName: 'PostNL' },
      commonWords: true,
    })
    const other = typed`mappings init ${path} --name dpd --status ${'Foo bar=SHIPPING_FAILED'}`
    expect(jsonOf(await run`${other} --map carrierName=Status --json`).constants).toEqual({})
  })

  it('a plan asks for agreement to words of a mapping as a push does', async () => {
    const path = written('Referentie,Status,Datum tijd\nR#-LU105189,Bezorgd,25-11-2026 10:00\n')
    const plan = typed`tracking plan -f ${path} -m postnl --out ${path}.plan`
    expectEnd(await run(plan), 2, [
      'has words that nobody has agreed to for postnl',
      '--yes agrees',
      `another meaning: rma mappings init ${path} --name postnl --force --status TEXT=STATUS`,
    ])
    expectEnd(await run`${plan} --yes`, 0, ['"Bezorgd" becomes SHIPPING_COMPLETED'])
  })

  it('a constant goes before the column of its field', async () => {
    const path = written('Tracking,Reference,Status\nA1,R#-LU105189,Whatever\n')
    const set = typed`--set trackingStatus=SHIPPING_FAILED`
    succeeded(await run`mappings init ${path} ${set}`)
    const rows = requestsOf(await run`mappings check export ${path} -o ndjson`)
    expect(rows).toMatchObject([{ trackingStatus: 'SHIPPING_FAILED' }])
  })

  it('a table without a header gets no mapping', async () => {
    ended(await run`mappings init ${written('a,b\n1,2')}`, 2)
    ended(await run`mappings init ${written('a,b')} --name ../x`, 2)
  })
})

it('push and plan use a mapping, the job keeps it, and list and show have it', async () => {
  const { run, taken, env, renew } = await expiredService()
  const path = written(await (EXPORTS['German, Windows-1252, titles and a total']?.() ?? ''))
  await run`mappings init ${path} --name dpd ${ZONE}`
  const file = join(env.RMA_CONFIG_DIR, 'mappings', 'dpd.json')
  const list: { name: string; path: string | null; source?: string }[] = jsonOf(
    await run`mappings list --json`,
  )
  const [own, ...readyMade] = list
  // One of its own goes before the ready-made one of its name.
  expect(own).toMatchObject({ name: 'dpd', path: file })
  expect(valuesOf(readyMade, 'name')).not.toContain('dpd')
  expect(readyMade.length).toBeGreaterThanOrEqual(10)
  for (const { path: kept, source } of readyMade) expect([kept, source]).toEqual([null, expect.any(String)])
  expect(jsonOf(await run`mappings show dpd --json`).columns).toEqual({
    shipmentId: 'Kundenreferenz',
    trackingNumber: 'Paketnummer',
    trackingStatus: 'Status',
    trackingDate: 'Datum',
  })
  const { $schema } = jsonFile(file)
  expect(jsonFile(join(file, '..', $schema)).properties).toHaveProperty('statuses')
  expectEnd(await run`mappings show dpt`, 5, ['dpd?'])
  const push = typed`tracking push --file ${path} -m dpd --set carrierName=DPD`
  ended(await run(push), 4)
  // Later changes of a mapping change no job.
  writeFileSync(file, textFile(file).replaceAll('SHIPPING_COMPLETED', 'REQUESTED'))
  renew()
  succeeded(await run`jobs resume --last`)
  expect(taken).toMatchObject([
    { ...FIRST, trackingNumber: '0998', carrierName: 'DPD', trackingDate: '2026-11-18T08:30:00Z' },
    { ...SECOND, trackingNumber: '0999', carrierName: 'DPD', trackingDate: '2026-11-19T16:05:00Z' },
  ])
  const plan = typed`tracking plan --file ${path} --mapping dpd --yes --out ${path}.plan --json`
  expect(jsonOf(await run(plan))).toMatchObject({ total: 2 })
})

/** Statuses as the carrier's documentation has them, and what they come to. */
const READY: Record<string, [carrierName: string, content: string, first?: string]> = {
  aftership: [
    'UPS',
    'Tracking number,Order number,Carrier,Status,Latest event,Last update\n1Z5R89390357567127,R#-1001,UPS,InTransit,Hub,2026-11-18 09:30\n2,R#-1002,DHL,Delivered,,2026-11-19 17:05',
  ],
  bring: [
    'Bring',
    'Shipment;Reference;Status;Date\n1;R#-1001;KLAR_FOR_HENTING;18.11.2026 09:30\n2;R#-1002;DELIVERED;19.11.2026 17:05',
  ],
  correos: [
    'Correos',
    'codEnvio;referencia;codEvento;desTextoResumen;fecEvento;horEvento\nPQ4E88;R#-1001;H020000V;En reparto;18/11/2026;09:30:00\nPQ4E89;R#-1002;I010000V;Entregado;19/11/2026;17:05:00',
  ],
  ctt: [
    'CTT',
    'Nº de objeto;Referência;Estado;Dia;Hora\nRB123456785PT;R#-1001;Em trânsito;18/11/2026;09:30\nRB123456785PT;R#-1002;Entregue;19/11/2026;17:05',
  ],
  dhl: [
    'DHL',
    'Sendungsnummer;Referenz;Status;Datum\n1;R#-1001;pre-transit;18.11.2026 09:30\n2;R#-1002;Zugestellt;19.11.2026 17:05',
    'REQUESTED',
  ],
  'dhl-express': [
    'DHL Express',
    'Waybill;Shipper reference;Checkpoint;Description;Date\n1;R#-1001;WC;x;18.11.2026 09:30\n2;R#-1002;OK;y;19.11.2026 17:05',
  ],
  dpd: [
    'DPD',
    'PARCELNO;SCAN_CODE;DEPOT_CODE;SCAN_DATE_TIME;INFO_TEXT;CREF1;CUSTOMER_REFERENCE;DELISUSR;\n05300000000000;02;0300;20261118093000;;R#-1001;a;user;\n05300000000001;13;0521;20261119170500;;R#-1002;b;user;',
  ],
  fedex: [
    'FedEx',
    'Tracking Number,Reference,Status,Last scan\n986578788855,R#-1001,OD,2026-11-18 09:30\n477179081230,R#-1002,DL,2026-11-19 17:05',
  ],
  gls: [
    'GLS',
    'Paketnummer;Kundenreferenz;Status;Datum\n1;R#-1001;OUTDEL;18.11.2026 09:30\n2;R#-1002;DELIVD;19.11.2026 17:05',
  ],
  'metapack-tracking': [
    'GLS',
    'ParcelStatusName,StatusText,CarrierConsignmentCode,CarrierCode,AchievedDateTime,OrderReference\nOut for delivery,,1,GLS,2026-11-18 09:30:00,R#-1001\nDelivered,,2,GLS,2026-11-19 17:05:00,R#-1002',
  ],
  mrw: [
    'MRW',
    'Albaran;Referencia;Estado;EstadoDescripcion;Fecha\n1;R#-1001;En reparto;;18/11/2026 09:30\n2;R#-1002;00;ENTREGADO;19/11/2026 17:05',
  ],
  'nshift-portal': [
    'PostNord',
    'Ordernumber;Shipment number;Carrier;Product;Status date;Status;\nR#-1001;1;PostNord;Parcel;2026-11-18 09:30;Transmitted\nR#-1002;2;PostNord;Parcel;2026-11-19 17:05;Delivered',
    'REQUESTED',
  ],
  'poste-italiane': [
    'Poste Italiane',
    'Codice;Riferimento cliente;Stato;Data ora\n1;R#-1001;La spedizione è in transito presso il Centro;18/11/2026 09:30\n2;R#-1002;La spedizione è stata consegnata;19/11/2026 17:05',
  ],
  postnl: [
    'PostNL',
    'Barcode;Referentie;Status;Datum\n3S1;R#-1001;J05;18-11-2026 09:30\n3S2;R#-1002;I01;19-11-2026 17:05',
  ],
  'royal-mail': [
    'Royal Mail',
    'Tracking number,Order reference,Status,Date\nRB123456785GB,R#-1001,EVGPD,2026-11-18 09:30\nRB123456785GB,R#-1002,EVKSP,2026-11-19 17:05',
  ],
  seur: [
    'SEUR',
    'Expedición;Referencia;Situación;Fecha\n1;R#-1001;LC003;18/11/2026 09:30\n2;R#-1002;LL001;19/11/2026 17:05',
  ],
  ups: [
    'UPS',
    'Tracking Number,Reference,Status,Date\n1Z5R89390357567127,R#-1001,I,2026-11-18 09:30\n1Z879E930346834440,R#-1002,D,2026-11-19 17:05',
  ],
  usps: [
    'USPS',
    'Tracking Number,Reference,Status,Date\n9400110801080548301600,R#-1001,Out for Delivery,2026-11-18 09:30\n9505511069605048600624,R#-1002,"Delivered, PO Box",2026-11-19 17:05',
  ],
}

it('there is a ready-made mapping for each tested carrier', async () => {
  const names = jsonOf(await run`mappings list --jq [.[].name]`)
  expect(names).toEqual(Object.keys(READY))
})

it.each(Object.entries(READY))(
  'the ready-made mapping %s reads the export of its carrier',
  async (name, [carrierName, content, first = 'SHIPPING_IN_PROGRESS']) => {
    const check = await run`mappings check ${name} ${written(content)} ${ZONE} -o ndjson`
    expect(requestsOf(check), check.stderr).toMatchObject([
      {
        shipmentId: 'R#-1001',
        carrierName,
        trackingStatus: first,
        trackingDate: '2026-11-18T08:30:00Z',
      },
      { shipmentId: 'R#-1002', trackingStatus: 'SHIPPING_COMPLETED', trackingDate: '2026-11-19T16:05:00Z' },
    ])
  },
)

it.each([
  ['ups', 'Reference,Status,Date\nR#-1,D,11/12/2026 09:30', 2, 'DD/MM/YYYY HH:mm or MM/DD/YYYY HH:mm'],
  [
    'correos',
    'referencia;codEvento;fecEvento;horEvento\nR#-1;I010000V;12/11/2026;09:30:00',
    0,
    'nothing was sent',
  ],
  ['ups', 'Reference,Status,Date\nR#-1,X,2026-11-18 09:30', 2, '"X": no such status in row 2'],
  ['ups', 'Reference,Status\nLU105189,D', 0, 'nothing was sent'],
  ['ups', 'Tracking Number,Status\n1Z5R89390357567127,D', 2, 'rma mirror sync'],
])('push with the mapping %s reads %j: exit %i, %s', async (name, content, code, said) => {
  expectEnd(await run`tracking push -f ${written(content)} -m ${name} -n`, code, [said])
})

it('a job keeps the columns that were detected in the file', async () => {
  const { run, taken, jobFolder, renew } = await expiredService()
  const path = written(READY.ups?.[1] ?? '')
  ended(await run`tracking push --file ${path} -m ups --yes`, 4)
  const { input } = jsonFile(join(jobFolder(), 'job.json'))
  expect(input.options.mapping).toMatchObject({ detect: false, columns: { shipmentId: 'Reference' } })
  renew()
  succeeded(await run`jobs resume --last`)
  expect(taken).toMatchObject([FIRST, SECOND])
})

it('orders are matched by tracking number, and are names of returns only on request', async () => {
  const path = written(
    'Order number;Tracking number;Status;Date\nPC104567;9202874121277703;Delivered;2026-11-18 09:30',
  )
  expectEnd(await run`tracking push -f ${path} -m usps -n --yes`, 2, ['rma mirror sync'])
  const init = typed`mappings init ${path} --json`
  const made = expectEnd(await run(init), 0, [
    "can't tell that each Order number is of one return",
    "--map 'shipmentId=Order number'",
  ])
  expect(jsonOf(made)).toMatchObject({ by: 'tracking-number' })
  succeeded(await run`${init} --force --map ${'shipmentId=Order number'}`)
  const push = succeeded(await run`tracking push -f ${path} -m export -n -o ndjson`)
  expect(ndjson(push.stdout)).toMatchObject([{ body: { shipmentId: 'R#-PC104567' } }])
})

it('rows without a date are counted if a mapping reads them', async () => {
  const path = written('Reference,Status,Date\nR#-1001,Delivered,2026-11-18\nR#-1002,Delivered,\n')
  succeeded(await run`mappings init ${path}`)
  expectEnd(await run`mappings check export ${path}`, 0, ['1 row has no date: sent as of now'])
})

it('the first push with a mapping shows its words and asks; later ones ask for new words alone', async () => {
  const { taken } = service
  const push = typed`tracking push -m ups -f`
  const row = (name: string, word: string) => `${name},${word},2026-11-18 09:30`
  const first = written(`Reference,Status,Date\n${row('R#-1001', 'I')}`)
  expectEnd(await run`${push} ${first}`, 2, [
    'words that nobody has agreed to for ups in the column Status; nothing was sent.',
    '"I" becomes SHIPPING_IN_PROGRESS in 1 row (UPS Tracking XML Developer Guide',
    '--yes agrees to them for this and later pushes',
  ])
  expect(taken).toEqual([])
  succeeded(await run`${push} ${first} --yes`)
  const second = written(`Reference,Status,Date\n${row('R#-1001', 'I')}\n${row('R#-1002', 'Delivered')}`)
  const { stderr } = expectEnd(await run`${push} ${second}`, 2, ['"Delivered" becomes SHIPPING_COMPLETED'])
  expect(stderr).not.toContain('"I"')
  expect(taken).toHaveLength(1)
  const doors = times(42, (door) => row(`R#-${door}`, `Delivered at door ${door}`))
  const third = written(`Reference,Status,Date\n${doors.join('\n')}`)
  const many = expectEnd(await run`${push} ${third}`, 2, [/ and 2 more words$/m]).stderr
  expect(many.match(/becomes SHIPPING_COMPLETED/g)).toHaveLength(40)
})

it('a word is shown and agreed to, however many words another status has', async () => {
  const words = [...times(1001, (hub) => `Accepted at hub ${hub}`), 'Delivered']
  const rows = words.map((word, at) => `R#-${at},${word},2026-11-18 09:30`)
  const path = written(['Reference,Status,Date', ...rows].join('\n'))
  const push = typed`tracking push -m ups -f ${path}`
  expectEnd(await run(push), 2, ['"Delivered" becomes SHIPPING_COMPLETED in 1 row'])
  expect(service.taken).toEqual([])
})

it('init finds a header of unknown words in UTF-16 with tabs, and says that day and hour are joined', async () => {
  const table =
    'Envíos de hoy\n\nKode\tZuhand\tTagx\tUhrx\nRB123456785GB\tDelivered\t18/11/2026\t09:30\nRB123456785GB\tZork\t19/11/2026\t17:05'
  const path = written(Buffer.from(`\ufeff${table}`, 'utf16le'))
  const init = typed`mappings init ${path} --name odd`
  const made = await run`${init} --map shipmentId=Kode --status Zork=SHIPPING_FAILED`
  expect(succeeded(made).stdout).toContain('DD/MM/YYYY HH:mm (UTC), Tagx and Uhrx joined')
  // The words of the mapping are known when it is made anew.
  const again = jsonOf(await run`mappings init ${path} --name odd --by tracking-number --force --json`)
  expect(again).toMatchObject({
    by: 'tracking-number',
    columns: { trackingNumber: 'Kode', trackingStatus: 'Zuhand', trackingDate: 'Tagx' },
    statuses: { Zork: 'SHIPPING_FAILED' },
  })
})

it('a time column is joined in any case, and a day alone is read in the mapping’s zone', async () => {
  const table = 'Reference,Status,Date,Time\nR#-1001,Delivered,2026-11-02,14:30\n'
  const init = await run`mappings init ${written(table)} --time-zone America/New_York`
  expect(succeeded(init).stdout).toContain('Date and Time joined')
  const other = written(`${table.replace('Time', ' TIME')}R#-1002,Delivered,2026-11-03,\n`)
  const check = succeeded(await run`mappings check export ${other} -o ndjson --time-zone UTC`)
  expect(requestsOf(check)).toMatchObject([
    { trackingDate: '2026-11-02T19:30:00Z' },
    { trackingDate: '2026-11-03T05:00:00Z' },
  ])
  expect(check.stderr).not.toContain('not sent: ')
})

it('signs in status words are kept apart', async () => {
  const words = ['1', '-1', '✓', '✗']
  const path = written(`Return;State\n${words.map((word, at) => `R#-${at};${word}`).join('\n')}\n`)
  const columns = typed`--map shipmentId=Return --map trackingStatus=State`
  const states = typed`--status 1=SHIPPING_COMPLETED --status ✓=SHIPPING_COMPLETED`
  expectEnd(await run`mappings init ${path} ${columns} ${states}`, 0, [/can't tell.*"-1"/, /can't tell.*"✗"/])
  const more = typed`--force --status -1=SHIPPING_FAILED --status ✗=SHIPPING_FAILED`
  succeeded(await run`mappings init ${path} ${columns} ${states} ${more}`)
  const rows = requestsOf(succeeded(await run`mappings check export ${path} -o ndjson`))
  expect(valuesOf(rows, 'trackingStatus')).toEqual([
    'SHIPPING_COMPLETED',
    'SHIPPING_FAILED',
    'SHIPPING_COMPLETED',
    'SHIPPING_FAILED',
  ])
})

it('a time in an unexpected form is never dropped', async () => {
  const table = 'Reference,Status,Date,Time\nR#-1001,Delivered,2026-11-02,'
  succeeded(await run`mappings init ${written(`${table}14:30\n`)} --time-zone UTC`)
  const check = async (time: string) => run`mappings check export ${written(`${table}${time}\n`)} -o ndjson`
  const [seconds] = requestsOf(succeeded(await check('18:30:15')))
  expect(seconds.trackingDate).toBe('2026-11-02T18:30:15Z')
  expectEnd(await check('18:30 CET'), 9, ['2026-11-02 18:30 CET'])
})

it('totals and rows without a return are left out and counted, and similar rows are read', async () => {
  const path = written(
    'Recipient,Reference,Status\nTotal Wine Shop,R#-1001,Delivered\nJo,R#-1002,Total loss\nAl,,Delivered\nTotal,3,\n',
  )
  succeeded(await run`mappings init ${path} --status 'Total loss=SHIPPING_FAILED'`)
  const check = succeeded(await run`mappings check export ${path} -o ndjson`)
  expect(requestsOf(check)).toMatchObject([{ shipmentId: 'R#-1001' }, { shipmentId: 'R#-1002' }])
  const push = succeeded(await run`tracking push -f ${path} -m export -n`)
  for (const { stderr } of [check, push])
    expect(stderr).toContain('Warning: The mapping leaves out 2 rows (first: row 4)')
})

it('a parcel at a point where somebody has to collect it is not a delivery, in any language', async () => {
  const words = [
    'Delivered to ParcelShop',
    'ENTREGADO EN PUNTO',
    'Zugestellt an Filiale',
    'Não entregue',
    'Afgeleverd op PostNL punt',
  ]
  const path = written(
    `Reference,Status,Date\n${words.map((word) => `R#-1,${word},2026-11-18 09:30`).join('\n')}`,
  )
  for (const word of words) {
    const { stderr } = await run`mappings check ups ${path}`
    expect(stderr).toContain(`"${word}": no such status`)
  }
})

const SPOILT =
  'Tracking Number,Reference,Status,Date\n1Z5R89390357567127,R#-1001,I,2026-11-18 09:30\n1Z879E930346834441,R#-1002,D,2026-11-19 17:05'
const WARNING = '1Z879E930346834441 is not a UPS number: its check digit is wrong'

it('a number with a wrong check digit is sent with a warning for its row', async () => {
  const { taken } = service
  const path = written(SPOILT)
  const push = await run`tracking push --file ${path} -m ups --yes`
  expectEnd(push, 0, [`row 3: ${WARNING}`])
  expect(push.stderr).not.toContain('row 2:')
  expect(taken).toHaveLength(2)
  const plan = await run`tracking plan -f ${path} -m ups --out ${path}.plan`
  expect(plan.stderr).toContain(`row 3: ${WARNING}`)
})

it('mappings check shows the warning of a wrong check digit in the row', async () => {
  const { stdout } = succeeded(await run`mappings check ups ${written(SPOILT)} -o ndjson`)
  expect(ndjson(stdout).map(({ row, warning }) => [row, warning])).toEqual([
    [2, undefined],
    [3, WARNING],
  ])
})

it('a wrong check digit is found without a mapping', async () => {
  const path = written(
    'shipmentId,trackingStatus,trackingNumber,carrierName\nR#-1,SHIPPING_COMPLETED,986578788850,FedEx\nR#-2,SHIPPING_COMPLETED,986578788850,DPD',
  )
  const { stderr } = await run`tracking push --file ${path} --dry-run`
  expect(stderr).toContain('row 2: 986578788850 is not a FedEx Express number')
  expect(stderr).not.toContain('row 3:')
})
