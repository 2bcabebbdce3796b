import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { label, labelService, PDF } from './label-service.ts'
import { spawnEnvAt } from './spawn-cli.ts'
import { times } from './values-of.ts'

export const idsFrom = (first: number, count: number) => times(count, (index) => `SHP-${first + index}`)

/** A different label for each shipment, too large for a single write. */
export const contentOf = (id: string, bytes: number) => Buffer.concat([PDF, Buffer.alloc(bytes, `${id} `)])

/** A service with a label of the given size for each shipment. */
export async function serviceWith(ids: readonly string[], bytes: number) {
  const service = await labelService()
  for (const id of ids) {
    const set = { clientShipmentId: id, shippingLabels: [label(contentOf(id, bytes))] }
    service.made.set(id, [set])
  }
  const env = () => spawnEnvAt(service.baseUrl)
  return { ...service, env }
}

/** Shipments of a manifest, after a check of each file's checksum. */
export function provenShipments(out: string): string[] {
  const manifest = JSON.parse(readFileSync(join(out, 'manifest.json'), 'utf8'))
  return manifest.labels.map((entry: { clientShipmentId: string; path: string; sha256: string }) => {
    const digest = createHash('sha256').update(readFileSync(join(out, entry.path)))
    expect(digest.digest('hex')).toBe(entry.sha256)
    return entry.clientShipmentId
  })
}
