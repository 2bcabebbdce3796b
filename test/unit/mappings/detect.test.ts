import { expect, it } from 'vitest'
import { detectMapping } from '../../../src/lib/mappings/detect.ts'

it('offers every named column that no other field has as the column of a missing field', () => {
  const rows = [
    ['Status', '', 'Carrier', 'Depot', 'Weight'],
    ['Delivered', 'x', 'DHL', 'Madrid', '3'],
  ]
  const { open } = detectMapping(rows, { zone: 'UTC' }) ?? {}
  expect(open).toMatchObject([{ kind: 'column', of: 'shipmentId', choices: ['Depot', 'Weight'] }])
})

const detected = (header: string[], ...rows: string[][]) => {
  const { mapping, open = [] } = detectMapping([header, ...rows], { zone: 'UTC' }) ?? {}
  return { ...mapping, open: open.map(({ of, what }) => of || what) }
}

it('an order is not taken for a return if the tracking number finds it', () => {
  const header = ['Order number', 'Tracking number', 'Status']
  const { columns, by, open } = detected(header, ['PC104567', '9202874121277703', 'Delivered'])
  expect([columns, by, open]).toEqual([
    { trackingNumber: 'Tracking number', trackingStatus: 'Status' },
    'tracking-number',
    ['shipmentId'],
  ])
})

it.each(['Order number', 'Auftragsnummer', 'Pedido', 'Shop order', 'Bestellung'])(
  'the column %s alone is asked about',
  (title) => {
    const { columns, open } = detected([title, 'Status', 'Carrier'], ['PC104567', 'Delivered', 'DHL'])
    expect([columns?.shipmentId, open]).toEqual([undefined, ['shipmentId']])
  },
)

it('a name without R#- under an unknown title is asked about', () => {
  const { columns, open } = detected(['Sales doc', 'Status', 'Carrier'], ['PC1001', 'Delivered', 'DHL'])
  expect([columns?.shipmentId, open]).toEqual([undefined, ['shipmentId']])
})

it('names of returns are taken from a column of orders, and a reference goes before it', () => {
  expect(detected(['Order no', 'Status'], ['R#-1001', 'Delivered']).columns).toMatchObject({
    shipmentId: 'Order no',
  })
  const both = detected(['Pedido', 'Referencia', 'Estado'], ['PC1001', 'PC1001', 'Entregado'])
  expect([both.columns, both.looseNames]).toMatchObject([{ shipmentId: 'Referencia' }, true])
  const named = detected(['Return', 'Reference', 'Status'], ['LU1001', 'LU1002', 'Delivered'])
  expect(named.columns?.shipmentId).toBe('Return')
  const flag = detected(['Reference', 'Status', 'Return'], ['LU1002', 'Delivered', 'Yes'])
  expect(flag.columns?.shipmentId).toBe('Reference')
})

it.each(['H086649218993546', 'JD0002240123456789', 'JJD000390007882138124', 'TBA123456789012'])(
  'the tracking number %s is not taken for a return under any title',
  (number) => {
    for (const title of ['Tracking number', 'Label'])
      expect(detected([title, 'Status', 'Carrier'], [number, 'Delivered', 'Evri']).columns).toEqual({
        trackingNumber: title,
        trackingStatus: 'Status',
        carrierName: 'Carrier',
      })
  },
)

it('a code of one letter is a status only under a title of statuses', () => {
  const statusIn = (...header: string[]) => {
    const rows = [
      ['Reference', 'Carrier', ...header],
      ['R#-1001', 'UPS', 'D', 'In Transit'],
    ]
    return detectMapping(rows, { zone: 'UTC', statuses: { D: 'SHIPPING_COMPLETED' } })?.mapping.columns
  }
  expect(statusIn('Direction', 'Latest State')?.trackingStatus).toBe('Latest State')
  expect(statusIn('State', 'Where')?.trackingStatus).toBe('Where')
  expect(statusIn('Status code', 'Note')?.trackingStatus).toBe('Status code')
})

it('the status of a payment or an order is not taken for that of the parcel', () => {
  const header = ['Reference', 'Carrier', 'Payment status', 'Order Status', 'Latest status text']
  const { columns } = detected(header, ['R#-1001', 'UPS', 'Completed', 'Shipped', 'In transit'])
  expect(columns?.trackingStatus).toBe('Latest status text')
  const { open } = detected(header.slice(0, 4), ['R#-1001', 'UPS', 'Completed', 'Shipped'])
  expect(open).toEqual(['trackingStatus'])
})

it.each([
  ['Last scan', '2026-11-24T10:00:00+01:00'],
  ['Letzter Scan', '24.11.2026 10:00'],
  ['Zeitstempel', '2026-11-24 10:00:00.000'],
  ['Timestamp (UTC)', '2026-11-24T10:00:00Z'],
  ['Fecha último estado', '24/11/2026 10:00'],
  ['Zustelldatum', '24.11.26'],
  ['Delivery Date', 'Nov 24, 2026'],
])('the only column of dates is the day of the status: %s, %s', (title, date) => {
  const { columns, open } = detected(['Reference', 'Status', title], ['R#-1', 'Delivered', date])
  expect([columns?.trackingDate, open]).toEqual([title, []])
})

