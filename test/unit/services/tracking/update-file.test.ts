import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { UpdateFile } from '../../../../src/lib/services/tracking/update-file.ts'
import { newFolder } from '../../../helpers/new-folder.ts'

const ROWS = 20_000
const OPTIONS = { allowsUnknownStatus: false, allowsFuture: true, now: Date.now(), zone: 'UTC' }

async function reports() {
  const path = join(newFolder(), 'rows.csv')
  const lines = Array.from({ length: ROWS }, (_unused, index) => `R#-${index},SHIPPING_COMPLETED`)
  writeFileSync(path, `shipmentId,trackingStatus\n${lines.join('\n')}\n`)
  return UpdateFile.open(path, path, { map: {}, constants: {} }, OPTIONS)
}

it('a survey reports the progress of both passes, and yields rows as it reads them', async () => {
  const told: [number, number | undefined][] = []
  const file = await reports()
  const batches = file.surveyed({ onProgress: (rows, total) => told.push([rows, total]), shop: undefined })
  const first = await batches.next()
  const firstRows = first.done ? 0 : first.value.length
  expect(firstRows).toBeGreaterThan(0)
  expect(firstRows).toBeLessThan(ROWS / 2)
  const read = told.flatMap(([rows, total]) => (total === undefined ? [rows] : []))
  expect(read[0]).toBe(firstRows)
  expect(read.at(-1)).toBe(ROWS)
  expect(told.at(-1)).toEqual([firstRows, ROWS])
  let rows = firstRows
  let step = await batches.next()
  for (; !step.done; step = await batches.next()) rows += step.value.length
  expect([rows, step.value.rows, told.at(-1)]).toEqual([ROWS, ROWS, [ROWS, ROWS]])
})
