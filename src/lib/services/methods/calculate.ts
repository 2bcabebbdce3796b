import { noneNamed } from '../../api/return-references.ts'
import type { Context } from '../../cli/context.ts'
import { type FlagValues, listFlag, textFlag } from '../../config/flag-kinds.ts'
import { AppError, type ErrorDetail, quotedWord, usageError } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import { parseJson } from '../../wire/json.ts'
import type { MethodsRequest, ReturnMethod } from '../../wire/methods.ts'
import { methodsRequestOf, withoutUnknown } from '../../wire/methods-of-return.ts'
import { at, isRecord, list, objectsIn } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import { methodExplanationsView, methodsView } from './calculate.result.ts'
import { checkMethodsRequest } from './check-request.ts'
import flagOfField from './flag-of-field.json'

const FROM_RETURN = {
  item: listFlag('SKU[:QTY]', 'Item to send back; with a colon in its SKU, QTY is needed; can be repeated'),
  currency: textFlag('CODE', 'Currency of the order'),
  country: textFlag('CODE', 'Country that it is sent from'),
  'postal-code': textFlag('CODE', 'Postal code there'),
  city: textFlag('NAME', 'Town there'),
  reason: textFlag('CODE', 'Why the items come back'),
  vendor: textFlag('NAME', 'Vendor of the items'),
  order: textFlag('ID', 'Order that the items are from'),
}
const WITH_RETURN = {
  tier: textFlag('NAME', "Customer's tier; also with --for"),
  'client-id': textFlag('ID', 'Customer, with --for where the return names none'),
  category: textFlag('NAME', 'Category of the items; also with --for'),
  tag: listFlag('TAG', 'Tag of the items; also with --for, can be repeated'),
  'total-paid': textFlag('AMOUNT', 'What the order cost; also with --for'),
  'total-spent': textFlag('AMOUNT', 'What the customer spent in all; also with --for'),
  'delivered-at': textFlag('DATE', 'Day of the delivery, YYYY-MM-DD; also with --for', {
    dependsOn: ['fulfillment-center'],
  }),
  'fulfillment-center': textFlag('CODE', 'Where the order was sent from; also with --for'),
}
export const methodsRequestFlags = {
  from: textFlag('FILE', 'The whole request as JSON; - for standard input'),
  for: textFlag('RETURN', 'Return to calculate for, by id or name'),
  ...FROM_RETURN,
  ...WITH_RETURN,
}

type MethodsFlags = Partial<FlagValues<typeof methodsRequestFlags>>

const FLAG_OF: Readonly<Record<string, string>> = flagOfField

/** Reads and checks the request (spec §4.6). @throws AppError `usage` that lists every problem */
export async function readMethodsRequest(flags: MethodsFlags, context: Context): Promise<MethodsRequest> {
  const { shop } = await context.settings()
  const input = withDefaults(await inputOf(flags, context), shop?.value)
  const { request, problems, warnings } = checkMethodsRequest(input)
  for (const { path, message } of warnings) await context.warn(`${path} ${message}`)
  if (request) return request
  throw new AppError(
    'usage',
    `The request has ${counted(problems.length, 'problem')}; nothing was calculated.`,
    {
      details: flags.from === undefined ? problems.map(withFlag) : problems,
      hints: problems.some(({ path }) => path === 'client.tier') ? ['--tier GOLD'] : [],
    },
  )
}

function withFlag({ path = '', message, ...rest }: ErrorDetail): ErrorDetail {
  const flag = FLAG_OF[path.replace(/\[\d+\]/, '[]')]
  return { ...rest, path, message: flag === undefined ? message : `${message} (--${flag})` }
}

async function inputOf(flags: MethodsFlags, context: Context): Promise<unknown> {
  const used = (known: object) =>
    Object.keys(known).filter((name) => flags[name as keyof MethodsFlags] !== undefined)
  if (flags.from !== undefined) {
    refuseFlags(used({ for: '', ...FROM_RETURN, ...WITH_RETURN }), '--from: all of it is in the file')
    const hints = ['give one JSON object, with the fields of the service']
    return (await context.input.json(flags.from, hints)).value
  }
  if (flags.for !== undefined) {
    refuseFlags(used(FROM_RETURN), '--for: the return says it itself')
    if (flags.for.trim() === '') throw noneNamed()
    const record = await (await context.connection.lookup()).record(flags.for)
    if (flags['delivered-at'] === undefined) {
      await context.note(
        'The return does not say when the order was delivered: --delivered-at DATE --fulfillment-center CODE checks its window',
      )
    }
    return requestOfReturn(record, flags)
  }
  if (used({ ...FROM_RETURN, ...WITH_RETURN }).length > 0) return requestOfFlags(flags)
  throw usageError(
    'What should the methods be calculated for?',
    '--for RETURN --tier NAME',
    '--item SKU --currency CODE --country CODE --postal-code CODE --client-id ID --tier NAME',
    '--from FILE (or - for standard input)',
  )
}

function refuseFlags(names: readonly string[], why: string) {
  if (names.length === 0) return
  const flags = names.map((name) => `--${name}`).join(', ')
  throw usageError(`${flags} can't be used with ${why}.`)
}

