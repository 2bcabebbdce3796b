import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import type { SentLabel } from '../../labels/request/registered-label.ts'
import type { LABEL_SHIPMENT_ID_TYPES } from '../../wire/enumerations.ts'
import { type LabelUpdate, labelUpdateSchema } from '../../wire/labels.ts'
import { isPlainName } from '../../wire/return-names.ts'
import { optional } from './present-values.ts'

export interface LabelFlags {
  from?: string | undefined
  'id-type'?: string | undefined
  'tracking-code'?: string | undefined
  'additional-tracking-code'?: string[] | undefined
  'tracking-url'?: string | undefined
  'label-format'?: string | undefined
  'label-url'?: string | undefined
}

type IdType = (typeof LABEL_SHIPMENT_ID_TYPES)[number]
export type NamedUpdate = LabelUpdate & { shipmentIdType: IdType }

/** Reads an update from flags or a file. @throws AppError `usage` that lists all problems */
export async function readNamedUpdate(
  shipment: string,
  flags: LabelFlags,
  context: Pick<Context, 'settings' | 'input' | 'shellLine'>,
  connection: Pick<Connection, 'lookup'>,
): Promise<NamedUpdate> {
  const { shop } = await context.settings()
  const label = labelOf(flags)
  if ((flags.from === undefined) === (Object.keys(label).length === 0)) {
    throw new AppError('usage', 'What should the label have from now on?', {
      hints: [
        '--tracking-code CODE, --tracking-url URL, --label-url URL …',
        'or --from FILE with the whole request',
      ],
    })
  }
  const given =
    flags.from === undefined ? { shippingLabels: [label] } : await fileBody(flags.from, context.input)
  const parsed = labelUpdateSchema.safeParse({
    ...(shop === undefined ? {} : { shopCode: shop.value }),
    shipmentId: shipment,
    shipmentIdType: flags['id-type'],
    ...given,
  })
  const problems = parsed.success
    ? updateProblems(parsed.data, shipment)
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  if (!parsed.success || problems.length > 0) {
    throw new AppError('usage', 'The update is not complete; nothing was sent.', { details: problems })
  }
  const { shipmentIdType } = parsed.data
  if (shipmentIdType) return { ...parsed.data, shipmentIdType }
  return { ...parsed.data, ...(await idOfShipment(shipment, context, connection)) }
}

function labelOf(flags: LabelFlags): SentLabel {
  const fields = {
    carrierTrackingCode: flags['tracking-code'],
    additionalTrackingCodes: flags['additional-tracking-code'],
    carrierTrackingUrl: flags['tracking-url'],
    format: flags['label-format'],
    url: flags['label-url'],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

async function fileBody(from: string, input: Context['input']): Promise<object> {
  const { records, name } = await input.records(from)
  const [only] = records
  if (records.length === 1 && typeof only?.value === 'object' && only.value !== null) return only.value
  throw new AppError('usage', `${name} must hold one JSON object.`)
}

function updateProblems(body: LabelUpdate, shipment: string) {
  const problems: { path: string; message: string }[] = []
  if (body.shipmentId !== shipment) {
    problems.push({
      path: 'shipmentId',
      message: `${body.shipmentId} in the file, but ${shipment} on the command line`,
    })
  }
  if (body.shippingLabels.length === 0) problems.push({ path: 'shippingLabels', message: 'empty' })
  for (const [index, label] of body.shippingLabels.entries()) {
    for (const field of ['carrierTrackingUrl', 'url'] as const) {
      const url = label[field]
      if (url && !(URL.canParse(url) && /^https?:/i.test(url))) {
        problems.push({
          path: `shippingLabels[${index}].${field}`,
          message: `${JSON.stringify(url)} is not a URL`,
        })
      }
    }
  }
  return problems
}

/**
 * Finds the type of an id by its form (spec §4.4), and the return's name behind another form of it. A name that a merchant
 * chose may look like one of the platform without its prefix.
 *
 * @throws AppError `usage` for a text that may be either; `not-found`
 */
async function idOfShipment(
  shipment: string,
  context: Pick<Context, 'shellLine'>,
  connection: Pick<Connection, 'lookup'>,
): Promise<Pick<NamedUpdate, 'shipmentId' | 'shipmentIdType' | 'shopCode'>> {
  const ofReturn = { shipmentId: shipment, shipmentIdType: 'RETURN_NAME' } as const
  if (isPlainName(shipment)) return ofReturn
  if (shipment.startsWith('P#R#')) return { ...ofReturn, shipmentIdType: 'CLIENT_REFERENCE' }
  const lookup = await connection.lookup()
  if (/^R#/i.test(shipment)) {
    const { name, shopCode } = (await lookup.oneToUpdate(shipment)).record
    return { ...ofReturn, shipmentId: name, ...(shopCode && { shopCode }) }
  }
  const [found, ...others] = (await optional(lookup.find(shipment))) ?? []
  const isMerchants = others.length === 0 && found?.merchantReturnName === shipment
  if (!found || isMerchants) return { ...ofReturn, shipmentIdType: 'MERCHANT_RETURN_NAME' }
  const line = (...words: string[]) => context.shellLine(['labels', 'update', ...words], undefined)
  throw new AppError(
    'usage',
    `${shipment} may be the return ${found.name}, or a name that the merchant gave one.`,
    {
      hints: [
        `the return: ${await line(found.name)} …`,
        `the merchant's: ${await line(shipment, '--id-type', 'MERCHANT_RETURN_NAME')} …`,
      ],
    },
  )
}