it.each([
  ['Last scan', '2026-11-24 10:00 CET'],
  ['Last scan', '46350.4166667'],
  ['Date dernier statut', '27 nov. 2026 à 14:05'],
  ...[
    'Ship date',
    'Payment date',
    'Scheduled Delivery',
    'Estimated arrival',
    'Versanddatum',
    'Zustellung geplant',
  ].map((title) => [title, '24.11.2026']),
])('a column of dates that can not be read or is of another day is asked about: %s, %s', (title, date) => {
  const { columns, open, detect } = detected(
    ['Reference', 'Status', title ?? ''],
    ['R#-1', 'Delivered', date ?? ''],
  )
  expect([columns?.trackingDate, open, detect]).toEqual([undefined, ['trackingDate'], true])
})

it('a column of dates with a gap is asked about', () => {
  const rows = ['24.11.2026 10:00', 'n/a'].map((date) => ['R#-1', 'Delivered', date])
  const { columns, open } = detected(['Reference', 'Status', 'Last scan'], ...rows)
  expect([columns?.trackingDate, open]).toEqual([undefined, ['trackingDate']])
})

it.each(['06 12 34 56 78', '2026-000123', '20260', 'DHL 24', '12 Main Street', '45000.00'])(
  '%s is no date',
  (text) => {
    const { columns, open } = detected(['Reference', 'Status', 'Note'], ['R#-1', 'Delivered', text])
    expect([columns?.trackingDate, open]).toEqual([undefined, []])
  },
)

it.each([
  ['11/24/2026', '10:15 PM', 'MM/DD/YYYY h:mm A'],
  ['2026-11-24', '9:15:00', 'YYYY-MM-DD H:mm:ss'],
])('a time beside the day is joined: %s, %s', (day, time, format) => {
  const { date } = detected(['Ref', 'Status', 'Status Date', 'Status Time'], ['R#-1', 'Delivered', day, time])
  expect(date).toEqual({ format, zone: 'UTC', timeColumn: 'Status Time' })
})

it('a time is not joined to a day that no column was found to have', () => {
  const rows = ['24.11.2026 10:00', '24.11.2026'].map((time) => ['R#-1', 'Delivered', time])
  const answers = { zone: 'UTC', dateFormat: 'DD.MM.YYYY' }
  const { mapping } = detectMapping([['Reference', 'Status', 'Time'], ...rows], answers) ?? {}
  expect(mapping).toMatchObject({ columns: { shipmentId: 'Reference' }, date: { zone: 'UTC' } })
  expect(mapping?.date?.timeColumn).toBeUndefined()
})

const HEADER = ['Recipient', 'Reference', 'Status']

it('totals are rows without a status, not names or remarks that begin with such a word', () => {
  const rows = [HEADER, ['Total Wine Shop', 'R#-1', 'Total loss'], ['Jo', 'R#-2', 'Delivered']]
  const { open, mapping } = detectMapping(rows, { zone: 'UTC' }) ?? {}
  expect(mapping?.leaveOut).toEqual([{ column: 'Reference', pattern: '^$' }])
  expect(open).toMatchObject([{ kind: 'status', of: 'Total loss' }])
})

it('totals are left out by the word and the missing status', () => {
  const rows = [HEADER, ['Jo', 'R#-2', 'Delivered'], ['Total', '1', ''], ['', '', 'Total: 1']]
  const { open, mapping } = detectMapping(rows, { zone: 'UTC' }) ?? {}
  expect(mapping?.leaveOut).toMatchObject([{ column: 'Recipient', blank: 'Status' }, { pattern: '^$' }])
  expect(open).toEqual([])
})

const detect = (date: string, dates?: 'DMY' | 'MDY') =>
  detectMapping(
    [
      ['Reference', 'Status', 'Date'],
      ['R#-1001', 'Delivered', date],
    ],
    { zone: 'UTC', dates },
  )

it.each([
  ['11-02-2026 09:00', 'whether dates are DD-MM-YYYY HH:mm or MM-DD-YYYY HH:mm'],
  ['1-2-2026', 'whether dates are D-M-YYYY or M-D-YYYY'],
  ['26/11/25', 'whether dates are DD/MM/YY or YY/MM/DD'],
  ['01/11/2026 3:05 PM', 'whether dates are DD/MM/YYYY h:mm A or MM/DD/YYYY h:mm A'],
])('an ambiguous date is asked about: %s', (date, what) => {
  const { open, mapping } = detect(date) ?? {}
  expect(open).toMatchObject([{ kind: 'date', what }])
  expect(mapping).toMatchObject({ columns: { trackingDate: 'Date' }, date: { zone: 'UTC' } })
  expect(mapping?.date?.format).toBeUndefined()
})

it.each([
  ['11-02-2026 09:00', 'MDY', 'MM-DD-YYYY HH:mm'],
  ['11-02-2026 09:00', 'DMY', 'DD-MM-YYYY HH:mm'],
  ['11.02.2026', 'MDY', 'MM.DD.YYYY'],
  ['01/11/2026 3:05 PM', 'DMY', 'DD/MM/YYYY h:mm A'],
  ['11-18-2026', 'DMY', 'MM-DD-YYYY'],
  ['26/11/25', 'DMY', 'DD/MM/YY'],
] as const)('an ambiguous date is read in the given order if possible: %s as %s', (date, order, format) => {
  const { open, mapping } = detect(date, order) ?? {}
  expect(open).toEqual([])
  expect(mapping?.date).toEqual({ format, zone: 'UTC' })
})

it('dates with dots have the day first', () => {
  const { open, mapping } = detect('11.02.2026') ?? {}
  expect(open).toEqual([])
  expect(mapping?.date?.format).toBe('DD.MM.YYYY')
})
