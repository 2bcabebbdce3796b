import { expect } from 'vitest'
import { succeeded, typed } from './command-line.ts'
import type { Platform } from './platform.ts'

/** Finds a return whose first parcel is only requested. */
export async function requestedReturn(platform: Platform) {
  return (
    (await platform.returns('status=PENDING&limit=500')).find(
      ({ activeTransportation: one }) => one?.status === 'REQUESTED' && !/-\d+$/.test(one.clientReference),
    ) ?? expect.unreachable('no return is left')
  )
}

/** Makes a return whose first parcel was lost under a tracking number and whose replacement is only requested. */
export async function withReplacement(platform: Platform, number: string) {
  const { id, name, shopCode } = await requestedReturn(platform)
  const lost = typed`--status SHIPPING_FAILED --number ${number} --date 2026-11-20T09:00:00Z`
  succeeded(await platform.run`tracking push ${name} --shop ${shopCode} ${lost}`)
  const transports = () => platform.transports(id)
  const [ended, active] = await transports()
  if (!ended || !active) throw new Error(`${name} has no replacement`)
  return { name, shopCode, transports, ended, active }
}
