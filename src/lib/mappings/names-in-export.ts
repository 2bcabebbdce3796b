import { mapColumns } from '../bulk/rows/columns.ts'
import { readFields } from '../bulk/rows/fields.ts'
import { openRows } from '../bulk/rows/open.ts'
import { unseenRows } from '../bulk/rows/row.ts'
import { AppError } from '../errors.ts'
import { defined } from '../wire/raw.ts'
import { completeMapping } from './detect-in-file.ts'
import { applyMapping, type Mapping } from './mapping.ts'

const FIELDS = [
  { name: 'shipmentId', kind: 'identifier', required: true },
  { name: 'shopCode', kind: 'identifier' },
] as const
const MAX_PROBLEMS = 20

export interface NamedByFile {
  id: string
  /** Shop of the row, which overrides the setting. */
  shop?: string
}

/** Returns each name of a shop once, in the order of the rows. @throws AppError `usage` for names that can't be used */
export async function namesInExport(
  { path, name }: { path: string; name: string },
  mapping: Mapping,
  { zone, warn }: { zone: string; warn(text: string): Promise<void> },
): Promise<NamedByFile[]> {
  const whole = await completeMapping(mapping, { path, name }, { zone, namesOnly: true })
  const { sheet, columns, constants } = whole
  const { isRow } = applyMapping(whole)
  const source = await openRows(path, {
    name,
    layout: { sheet, columns: Object.values(columns), isRow },
  })
  const { shipmentId = 'shipmentId', shopCode } = columns
  const bound = mapColumns(FIELDS, source, new Map(Object.entries(defined({ shipmentId, shopCode }))))
  const names = new Map<string, NamedByFile>()
  const problems: { path: string; message: string }[] = []
  for await (const batch of source.rows()) {
    for (const raw of batch) {
      const { values, problems: found } = readFields(raw, bound)
      for (const { row, column, message } of found) {
        problems.push({ path: `row ${row}, column ${column}`, message })
      }
      const text = values.shipmentId ?? ''
      // A dash would be read as standard input.
      if (!/[\p{L}\p{N}]/u.test(text)) continue
      const shop = values.shopCode ?? constants.shopCode
      names.set(`${shop} ${text}`, { id: text, shop })
    }
  }
  for (const text of unseenRows(source)) await warn(text)
  if (problems.length === 0) return [...names.values()]
  throw new AppError('usage', `${name}: ${problems.length} rows name no return that can be used.`, {
    details: problems.slice(0, MAX_PROBLEMS),
  })
}
