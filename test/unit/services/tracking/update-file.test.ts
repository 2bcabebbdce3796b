import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UpdateFile } from '../../../../src/lib/services/tracking/update-file.ts'
import { newFolder } from '../../../helpers/files.ts'
import { times } from '../../../helpers/values-of.ts'

const ROWS = 20_000
const OPTIONS = { allowsUnknownStatus: false, allowsFuture: true, now: Date.now(), zone: 'UTC' }

async function reports() {
  const path = join(newFolder(), 'rows.csv')
  const lines = times(ROWS, (index) => `R#-${index},SHIPPING_COMPLETED`)
  writeFileSync(path, `shipmentId,trackingStatus\n${lines.join('\n')}\n`)
  return UpdateFile.open(path, path, { map: {}, set: {} }, OPTIONS)
}

it('a survey reports the progress of both passes', async () => {
  const told: [number, number | undefined][] = []
  const file = await reports()
  const onProgress = (count: number, total?: number) => void told.push([count, total])
  const { rows } = await file.survey({ onProgress, shop: undefined })
  const read = told.flatMap(([count, total]) => (total === undefined ? [count] : []))
  const checked = told.flatMap(([count, total]) => (total === ROWS ? [count] : []))
  for (const counts of [read, checked]) {
    expect(counts[0]).toBeLessThan(ROWS / 2)
    expect(counts.at(-1)).toBe(ROWS)
  }
  expect(rows).toBe(ROWS)
})
