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
