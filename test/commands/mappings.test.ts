import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import writeXlsxFile from 'write-excel-file/node'
import { ndjson, refusal, reportService } from '../helpers/report-service.ts'

const ZONE = ['--time-zone', 'Europe/Berlin']

/** What two rows of every export below say. */
const FIRST = { shipmentId: 'R#-1001', trackingStatus: 'SHIPPING_IN_PROGRESS' }
const SECOND = { shipmentId: 'R#-1002', trackingStatus: 'SHIPPING_COMPLETED' }

const workbook = async (rows: string[][], titles?: string[][]) => {
  const cells = (table: string[][]) => table.map((row) => row.map((value) => ({ value, type: String })))
  const sheets = titles
    ? await writeXlsxFile([
        { data: cells(titles), sheet: 'Summary' },
        { data: cells(rows), sheet: 'Parcels' },
      ])
    : await writeXlsxFile(cells(rows))
  return sheets.toBuffer()
}

/** As carriers write them: title rows, merged cells, local dates, other delimiters and encodings, totals. */
const EXPORTS: Record<string, () => string | Uint8Array | Promise<Uint8Array>> = {
  'plain English': () =>
    'Tracking number,Reference,Status,Date\n01,R#-1001,In Transit,2026-11-18 09:30\n02,R#-1002,Delivered,2026-11-19 17:05',
  'German, Windows-1252, titles and a total': () =>
    Buffer.from(
      [
        'Sendungsübersicht;;;',
        'Zeitraum: 01.11.2026 - 20.11.2026;;;',
        '',
        'Paketnummer;Kundenreferenz;Status;Datum',
        '0998;R#-1001;In Zustellung;18.11.2026 09:30',
        '0999;R#-1002;Zugestellt;19.11.2026 17:05',
        'Gesamt;2;;',
      ].join('\r\n'),
      'latin1',
    ),
  'French, date and time apart': () =>
    'Numéro de suivi;Référence;Statut;Date;Heure\n8L1;R#-1001;En cours de livraison;18/11/2026;09:30\n8L2;R#-1002;Livré;19/11/2026;17:05',
  'Spanish, titles of one cell': () =>
    'Informe de envíos\nCliente: Lumbre, S.L.\n\nNº de envío;Referencia;Estado;Fecha\n77;R#-1001;En reparto;18/11/2026 09:30\n78;R#-1002;Entregado;19/11/2026 17:05\n',
  'Italian, tabs': () =>
    'Numero spedizione\tRiferimento mittente\tStato\tData ora\n5\tR#-1001\tIn consegna\t18/11/2026 09:30\n6\tR#-1002\tConsegnata\t19/11/2026 17:05',
  'Dutch, years of two digits': () =>
    'Pakketnummer;Referentie;Status;Datum\n3S1;R#-1001;Onderweg;18-11-2026 09:30\n3S2;R#-1002;Bezorgd;19-11-2026 17:05',
  'American, a clock of twelve hours': () =>
    'Tracking No,Order Number,Delivery Status,Last Scan Date\n1Z1,R#-1001,Out for Delivery,11/18/2026 9:30 AM\n1Z2,R#-1002,Delivered,11/19/2026 5:05 PM',
  'a UTF-16 export with tabs': () =>
    Buffer.from(
      '\ufeffParcel No\tReference\tStatus\tDate\n1\tR#-1001\tInTransit\t2026-11-18 09:30\n2\tR#-1002\tDELIVERED\t2026-11-19 17:05',
      'utf16le',
    ),
  'the return in a column of no known name': () =>
    'Barcode,Remark,Status,Event date\n1,R#-1001,Departed facility,20261118 09:30\n2,R#-1002,Delivered,20261119 17:05',
  'the status in a column of no known name': () =>
    'Barcode,Reference,Where,Date\n1,R#-1001,Arrived at hub,18.11.2026 09:30\n2,R#-1002,Delivered,19.11.2026 17:05',
  'names without R#-': () =>
    'AWB,Shipper reference,Status,Date time\n1,1001,In transit,2026-11-18 09:30\n2,1002,Delivered,2026-11-19 17:05',
  'a workbook with titles in merged cells': () =>
    workbook([
      ['Shipment report', '', '', ''],
      ['', '', '', ''],
      ['Parcel number', 'Reference', 'Status', 'Date'],
      ['1', 'R#-1001', 'In transit', '18.11.2026 09:30'],
      ['2', 'R#-1002', 'Delivered', '19.11.2026 17:05'],
      ['Total', '2', '', ''],
    ]),
  'a workbook with its rows on the second sheet': () =>
    workbook(
      [
        ['Parcel number', 'Reference', 'Status', 'Date'],
        ['1', 'R#-1001', 'In transit', '18.11.2026 09:30'],
        ['2', 'R#-1002', 'Delivered', '19.11.2026 17:05'],
      ],
      [
        ['Status', 'Parcels'],
        ['Delivered', '1'],
      ],
    ),
  'rows without a reference, and a remark at the end': () =>
    'Parcel ID;Your ref;Reference;Status;Timestamp\n1;a;R#-1001;Accepted;18.11.2026 09:30\n9;b;;Delivered;18.11.2026 10:00\n2;c;R#-1002;Delivered;19.11.2026 17:05\nEnd of report;;;;',
}

