import { expect, it } from 'vitest'
import {
  checkUpdate,
  type UpdateFields,
  updateFromFlags,
} from '../../../../src/lib/services/tracking/update.ts'

const OPTIONS = {
  now: Date.parse('2026-11-20T12:00:00.700Z'),
  zone: 'Europe/Madrid',
  allowsUnknownStatus: false,
  allowsFuture: false,
}
const FIELDS = { shipmentId: 'R#-1001', trackingStatus: 'REQUESTED' }
const check = (fields: UpdateFields, options = {}) =>
  checkUpdate({ ...FIELDS, ...fields }, { ...OPTIONS, ...options })

it('a tracking update has the fields of the row, and no others', () => {
  expect(check({ carrierName: ' DHL ', trackingNumber: '  ', trackingUrl: 'HTTPS://dhl.example/1' })).toEqual(
    {
      update: {
        shipmentId: 'R#-1001',
        shipmentIdType: 'RETURN_NAME',
        trackingStatus: 'REQUESTED',
        trackingDate: '2026-11-20T12:00:00Z',
        carrierName: 'DHL',
        trackingUrl: 'HTTPS://dhl.example/1',
      },
      timing: 'undated',
      problems: [],
    },
  )
})

it.each([
  ['SHIPPING_IN_PROGRESS', 'SHIPPING_IN_PROGRESS'],
  ['shipping in progress', 'SHIPPING_IN_PROGRESS'],
  ['Pick-Up Failed', 'PICK_UP_FAILED'],
])('a tracking update knows the status %s', (text, status) =>
  expect(check({ trackingStatus: text }).update.trackingStatus).toBe(status),
)

it('an unknown status is sent unchanged, and only if allowed', () => {
  expect(check({ trackingStatus: 'at Customs' }).problems).toMatchObject([{ field: 'trackingStatus' }])
  const { update, problems } = check({ trackingStatus: 'at Customs' }, { allowsUnknownStatus: true })
  expect([update.trackingStatus, problems]).toEqual(['at Customs', []])
})

it.each([
  ['2026-11-19T08:00:00Z', '2026-11-19T08:00:00Z'],
  ['2026-11-19T08:00:00.999Z', '2026-11-19T08:00:00.999Z'],
  ['2026-11-19T08:00:00.000Z', '2026-11-19T08:00:00Z'],
  // Dates and times of a workbook come like this.
  ['2026-11-19T08:00:00.29', '2026-11-19T07:00:00.290Z'],
  ['2026-11-19 08:00:00+05:30', '2026-11-19T02:30:00Z'],
  ['2026-11-19 08:00', '2026-11-19T07:00:00Z'],
  ['2026-11-19', '2026-11-18T23:00:00Z'],
  ['2026-07-01', '2026-06-30T22:00:00Z'],
  // The hour that the clocks show twice.
  ['2026-10-25 02:30', '2026-10-25T00:30:00Z'],
])('a tracking update reads the date %s', (text, date) =>
  expect(check({ trackingDate: text }).update.trackingDate).toBe(date),
)

it.each([
  [{ shipmentId: undefined }, 'is missing', /R#-1001/],
  [{ shipmentId: '1001' }, 'is not the name of a return', /^R#-1001\? --names loose takes it so$/],
  [{ shipmentId: 'R# 1001' }, 'is not the name of a return', /names look like/],
  [{ trackingStatus: ' ' }, 'is missing', /REQUESTED/],
  [{ trackingUrl: 'dhl.example/1' }, 'is not a web address', /https/],
  [{ trackingUrl: 'javascript:alert(1)' }, 'is not a web address', /https/],
  [
    { shipmentIdType: 'CLIENT_REFERENCE' },
    'tracking updates name shipments by return name only',
    /RETURN_NAME/,
  ],
  [{ trackingDate: '19/11/2026' }, 'may be 2026-11-19', /--dates DMY$/],
  [{ trackingDate: '01/11/2026' }, 'may be 2026-11-01 or 2026-01-11', /--dates DMY or --dates MDY/],
  [{ trackingDate: '01/11/26' }, 'may be 2026-11-01 or 2026-01-11', /--dates DMY or --dates MDY/],
  [{ trackingDate: '2026-02-30' }, 'is not a date and time', /2026-03-01/],
  [{ trackingDate: '2h' }, 'is not a date and time', /2026-03-01/],
])('%j can not be sent as a tracking update', (fields, message, hint) => {
  const [field] = Object.keys(fields)
  expect(check(fields).problems).toEqual([
    { field, value: Object.values(fields)[0] ?? '', message, hint: expect.stringMatching(hint) },
  ])
})

it.each([
  ['SHIPED', null],
  ['SHIPPING_IN_PROGRES', 'SHIPPING_IN_PROGRESS'],
  ['DELIVERED', 'SHIPPING_COMPLETED'],
  ['InTransit', 'SHIPPING_IN_PROGRESS'],
  ['Zustellung fehlgeschlagen', null],
  ['Zurück an Absender', 'SHIPPING_FAILED'],
  ['En cours de livraison', 'SHIPPING_IN_PROGRESS'],
  ['Entregado', 'SHIPPING_COMPLETED'],
  ['Ritiro annullato', 'PICK_UP_CANCELLED'],
  ['Label aangemaakt', 'REQUESTED'],
  ['Not delivered', null],
])('the nearest status to %s is %s', (trackingStatus, nearest) => {
  expect(check({ trackingStatus }).problems).toEqual([
    expect.objectContaining({
      message: 'no such status',
      nearest,
      hint: expect.stringContaining('allow-unknown'),
    }),
  ])
})

it.each([
  ['SHIPPNG', /^did you mean SHIPPING_IN_PROGRESS or SHIPPING_COMPLETED or .*_FAILED or .*_CANCELLED\?;/],
  ['PICKUP', /^did you mean PICK_UP_IN_PROGRESS or [A-Z_ or]*PICK_UP_CANCELLED\?;/],
  ['SHIPPING_IN_PROGRES', /^did you mean SHIPPING_IN_PROGRESS\?;/],
  ['zork', /^one of REQUESTED, /],
])('the hint at %s names what may be meant', (trackingStatus, hint) => {
  expect(check({ trackingStatus }).problems).toEqual([
    expect.objectContaining({ hint: expect.stringMatching(hint) }),
  ])
})

it('the shop is that of the row, else that of the command', () => {
  expect(check({}, { shop: 'A' }).update.shopCode).toBe('A')
  expect(check({ shopCode: 'B' }, { shop: 'A' }).update.shopCode).toBe('B')
  expect(check({}).update.shopCode).toBeUndefined()
})

it.each([
  ['2h', '2026-11-20T10:00:00Z'],
  ['yesterday', '2026-11-18T23:00:00Z'],
])('the date %s of a flag is relative to now, in the zone', (trackingDate, date) => {
  expect(updateFromFlags({ ...FIELDS, trackingDate }, OPTIONS).update.trackingDate).toBe(date)
})

it('all mistakes in flags are named at once', () => {
  const fields = { shipmentId: '1001', trackingStatus: 'x', trackingUrl: 'y' }
  expect(() => updateFromFlags(fields, OPTIONS)).toThrow(
    expect.objectContaining({
      kind: 'usage',
      details: ['SHIPMENT', '--status', '--url'].map((path) => expect.objectContaining({ path })),
    }),
  )
})
