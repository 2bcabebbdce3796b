import { describe, expect, it } from 'vitest'
import { detectMapping } from '../../../src/lib/mappings/detect.ts'

it('offers every named column that no other field has as the column of a missing field', () => {
  const rows = [
    ['Status', '', 'Carrier', 'Depot', 'Weight'],
    ['Delivered', 'x', 'DHL', 'Madrid', '3'],
  ]
  const { open } = detectMapping(rows, { zone: 'UTC' }) ?? {}
  expect(open).toMatchObject([{ kind: 'column', of: 'shipmentId', choices: ['Depot', 'Weight'] }])
})

describe('totals', () => {
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
})

describe('dates whose day may be the month', () => {
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
    ['01/11/2026 3:05 PM', 'whether dates are DD/MM/YYYY h:mm A or MM/DD/YYYY h:mm A'],
  ])('an ambiguous date is asked about: %s', (date, what) => {
    expect(detect(date)?.open).toMatchObject([{ kind: 'date', what }])
  })

  it.each([
    ['11-02-2026 09:00', 'MDY', 'MM-DD-YYYY HH:mm'],
    ['11-02-2026 09:00', 'DMY', 'DD-MM-YYYY HH:mm'],
    ['11.02.2026', 'MDY', 'MM.DD.YYYY'],
    ['01/11/2026 3:05 PM', 'DMY', 'DD/MM/YYYY h:mm A'],
    ['11-18-2026', 'DMY', 'MM-DD-YYYY'],
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
})
