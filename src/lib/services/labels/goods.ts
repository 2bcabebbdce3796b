import { mapColumns } from '../../bulk/rows/columns.ts'
import { readFields } from '../../bulk/rows/fields.ts'
import { openRows } from '../../bulk/rows/open.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import type { Goods } from '../../labels/request/from-return.ts'
import { counted } from '../../wire/counted.ts'

const FIELDS = [
  { name: 'sku', kind: 'identifier', required: true },
  { name: 'hsCode', kind: 'identifier' },
  { name: 'originCountryCode', kind: 'text', aliases: ['originCountry'] },
  { name: 'weight', kind: 'text' },
] as const

const MAX_PROBLEMS = 100
/** One piece that weighs more was weighed in grams. */
const MAX_KILOGRAMS = 100

/**
 * Reads facts about goods by SKU: `sku`, `hsCode`, `originCountryCode`, `weight` in kilograms.
 *
 * @throws AppError `usage` that lists every row that can't be used
 */
export async function readGoods(path: string): Promise<ReadonlyMap<string, Goods>> {
  const source = await openRows(path, { name: path })
  const mapping = mapColumns(FIELDS, source, new Map())
  const goods = new Map<string, Goods>()
  const problems: ErrorDetail[] = []
  for await (const batch of source.rows()) {
    for (const raw of batch) {
      const { values, problems: found } = readFields(raw, mapping)
      const { sku = '', hsCode, originCountryCode, weight } = values
      const place = `row ${raw.row}`
      for (const { column, message } of found)
        problems.push({ path: place, message: `${column} ${message}`.trim() })
      if (goods.has(sku)) problems.push({ path: place, message: `${sku} has a row already` })
      const kilograms = weight === undefined ? undefined : Number(weight.replace(',', '.'))
      if (!isWeight(kilograms))
        problems.push({ path: place, message: `weight ${weight}: kilograms of one piece, such as 0.25` })
      if (sku !== '') goods.set(sku, { hsCode, originCountryCode, weight: kilograms })
    }
  }
  if (problems.length === 0) return goods
  throw new AppError('usage', `${path}: ${counted(problems.length, 'problem')}; nothing was sent.`, {
    details: problems.slice(0, MAX_PROBLEMS),
    hints: ['one row for each sku: sku, hsCode, originCountryCode, weight'],
  })
}

function isWeight(kilograms: number | undefined): boolean {
  return kilograms === undefined || (kilograms > 0 && kilograms <= MAX_KILOGRAMS)
}
