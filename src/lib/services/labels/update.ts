import type { Context } from '../../cli/context.ts'
import type { writeFlags } from '../../cli/global-flags.ts'
import { type FlagValues, listFlag, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { AppError, quotedWord, usageError } from '../../errors.ts'
import { type LabelPart, withGivenFields } from '../../labels/request/registered-label.ts'
import { LABEL_SHIPMENT_ID_TYPES } from '../../wire/enumerations.ts'
import { type LabelUpdate, labelUpdateSchema } from '../../wire/labels.ts'
import { defined, isWebAddress } from '../../wire/raw.ts'
import { HASH_HINT, isPlainName } from '../../wire/return-names.ts'
import { LABEL_PARTS, labelUpdateDetails, labelUpdateView, partNames } from './labels.result.ts'
import { type LabelChange, type NamedUpdate, optional, presentLabels } from './present-labels.ts'
import { flagWords } from './register.ts'
import { refuseMoved, sendUpdate } from './send-update.ts'
import { readUndo, undoingChange } from './undo.ts'

const changeFlags = {
  'id-type': textFlag('TYPE', 'What the id is, if its form does not tell', {
    options: [...LABEL_SHIPMENT_ID_TYPES],
  }),
  from: textFlag('FILE', 'The request as JSON; - for standard input'),
  'tracking-code': textFlag('CODE', "The carrier's reference"),
  'additional-tracking-code': listFlag('CODE', 'Another one; repeatable'),
  'tracking-url': textFlag('URL', 'Where the parcel can be followed'),
  'label-format': textFlag('FORMAT', 'Format of the label at --label-url'),
  'label-url': textFlag('URL', 'Where the label is'),
  replace: switchFlag('Send only what is given; all else may be emptied'),
}

export const updateFlags = {
  ...changeFlags,
  undo: textFlag('FILE', 'Put back what an update has replaced, from the file that it named', {
    exclusive: Object.keys(changeFlags),
  }),
}

type UpdateFlags = FlagValues<typeof updateFlags & typeof writeFlags>

export async function updateLabel(shipment: string | undefined, flags: UpdateFlags, context: Context) {
  const { undo: file } = flags
  if ((shipment === undefined) === (file === undefined)) {
    const isNothing = file === undefined
    throw usageError(
      isNothing ? 'Which shipment should be updated?' : '--undo FILE names the shipment itself.',
      'rma labels update R#-1001 --tracking-code CODE',
      'rma labels update --undo FILE',
      ...(isNothing ? [HASH_HINT] : []),
    )
  }
  const undo = file === undefined ? undefined : await readUndo(file, context)
  const change = undo ? await undoingChange(undo, context) : await namedChange(shipment ?? '', flags, context)
  const { body } = change
  if (flags['dry-run']) return context.showRequests([{ method: 'PUT', path: '/shipping_labels', body }])
  await confirmChange(change, flags.yes, context)
  if (context.questions.hasAsked) await refuseMoved(change, context)
  const record = await sendUpdate(change, context)
  await context.render({ kind: 'record', record, view: labelUpdateView, details: labelUpdateDetails })
  const isKnown = record.reason === 'duplicate'
  await context.done(
    isKnown
      ? 'nothing changed: the label had this already'
      : `the label of ${change.body.shipmentId} is updated`,
  )
}

async function namedChange(shipment: string, flags: UpdateFlags, context: Context): Promise<LabelChange> {
  const named = await readNamedUpdate(shipment, flags, context)
  context.progress.start('Reading what the label has now')
  const present = await presentLabels(named, context).catch(async (error: unknown) => {
    // With --replace only the undo needs the present values.
    const isNeeded = !(flags.replace && error instanceof AppError)
    if (isNeeded || ['interrupted', 'auth', 'config'].includes(error.kind)) throw error
    await context.warn(`What the label has now can't be read: ${error.message}`)
  })
  const { shopCode = present?.shopCode, shippingLabels, ...rest } = named
  const readIn = present && (present.shopCode ?? (await context.settings()).shop?.value)
  if (shopCode && readIn && readIn !== shopCode) {
    throw usageError(
      `${shipment} was read in the shop ${readIn}, and the request is for ${shopCode}; nothing was sent.`,
      `--shop ${quotedWord(shopCode)}`,
    )
  }
  const labels = flags.replace ? shippingLabels : withGivenFields(present?.labels ?? [], shippingLabels)
  const unread = present?.unread ?? LABEL_PARTS
  const isSent = (part: LabelPart) =>
    part === 'otherParcels' ? labels.length > 1 : labels.every((label) => label[part] !== undefined)
  return {
    body: { ...(shopCode && { shopCode }), ...rest, shippingLabels: labels },
    present: present ?? undefined,
    mayEmpty: flags.replace ? [] : unread.filter((part) => !isSent(part)),
  }
}

async function confirmChange({ body, mayEmpty }: LabelChange, yes: boolean, context: Context) {
  const what = `Update the label of ${body.shipmentId}`
  const { isProtected } = await context.settings()
  if (mayEmpty.length > 0) {
    const danger = `What the platform does not tell may be emptied: ${partNames(mayEmpty)}`
    if (!(yes || isProtected) && context.questions.canAsk) {
      return context.questions.ask(`${danger}. ${what} all the same?`, 'nothing was sent')
    }
    await context.warn(danger)
  }
  await context.questions.confirmWrite(what, yes)
}

async function readNamedUpdate(shipment: string, flags: UpdateFlags, context: Context): Promise<NamedUpdate> {
  const { shop } = await context.settings()
  const fields = defined({
    carrierTrackingCode: flags['tracking-code'],
    additionalTrackingCodes: flags['additional-tracking-code'],
    carrierTrackingUrl: flags['tracking-url'],
    format: flags['label-format'],
    url: flags['label-url'],
  })
  if ((flags.from === undefined) === (Object.keys(fields).length === 0)) {
    throw usageError(
      'What should the label have from now on?',
      '--tracking-code CODE, --tracking-url URL, --label-url URL …',
      'or --from FILE with the whole request',
    )
  }
  const fromFlags = { shippingLabels: [fields] }
  const given = flags.from === undefined ? fromFlags : await fileBody(flags.from, context)
  const parsed = labelUpdateSchema.safeParse({
    ...(shop && { shopCode: shop.value }),
    shipmentId: shipment,
    shipmentIdType: flags['id-type'],
    ...given,
  })
  const problems = parsed.success
    ? [...problemsOf(parsed.data, shipment)]
    : parsed.error.issues.map(({ path, message }) => ({ path: path.join('.'), message }))
  if (!parsed.success || problems.length > 0) {
    throw new AppError('usage', 'The update is not complete; nothing was sent.', { details: problems })
  }
  const { shipmentIdType } = parsed.data
  if (shipmentIdType) return { ...parsed.data, shipmentIdType }
  return { ...parsed.data, ...(await idOfShipment(shipment, flags, context)) }
}

async function fileBody(from: string, { input }: Context) {
  const { records, name } = await input.records(from)
  const value = records.length === 1 ? records[0]?.value : undefined
  if (typeof value === 'object' && value !== null) return value
  throw usageError(`${name} must hold one JSON object.`)
}

function* problemsOf(
  { shipmentId, shippingLabels }: LabelUpdate,
  shipment: string,
): Generator<{ path: string; message: string }> {
  if (shipmentId !== shipment) {
    yield { path: 'shipmentId', message: `${shipmentId} in the file, but ${shipment} on the command line` }
  }
  if (shippingLabels.length === 0) yield { path: 'shippingLabels', message: 'empty' }
  for (const [index, label] of shippingLabels.entries()) {
    for (const field of ['carrierTrackingUrl', 'url'] as const) {
      const url = label[field]
      if (!url || isWebAddress(url)) continue
      yield { path: `shippingLabels[${index}].${field}`, message: `${JSON.stringify(url)} is not a URL` }
    }
    const codes = [label.carrierTrackingCode, label.additionalTrackingCodes].flat()
    if (codes.some((code) => /^\s+$/.test(code ?? '')))
      yield { path: `shippingLabels[${index}]`, message: 'a tracking code is blank' }
  }
}

/** Infers an id's type from its form (spec §4.4). A merchant's name may look like the platform's. */
async function idOfShipment(
  shipmentId: string,
  flags: UpdateFlags,
  context: Context,
): Promise<Pick<NamedUpdate, 'shipmentId' | 'shipmentIdType' | 'shopCode'>> {
  if (isPlainName(shipmentId)) return { shipmentId, shipmentIdType: 'RETURN_NAME' }
  if (shipmentId.startsWith('P#R#')) return { shipmentId, shipmentIdType: 'CLIENT_REFERENCE' }
  const lookup = await context.connection.lookup()
  if (/^R#/i.test(shipmentId)) {
    const { name, shopCode } = (await lookup.oneToUpdate(shipmentId)).record
    return { shipmentId: name, shipmentIdType: 'RETURN_NAME', ...(shopCode && { shopCode }) }
  }
  const found = (await optional(lookup.find(shipmentId))) ?? []
  // If no return, or exactly one, matches as a merchant's name, the id is one.
  if (found.every((one) => found.length === 1 && one.merchantReturnName === shipmentId))
    return { shipmentId, shipmentIdType: 'MERCHANT_RETURN_NAME' }
  const names = found.map(({ id, name }) => name ?? id ?? 'without a name')
  const { replace, ...values } = changeFlags
  const typed = (Object.keys(values) as (keyof typeof values)[]).flatMap((flag) =>
    [flags[flag]].flat().map((value) => [`--${flag}`, value] as const),
  )
  const line = (...words: string[]) =>
    context.shellLine([
      'labels',
      'update',
      ...words,
      ...flagWords(typed),
      ...(flags.replace ? ['--replace'] : []),
    ])
  throw usageError(
    `${shipmentId} may be the return ${names.join(' or ')}, or a name that the merchant gave one.`,
    ...(await Promise.all(names.map(async (name) => `the return: ${await line(name)}`))),
    `the merchant's: ${await line(shipmentId, '--id-type', 'MERCHANT_RETURN_NAME')}`,
  )
}
