import { AppError } from '../errors.ts'
import { parseRecords } from '../labels/request/parse.ts'
import {
  type LABEL_SHIPMENT_ID_TYPES,
  type LabelSet,
  type LabelUpdate,
  labelUpdateSchema,
} from '../wire/labels.ts'
import type { ActiveTransportation } from '../wire/transportations.ts'
import type { Context } from './context.ts'
import { inputName, readInput } from './input.ts'

export interface UpdateFlags {
  from?: string | undefined
  'id-type'?: string | undefined
  'tracking-code'?: string | undefined
  'additional-tracking-code'?: string[] | undefined
  'tracking-url'?: string | undefined
  'label-format'?: string | undefined
  'label-url'?: string | undefined
}

/** What a label update replaces, as far as it can be read (spec §2.4, §2.6). */
export interface FormerLabel {
  carrierTrackingCode?: string | undefined
  additionalTrackingCodes?: string[] | undefined
  carrierTrackingUrl?: string | undefined
  url?: string | undefined
}

/** What a shipment's id is, told from its form (spec §4.4). */
function idTypeOf(shipment: string): (typeof LABEL_SHIPMENT_ID_TYPES)[number] {
  if (shipment.startsWith('R#-')) return 'RETURN_NAME'
  return shipment.startsWith('P#R#') ? 'CLIENT_REFERENCE' : 'MERCHANT_RETURN_NAME'
}

/** The body of the update. @throws AppError `usage` that lists all that is wrong */
export async function readUpdate(
  shipment: string,
  flags: UpdateFlags,
  context: Context,
): Promise<LabelUpdate> {
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
  const given = flags.from === undefined ? { shippingLabels: [label] } : await fileBody(flags.from, context)
  const body = {
    ...(shop === undefined ? {} : { shopCode: shop.value }),
    shipmentId: shipment,
    shipmentIdType: flags['id-type'] ?? idTypeOf(shipment),
    ...given,
  }
  const parsed = labelUpdateSchema.safeParse(body)
  const problems = parsed.success
    ? updateProblems(parsed.data, shipment)
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  if (parsed.success && problems.length === 0) return parsed.data
  throw new AppError('usage', 'The update is not complete; nothing was sent.', { details: problems })
}

function labelOf(flags: UpdateFlags): LabelUpdate['shippingLabels'][number] {
  const fields = {
    carrierTrackingCode: flags['tracking-code'],
    additionalTrackingCodes: flags['additional-tracking-code'],
    carrierTrackingUrl: flags['tracking-url'],
    format: flags['label-format'],
    url: flags['label-url'],
  }
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))
}

async function fileBody(from: string, context: Context): Promise<object> {
  const records = parseRecords(await readInput(from, context), inputName(from))
  const [only] = records
  if (records.length === 1 && typeof only?.value === 'object' && only.value !== null) return only.value
  throw new AppError('usage', `${inputName(from)} must hold one JSON object.`)
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

/** What the label has now; undefined, with a warning, where that can't be read. */
export async function readFormer(body: LabelUpdate, context: Context): Promise<FormerLabel | undefined> {
  try {
    const transport = await activeTransport(body, context)
    if (transport) {
      const { carrierReference, carrierTrackingUrl, carrierLabel } = transport
      return trimmed({ carrierTrackingCode: carrierReference, carrierTrackingUrl, url: carrierLabel })
    }
    // By other ids no transport is found; the label is what it was made with, and knows of no later update.
    const set = await newestSet(body.shipmentId, body, context)
    if (set) {
      await context.warn('What was there before is that of the label when it was made, not of updates since')
      return formerOf(set)
    }
  } catch (error) {
    if (!(error instanceof AppError) || ['interrupted', 'auth', 'config'].includes(error.kind)) throw error
  }
  await context.warn(
    'What the label has now could not be read, so that this update can not be undone from here',
  )
  return undefined
}

async function activeTransport(
  body: LabelUpdate,
  context: Context,
): Promise<ActiveTransportation | undefined> {
  if (body.shipmentIdType !== 'RETURN_NAME') return undefined
  const found = await (await context.returns()).findByName(body.shipmentId)
  return found.activeTransportation ?? undefined
}

async function newestSet(
  id: string,
  { shopCode }: LabelUpdate,
  context: Context,
): Promise<LabelSet | undefined> {
  try {
    return (await (await context.labels()).get(id, shopCode)).at(-1)
  } catch (error) {
    if (error instanceof AppError && (error.kind === 'not-found' || error.kind === 'rejected'))
      return undefined
    throw error
  }
}

function formerOf(set: LabelSet): FormerLabel {
  const [label] = set.shippingLabels
  const others: unknown = label ? Reflect.get(label, 'additionalTrackingCodes') : undefined
  return trimmed({
    carrierTrackingCode: label?.carrierTrackingCode,
    additionalTrackingCodes: Array.isArray(others) ? others.map(String) : undefined,
    carrierTrackingUrl: label?.carrierTrackingUrl,
    url: label?.url,
  })
}

function trimmed(
  fields: Record<string, unknown> & { additionalTrackingCodes?: string[] | undefined },
): FormerLabel {
  const said = (value: unknown) => (typeof value === 'string' && value !== '' ? value : undefined)
  const { additionalTrackingCodes: codes } = fields
  return {
    carrierTrackingCode: said(fields.carrierTrackingCode),
    additionalTrackingCodes: codes && codes.length > 0 ? codes : undefined,
    carrierTrackingUrl: said(fields.carrierTrackingUrl),
    url: said(fields.url),
  }
}

/** The command that puts the former values back; undefined where there were none. */
export function undoCommand(body: LabelUpdate, former: FormerLabel | undefined): string | undefined {
  const words: string[] = []
  const add = (flag: string, value: string | undefined) => {
    if (value !== undefined) words.push(flag, quoted(value))
  }
  add('--tracking-code', former?.carrierTrackingCode)
  for (const code of former?.additionalTrackingCodes ?? []) add('--additional-tracking-code', code)
  add('--tracking-url', former?.carrierTrackingUrl)
  add('--label-url', former?.url)
  if (words.length === 0) return undefined
  const type =
    body.shipmentIdType === idTypeOf(body.shipmentId) ? [] : ['--id-type', String(body.shipmentIdType)]
  return ['rma labels update', quoted(body.shipmentId), ...type, ...words].join(' ')
}

/** For a POSIX shell. */
function quoted(word: string): string {
  return /^[\w./:@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`
}

/** An update sets values, so that sending it again does no harm: that is worth saying after a time-out. */
export async function sendUpdate(body: LabelUpdate, context: Context) {
  try {
    return await (await context.labels()).update(body)
  } catch (error) {
    if (!(error instanceof AppError) || error.kind !== 'unknown') throw error
    const { message, status, requestId, details } = error
    throw new AppError('unknown', message, {
      status,
      requestId,
      details,
      cause: error,
      hints: [
        `see what it has now: rma labels get '${body.shipmentId}'`,
        'an update sets values and adds nothing: it may be sent again as it is',
      ],
    })
  }
}
