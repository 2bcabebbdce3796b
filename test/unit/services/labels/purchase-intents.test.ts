import { expect, it } from 'vitest'
import type { Context } from '../../../../src/lib/cli/context.ts'
import { PurchaseIntents } from '../../../../src/lib/services/labels/purchase-intents.ts'
import { newFolder } from '../../../helpers/files.ts'
import { labelRequest } from '../../../helpers/label-service.ts'

it('a purchase begun through a tunnel of this machine is found under the name of the platform', async () => {
  const dataDir = newFolder()
  const intentsAt = (baseUrl: string) =>
    PurchaseIntents.open({
      settingsWithToken: async () => ({ baseUrl: { value: baseUrl }, timeoutMs: { value: 1000 } }),
      paths: { dataDir, lockDir: dataDir },
      io: { now: () => 7 },
    } as unknown as Context)
  const request = labelRequest('SHP-1') as Parameters<PurchaseIntents['read']>[0]
  await (await intentsAt('http://localhost:8080/v1')).write(request, { sets: 0, codes: [] })
  const found = (await intentsAt('https://returns.example/v1')).read(request)
  expect(found).toMatchObject({ clientShipmentId: 'SHP-1', at: 7 })
})