/** Fills in the shop of the settings, and turns a street written as a number into text. */
function withDefaults(input: unknown, shop: string | undefined) {
  if (!isRecord(input)) return input
  const request: Record<string, unknown> = { ...input }
  if (shop !== undefined) request.shopCode ??= shop
  const { originAddress } = request
  if (isRecord(originAddress)) {
    const { line1 } = originAddress
    if (line1 !== undefined && line1 !== null) {
      request.originAddress = { ...originAddress, line1: String(line1) }
    }
  }
  return request
}

function requestOfReturn(record: Return, flags: MethodsFlags): unknown {
  const { ecommerceOrder, returnLineItems, client, ...fields } = methodsRequestOf(record)
  return withoutUnknown({
    ...fields,
    ecommerceOrder: orderOf(ecommerceOrder?.id, flags),
    returnLineItems: returnLineItems.map((item) => ({ ...item, ...goodsOf(flags) })),
    client: clientOf(client.id || flags['client-id'], flags),
  })
}

function requestOfFlags(flags: MethodsFlags): unknown {
  return withoutUnknown({
    currencyCode: flags.currency,
    ecommerceOrder: orderOf(flags.order, flags),
    originAddress: {
      city: flags.city,
      postalCode: flags['postal-code'],
      countryCode: flags.country,
    },
    returnLineItems: flags.item?.map((text) => ({
      ...itemOf(text),
      returnReasonCode: flags.reason,
      productVendor: flags.vendor,
      ...goodsOf(flags),
    })),
    client: clientOf(flags['client-id'], flags),
  })
}

/** Reads `SKU` or `SKU:QTY`. A SKU with a colon needs its quantity. */
function itemOf(text: string) {
  const [, sku = '', quantity = '1'] = /^(.*?)(?::([^:]*))?$/s.exec(text) ?? []
  if (/^\d+$/.test(quantity)) return { sku, quantity: Number(quantity) }
  throw usageError(
    `--item ${quotedWord(text)}: ${JSON.stringify(quantity)} is not a whole number of pieces.`,
    `--item ${quotedWord(`${sku}:1`)}`,
    `--item ${quotedWord(`${text}:1`)} if the colon is part of the SKU`,
  )
}

function goodsOf({ category, tag }: MethodsFlags) {
  return { primaryProductCategory: category, productTags: tag }
}

function orderOf(id: string | undefined, flags: MethodsFlags) {
  const { 'delivered-at': deliverAt, 'fulfillment-center': fulfillmentCenter, 'total-paid': paid } = flags
  if (id === undefined && paid === undefined && fulfillmentCenter === undefined) return undefined
  return {
    id,
    totalPaid: numberOf(paid),
    fulfillments: fulfillmentCenter === undefined ? undefined : [{ deliverAt, fulfillmentCenter }],
  }
}

function clientOf(id: string | null | undefined, flags: MethodsFlags) {
  return { id, tier: flags.tier, totalAmountSpent: numberOf(flags['total-spent']) }
}

/** Returns an exact number, else the text, which the check then reports. */
function numberOf(text: string | undefined): unknown {
  return text !== undefined && /^-?\d+(?:\.\d+)?$/.test(text)
    ? parseJson(text.replace(/^(-?)0+(?=\d)/, '$1'))
    : text
}

interface MethodsResultFlags {
  explain?: boolean
  'include-hidden'?: boolean
}

/** Prints JSON as the service sent it. Tables and CSV are sorted, and leave out what customers don't see. */
export async function renderMethods(request: MethodsRequest, flags: MethodsResultFlags, context: Context) {
  const api = await context.connection.methods()
  if (flags.explain) {
    const { sent, explanations, rest } = await api.explain(request)
    // The author of a rule file with mistakes expects it to be in force.
    for (const problem of list(at(rest.rules, 'problems'))) {
      await context.warn(`the rule file is not in force: ${String(problem)}`)
    }
    const { explanations: _, ...others } = rest
    const envelope = { key: 'explanations', rest: () => ({ returnMethods: sent, ...others }) }
    return context.render({ kind: 'list', items: explanations, view: methodExplanationsView, envelope })
  }
  const { sent, rest } = await api.calculate(request)
  const { output } = await context.settings()
  const isTable = ['table', 'csv'].includes(output.value)
  const items = isTable ? await visibleMethods(objectsIn(sent), flags, context) : sent
  const envelope = { key: 'returnMethods', rest: () => rest }
  await context.render({ kind: 'list', items, view: methodsView, envelope })
}

async function visibleMethods(methods: readonly ReturnMethod[], flags: MethodsResultFlags, context: Context) {
  const shown = flags['include-hidden'] ? methods : methods.filter(({ visible }) => visible !== false)
  const hidden = methods.length - shown.length
  if (hidden > 0)
    await context.note(
      `${counted(hidden, 'method is', 'methods are')} hidden: --include-hidden shows ${hidden === 1 ? 'it' : 'them'}`,
    )
  return byPriority(shown)
}

/** Sorts by priority (1 first, none last), then by code. */
function byPriority(methods: readonly ReturnMethod[]) {
  const rank = ({ priority }: ReturnMethod) =>
    priority === undefined || priority === null ? Number.POSITIVE_INFINITY : Number(String(priority))
  return [...methods].sort((a, b) => {
    const [first, second] = [rank(a), rank(b)]
    if (first !== second) return first < second ? -1 : 1
    return (a.code ?? '') < (b.code ?? '') ? -1 : 1
  })
}