async function written(content: string | Uint8Array): Promise<string> {
  const path = join(mkdtempSync(join(tmpdir(), 'rma-export-')), 'export.csv')
  writeFileSync(path, content)
  return path
}

describe('init', () => {
  it.each(Object.entries(EXPORTS))('%s: right without a question', async (_name, content) => {
    const { run } = await reportService()
    const path = await written(await content())
    const made = await run(['mappings', 'init', path, ...ZONE])
    expect([made.code, made.stderr]).toEqual([0, expect.not.stringContaining("can't tell")])
    const { code, stdout, stderr } = await run(['mappings', 'check', 'export', path, '-o', 'ndjson'])
    expect([code, stderr]).toEqual([0, expect.any(String)])
    const rows = ndjson<{ request: Record<string, string> }>(stdout).map(({ request }) => request)
    expect(rows).toMatchObject([
      { ...FIRST, trackingDate: '2026-11-18T08:30:00Z' },
      { ...SECOND, trackingDate: '2026-11-19T16:05:00Z' },
    ])
  })

  it('what can not be told is said, with the flag that tells it', async () => {
    const { run } = await reportService()
    const path = await written(
      'Barcode,Reference,Status,Date\n1,R#-1001,Exception,03/04/2026\n2,R#-1002,Delivered,04/04/2026',
    )
    const { code, stderr } = await run(['mappings', 'init', path])
    expect(code).toBe(0)
    expect(stderr).toContain(`can't tell the status "Exception": --status 'Exception=STATUS'`)
    expect(stderr).toContain(
      "can't tell whether dates are DD/MM/YYYY or MM/DD/YYYY: --date-format 'MM/DD/YYYY'",
    )
    const bad = await run(['mappings', 'check', 'export', path])
    expect([bad.code, bad.stderr]).toEqual([
      9,
      expect.stringContaining('"Exception": no such status in row 2'),
    ])
    const told = [
      '--status',
      'Exception=SHIPPING_FAILED',
      '--date-format',
      'MM/DD/YYYY',
      '--set',
      'carrierName=DHL',
    ]
    expect((await run(['mappings', 'init', path, ...told])).code).toBe(2)
    const again = await run(['mappings', 'init', path, ...told, '--force'])
    expect([again.code, again.stderr]).toEqual([0, expect.not.stringContaining("can't tell")])
    const { stdout } = await run(['mappings', 'check', 'export', path, '-o', 'ndjson'])
    expect(ndjson(stdout)[0]).toMatchObject({
      request: {
        trackingStatus: 'SHIPPING_FAILED',
        carrierName: 'DHL',
        trackingDate: '2026-03-04T00:00:00Z',
      },
    })
  })

  it('no header, no mapping', async () => {
    const { run } = await reportService()
    expect(await run(['mappings', 'init', await written('a,b\n1,2')])).toMatchObject({ code: 2 })
    expect(await run(['mappings', 'init', await written('a,b'), '--name', '../x'])).toMatchObject({ code: 2 })
  })
})

it('push and plan read by it; the job keeps it; list and show have it', async () => {
  let isValid = false
  const { run, taken, env } = await reportService({
    onReport: () => (isValid ? undefined : { answer: refusal('AU03', 'expired', 401) }),
  })
  const path = await written(await (EXPORTS['German, Windows-1252, titles and a total']?.() ?? ''))
  await run(['mappings', 'init', path, '--name', 'dpd', ...ZONE])
  const file = join(env.RMA_CONFIG_DIR ?? '', 'mappings', 'dpd.json')
  expect(JSON.parse((await run(['mappings', 'list', '--json'])).stdout)).toMatchObject([
    { name: 'dpd', path: file },
  ])
  expect(JSON.parse((await run(['mappings', 'show', 'dpd', '--json'])).stdout).columns).toEqual({
    shipmentId: 'Kundenreferenz',
    trackingNumber: 'Paketnummer',
    trackingStatus: 'Status',
    trackingDate: 'Datum',
  })
  const { $schema } = JSON.parse(readFileSync(file, 'utf8'))
  expect(JSON.parse(readFileSync(join(file, '..', $schema), 'utf8')).properties).toHaveProperty('statuses')
  expect(await run(['mappings', 'show', 'dpt'])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('dpd?'),
  })
  const push = ['tracking', 'push', '--file', path, '--mapping', 'dpd', '--set', 'carrierName=DPD']
  expect((await run(push)).code).toBe(4)
  // What is changed later changes no job.
  writeFileSync(file, readFileSync(file, 'utf8').replaceAll('SHIPPING_COMPLETED', 'REQUESTED'))
  isValid = true
  expect((await run(['jobs', 'resume', '--last'])).code).toBe(0)
  expect(taken).toMatchObject([
    { ...FIRST, trackingNumber: '0998', carrierName: 'DPD', trackingDate: '2026-11-18T08:30:00Z' },
    { ...SECOND, trackingNumber: '0999', carrierName: 'DPD', trackingDate: '2026-11-19T16:05:00Z' },
  ])
  const plan = ['tracking', 'plan', '--file', path, '--mapping', 'dpd', '--out', `${path}.plan`, '--json']
  expect(JSON.parse((await run(plan)).stdout)).toMatchObject({ total: 2 })
})
