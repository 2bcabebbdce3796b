import { expect, it } from 'vitest'
import { ndjson, succeeded } from '../../helpers/command-line.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { pageOf, refusal } from '../../helpers/script-server.ts'
import { fileOf, trackingService } from '../../helpers/tracking-service.ts'
import '../../../src/commands/tracking/push.ts'
import { valuesOf } from '../../helpers/values-of.ts'

const platform = usePlatform({ returns: 500 })
const DATE = '2026-11-20T09:00:00Z'
const HEADER = 'shipmentId,trackingStatus,trackingDate,trackingNumber,trackingUrl,carrierName'

const FIRST = 'A,https://a.example/,SEUR'
it.each([
  ['number', 'B,https://a.example/,SEUR', { carrierReference: 'B' }],
  ['URL', 'A,https://b.example/,SEUR', { carrierTrackingUrl: 'https://b.example/' }],
  ['carrier', 'A,https://a.example/,MRW', { carrierCode: 'MRW' }],
])(
  'a correction of the %s whose answer is lost is sent again if it was not taken',
  async (_what, second, shown) => {
    for (const kind of ['reset', 'reset-after-commit'] as const) {
      const returns = await platform.returns('shop_code=LUMBRE-ES&status=PENDING')
      const record = returns.find(({ activeTransportation }) => activeTransportation?.status === 'REQUESTED')
      const scan = `${record?.name},SHIPPING_IN_PROGRESS,${DATE}`
      platform.sandbox.faults.add({ route: 'POST /shipping_trackings', kind, after: 1, count: 1 })
      const argv = [
        'tracking',
        'push',
        '--file',
        fileOf([HEADER, `${scan},${FIRST}`, `${scan},${second}`].join('\n')),
      ]
      const { stdout } = succeeded(await platform.run`${argv} --shop LUMBRE-ES -o ndjson`)
      platform.sandbox.faults.clear()
      expect(valuesOf(ndjson(stdout), 'status')).toEqual(['succeeded', 'succeeded'])
      expect(await platform.get(`/returns/${record?.id}`)).toMatchObject({ activeTransportation: shown })
    }
  },
)

/** A platform that shows one return, without its events unless there are some. */
const showing =
  (transport: object, trackingEvents?: object[]) =>
  ({ path }: { path: string }) => {
    const shown = { id: 't-1', ...transport }
    const record = { id: 'r-1', name: 'R#-1', shopCode: 'S', activeTransportation: shown }
    if (path === '/returns') return { body: pageOf([record]) }
    return trackingEvents
      ? { body: { transportations: [{ ...shown, trackingEvents }] } }
      : refusal('NF01', 'no', 404)
  }

const shipping = {
  status: 'SHIPPING_IN_PROGRESS',
  carrierReference: 'A',
  carrierTrackingUrl: 'https://a.example/',
  carrierCode: 'SEUR',
}
const event = { status: 'SHIPPING_IN_PROGRESS', date: DATE, applied: true }
const row = (fields: string, status = 'SHIPPING_IN_PROGRESS', date = DATE) =>
  `R#-1,${status},${date},${fields}`

it.each<[string, string, Parameters<typeof showing>, string]>([
  ['shows all of it', row(FIRST), [shipping], 'succeeded'],
  ['shows another number', row('B,https://a.example/,SEUR'), [shipping], 'unknown'],
  ['shows another URL', row('A,https://b.example/,SEUR'), [shipping], 'unknown'],
  ['shows another carrier', row('A,https://a.example/,MRW'), [shipping], 'unknown'],
  ['may show the next transport', row(',,', 'SHIPPING_FAILED'), [{ status: 'REQUESTED' }], 'unknown'],
  ['shows its event and all else', row(FIRST), [shipping, [event]], 'succeeded'],
  ['shows its event and another number', row('B,,'), [shipping, [event]], 'unknown'],
  ['shows its event and another carrier', row('A,,MRW'), [shipping, [event]], 'unknown'],
  ['may have filled in its number', row(',,'), [shipping, [{ ...event, trackingNumber: 'A' }]], 'unknown'],
  [
    'may write its carrier otherwise',
    row('A,,Seur'),
    [shipping, [{ ...event, carrierName: 'SEUR' }]],
    'unknown',
  ],
  [
    'may have cut its date short',
    row('A,,', undefined, '2026-11-20T09:00:00.5Z'),
    [shipping, [event]],
    'unknown',
  ],
  [
    'shows its event as of another zone',
    row('A,,', undefined, '2026-11-20T10:00:00+01:00'),
    [shipping, [event]],
    'succeeded',
  ],
])('an update whose answer is lost, on a platform that %s', async (_what, line, shown, status) => {
  const service = await trackingService({
    onUpdate: () => ({ fault: 'reset' }),
    onLook: showing(...shown),
  })
  const { stdout } = await service.run`tracking push --file ${fileOf(`${HEADER}\n${line}`)} -o ndjson`
  expect([valuesOf(ndjson(stdout), 'status'), service.updates.length]).toEqual([[status], 1])
})
