import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { pdfPages } from '../helpers/label-readers.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

it('the built command has the glyphs of Japanese and Korean labels with it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'rma-e2e-scripts-'))
  const party = (fullName: string, line1: string, city: string, postalCode: string, countryCode: string) => ({
    fullName,
    email: 'a@example.com',
    phone: '+81312345678',
    address: { line1, city, postalCode, countryCode },
  })
  const request = {
    clientShipmentId: 'SCRIPTS-1',
    shipmentType: 'RETURN',
    carrierServiceCode: 'SBX_STANDARD',
    origin: party('髙橋 陽葵', '神宮前6丁目4-12', '渋谷区', '150-0001', 'JP'),
    destination: party('김서연', '테헤란로 152', '서울특별시', '06236', 'KR'),
    parcels: [
      {
        clientParcelId: '1',
        description: 'シャツ',
        weight: 500,
        items: [
          {
            description: 'シャツ',
            hsCode: '620520',
            weight: 0.4,
            quantity: 1,
            unitPrice: '4900',
            currencyCode: 'JPY',
            originCountryCode: 'JP',
          },
        ],
      },
    ],
  }
  const file = join(folder, 'request.json')
  writeFileSync(file, JSON.stringify(request))
  const env = { ...spawnEnv(), RMA_SHOP: 'SORA-JP' }
  const make = async (...argv: string[]) => {
    const made = ['labels', 'create', '--from', file, '--out', folder, '--json', ...argv]
    const { code, stdout, stderr } = await spawnCli(made, { env })
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('Error')])
    return readFileSync(JSON.parse(stdout).files[0].path)
  }
  const [page] = await pdfPages(await make())
  for (const text of ['髙橋 陽葵', '150-0001 渋谷区', '김서연', '06236 서울특별시', 'シャツ']) {
    expect(page?.text).toContain(text)
  }
  expect((await make('--another', '--force', '--format', 'ZPL')).toString()).toContain('^GFA')
})
