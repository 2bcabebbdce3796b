import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Context } from '../../../../src/lib/cli/context.ts'
import { PurchaseIntents } from '../../../../src/lib/services/labels/purchase-intents.ts'
import type { LabelSet } from '../../../../src/lib/wire/labels.ts'
import { jsonFile, newFolder } from '../../../helpers/files.ts'
import { labelRequest } from '../../../helpers/label-service.ts'

const REQUEST = labelRequest('SHP-1') as Parameters<PurchaseIntents['read']>[0]

/** @param dataDir also the folder of locks, whose notes stand in the folder `locks` a second time */
const intentsIn = (dataDir: string, baseUrl: string) =>
  PurchaseIntents.open({
    settingsWithToken: async () => ({ baseUrl: { value: baseUrl }, timeoutMs: { value: 1000 } }),
    paths: { dataDir, lockDir: dataDir },
    io: { now: () => 7 },
  } as unknown as Context)

it('a purchase begun through a tunnel of this machine is found under the name of the platform', async () => {
  const dataDir = newFolder()
  await (await intentsIn(dataDir, 'http://localhost:8080/v1')).write(REQUEST, { sets: 0, codes: [] })
  const found = (await intentsIn(dataDir, 'https://returns.example/v1')).read(REQUEST)
  expect(found).toMatchObject({ clientShipmentId: 'SHP-1', at: 7 })
})

it('a purchase of an earlier version, which noted no address, ends once its label is there', async () => {
  const dataDir = newFolder()
  const intents = await intentsIn(dataDir, 'https://returns.example/v1')
  await intents.write(REQUEST, { sets: 0, codes: [] })
  const [file = ''] = readdirSync(join(dataDir, 'locks'))
  const path = join(dataDir, 'locks', file)
  const { baseUrl: _, ...older } = jsonFile(path)
  writeFileSync(path, `${JSON.stringify(older)}\n`)
  rmSync(join(dataDir, file))
  expect(intents.hasMade(REQUEST, { shippingLabels: [] } as unknown as LabelSet, 1)).toBe(true)
  await intents.remove(REQUEST)
  expect(intents.read(REQUEST)).toBeUndefined()
})
