import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

export const mappedRowSchema = lazySchema(async (z, { count, text }) => {
  const { trackingRequestSchema } = await import('../../wire/tracking.ts')
  return z.object({
    row: count,
    request: trackingRequestSchema.partial().optional().describe('Absent for a row that can not be sent'),
    problem: text.optional(),
    warning: text.optional(),
  })
})

export const mappedRowView: View<RecordOf<typeof mappedRowSchema>> = {
  columns: [
    'row',
    { name: 'shipment', path: 'request.shipmentId', identifies: true },
    {
      name: 'status',
      path: 'request.trackingStatus',
      words: 'transportStatus',
    },
    { name: 'number', path: 'request.trackingNumber', identifies: true },
    { name: 'date', path: 'request.trackingDate', kind: 'date' },
    { name: 'problem', value: (r) => r.problem ?? r.warning, flexible: true },
  ],
  schema: mappedRowSchema,
  empty: 'No rows',
}
