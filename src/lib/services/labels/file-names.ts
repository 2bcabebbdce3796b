import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail } from '../../errors.ts'
import { parseNameTemplate } from '../../labels/name-template.ts'
import { returnStem, shipmentStem } from '../../labels/safe-names.ts'
import { instantToWallTime } from '../../wire/time.ts'
import type { LabelOrder } from './requests.ts'

/**
 * The names of labels in their folder, by shipment: the return's, with the transport where it is not the first.
 *
 * @throws AppError `usage` if a template is none, or gives two labels one name
 */
export async function labelNames(
  orders: readonly LabelOrder[],
  template: string | undefined,
  context: Pick<Context, 'io' | 'timeZone'>,
): Promise<ReadonlyMap<string, string>> {
  const zone = template?.includes('{date}') ? await context.timeZone() : 'UTC'
  const date = instantToWallTime(context.io.now(), zone).slice(0, 10)
  const nameOf = template === undefined ? undefined : parseNameTemplate(template)
  const names = new Map<string, string>()
  const owners = new Map<string, string>()
  const problems: ErrorDetail[] = []
  for (const order of orders) {
    const id = order.request.clientShipmentId
    const short = order.parcel?.isLater ? shipmentStem(id) : returnStem(id)
    const own = owners.has(short.toLowerCase()) ? shipmentStem(id) : short
    const name = nameOf ? nameOf({ ...fieldsOf(order), date, name: own }) : own
    const owner = owners.get(name.toLowerCase())
    if (owner !== undefined) problems.push({ path: id, message: `${name} is the label of ${owner} already` })
    owners.set(name.toLowerCase(), id)
    // Another label may have it in the folder, unless it was asked for.
    if (nameOf || name !== returnStem(id)) names.set(id, name)
  }
  if (problems.length === 0) return names
  throw new AppError('usage', `--name ${template} gives several labels one name; nothing was sent.`, {
    details: problems.slice(0, MAX_PROBLEMS),
    hints: ['put {name} into it, which is different for each label'],
  })
}

const MAX_PROBLEMS = 10

function fieldsOf({ request, parcel }: LabelOrder) {
  const { carrierServiceCode: service, shopCode } = request
  const transport = parcel?.transport
  const isOwn = transport?.carrierServiceCode === service
  return {
    service,
    carrier: (isOwn ? transport?.carrierCode : undefined) ?? service,
    shop: shopCode ?? undefined,
    order: parcel?.record.ecommerceOrder?.name ?? undefined,
  }
}
