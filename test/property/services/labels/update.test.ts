import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SentLabel } from '../../../../src/lib/labels/request/registered-label.ts'
import { anyCharacter } from '../../../helpers/any-character.ts'
import { undoArguments } from '../../../helpers/plain-platform.ts'
import { usePlatform } from '../../../helpers/platform.ts'

const platform = usePlatform({ returns: 120 })

interface Subject {
  id: string
  transportId: string
  shop: string
  ids: Record<'RETURN_NAME' | 'CLIENT_REFERENCE' | 'MERCHANT_RETURN_NAME', string>
}

/** Returns of several shops with a transport that is under way, some with a label and some without. */
async function subjects() {
  const list = (await platform.get('/returns?limit=120')) as { returns: Record<string, unknown>[] }
  return list.returns.flatMap((record) => {
    const transport = record.activeTransportation as Record<string, string> | undefined
    if (!(transport && ['REQUESTED', 'SHIPPING_IN_PROGRESS'].includes(transport.status ?? ''))) return []
    const text = (value: unknown) => String(value)
    return [
      {
        id: text(record.id),
        transportId: text(transport.id),
        shop: text(record.shopCode),
        ids: {
          RETURN_NAME: text(record.name),
          CLIENT_REFERENCE: text(transport.clientReference),
          MERCHANT_RETURN_NAME: text(record.merchantReturnName),
        },
      },
    ]
  })
}

/** All that the platform has of the transport's labels, but for what was there before. */
async function stateOf({ id, transportId }: Subject) {
  const path = `/returns/${id}/transportations/${transportId}`
  const transport = (await platform.get(path)) as Record<string, unknown>
  const { carrierReference, carrierTrackingUrl, carrierLabel, shippingLabels } = transport
  return { carrierReference, carrierTrackingUrl, carrierLabel, shippingLabels }
}

async function put({ ids, shop }: Subject, shippingLabels: readonly object[]) {
  const response = await fetch(`${platform.baseUrl}/shipping_labels`, {
    method: 'PUT',
    headers: {
      authorization: `Bearer ${platform.token}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      shopCode: shop,
      shipmentId: ids.RETURN_NAME,
      shipmentIdType: 'RETURN_NAME',
      shippingLabels,
    }),
  })
  expect(response.status, await response.text()).toBe(200)
}

const code = fc
  .string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 8 })
  .filter((text) => text.trim() === text)
const inUrl = fc.string({
  unit: fc.oneof(fc.constantFrom(...'a0-._~!$&()*+,;=:@'), anyCharacter.map(encodeURIComponent)),
  maxLength: 6,
})
/** Like fast-check's `webUrl`, which builds the list of characters that `anyCharacter` avoids. */
const url = fc
  .tuple(fc.domain(), fc.array(inUrl, { maxLength: 3 }), fc.option(inUrl))
  .map(([host, path, query]) => `https://${[host, ...path].join('/')}${query === null ? '' : `?${query}`}`)
const label = fc.record(
  {
    carrierTrackingCode: code,
    additionalTrackingCodes: fc.array(code, { minLength: 1, maxLength: 3 }),
    carrierTrackingUrl: url,
    format: fc.constantFrom('PDF', 'ZPL', 'PNG'),
    url,
  },
  { requiredKeys: [] },
)
const said = label.filter((one) => Object.keys(one).length > 0)
const step = fc.record({
  labels: fc.array(said, { minLength: 1, maxLength: 3 }),
  isReplacing: fc.boolean(),
})

/** One label by flags, several by a file. */
function argumentsOf({ labels, isReplacing }: { labels: SentLabel[]; isReplacing: boolean }) {
  const replace = isReplacing ? ['--replace'] : []
  const [first = {}, ...others] = labels
  if (others.length > 0) return ['--from', '-', ...replace]
  const flags = [
    ['--tracking-code', first.carrierTrackingCode],
    ...(first.additionalTrackingCodes ?? []).map((one) => ['--additional-tracking-code', one]),
    ['--tracking-url', first.carrierTrackingUrl],
    ['--label-format', first.format],
    ['--label-url', first.url],
  ]
  return [...flags.flatMap(([flag, value]) => (value ? [`${flag}=${String(value)}`] : [])), ...replace]
}

test('updates, undone one after the other, leave what was there, by any id and for any number of parcels', async () => {
  const all = await subjects()
  expect(new Set(all.map(({ shop }) => shop)).size).toBeGreaterThan(2)
  const idType = fc.constantFrom('RETURN_NAME', 'CLIENT_REFERENCE', 'MERCHANT_RETURN_NAME')
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all),
      idType,
      fc.option(fc.array(said, { minLength: 1, maxLength: 3 })),
      fc.array(step, { minLength: 1, maxLength: 2 }),
      fc.option(code),
      async (subject, type, registered, steps, theirs) => {
        const env = platform.env()
        if (registered) await put(subject, registered)
        const states = [await stateOf(subject)]
        const undos: unknown[] = []
        for (const { labels, isReplacing } of steps) {
          const flags = argumentsOf({ labels, isReplacing })
          const argv = ['labels', 'update', subject.ids[type], '--id-type', type, ...flags, '--json']
          const stdin = JSON.stringify({ shopCode: subject.shop, shippingLabels: labels })
          const { code: exit, stdout, stderr } = await platform.run(argv, { env, stdin })
          expect(exit, stderr).toBe(0)
          const state = await stateOf(subject)
          const { undo } = JSON.parse(stdout)
          if (undo === null) expect(state).toEqual(states.at(-1))
          else {
            states.push(state)
            undos.push(undo)
          }
        }
        if (theirs !== null) {
          await put(subject, [{ carrierTrackingCode: `${theirs}-theirs` }])
          const after = await stateOf(subject)
          for (const undo of undos) {
            const { code: exit, stderr } = await platform.run(undoArguments(undo), { env })
            expect([exit, await stateOf(subject)], stderr).toEqual([2, after])
          }
          return
        }
        for (const undo of undos.reverse()) {
          expect(await stateOf(subject)).toEqual(states.pop())
          const { code: exit, stderr } = await platform.run(undoArguments(undo), { env })
          expect(exit, stderr).toBe(0)
        }
        expect(await stateOf(subject)).toEqual(states.pop())
      },
    ),
    // Each is a dozen commands: made smaller, a failure would take longer than anyone waits.
    { numRuns: 15, endOnFailure: true },
  )
}, 240_000)
