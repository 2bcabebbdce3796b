import pMap from 'p-map'
import { AppError, appError, type ErrorDetail, unless, usageError } from '../errors.ts'
import { joinParts } from '../wire/raw.ts'
import { fitted } from '../wire/read.ts'
import { identifiersOf, inShop, labelIdFor, nameForms, normalIdentifier } from '../wire/return-names.ts'
import type { Return } from '../wire/returns.ts'
import { returnShape, transportationShape } from '../wire/shapes.ts'
import { trackingNumbersOf } from '../wire/tracking/history.ts'
import type { ActiveTransportation, Transportation } from '../wire/transportations.ts'
import { LOOKUP_LIMITS } from './resource.ts'
import type { ReturnFilters, ReturnsApi } from './returns.ts'

/** Most parts of a name that are tried as its order. */
const MAX_ORDERS = 3

export interface LookupOptions {
  returns: ReturnsApi
  shop: string | undefined
  /** Returns that the mirror finds. */
  candidates?: (text: string) => Promise<readonly Return[]>
  commandLine(words: readonly string[]): Promise<string>
}

export class ReturnLookup {
  /** Records that were read alone, not in a list. */
  readonly #readAlone = new WeakSet<Return>()

  constructor(private readonly options: LookupOptions) {}

  /**
   * Finds a return by name or id, else by forms of the name, else in the mirror.
   * @throws AppError `not-found` that says how to search
   */
  async all(text: string, ofShop?: string): Promise<Return[]> {
    return this.#foundOrFail(text.trim(), await this.find(text, ofShop), ofShop)
  }

  async #foundOrFail(text: string, found: Return[], ofShop?: string) {
    if (found.length > 0) return found
    const search = await this.options.commandLine(['search', text])
    const { shop } = this.options
    throw appError(
      'not-found',
      `No return is named ${text}${inShop(ofShop)}`,
      search,
      ...(shop === undefined ? [] : [`another shop: only ${shop} was searched`]),
    )
  }

  async one(text: string, ofShop?: string): Promise<Return> {
    return onlyOne(text.trim(), await this.all(text, ofShop))
  }

  async named(name: string): Promise<Return> {
    return onlyOne(name, await this.#foundOrFail(name, await this.#named(name)))
  }

  /**
   * Finds a return for an update of its active transport, with its id if the text names it.
   * @throws AppError `usage` if the text names another transport
   */
  async oneToUpdate(
    text: string,
    ofShop?: string,
  ): Promise<{ record: Return; transportId: string | undefined }> {
    const record = await this.one(text, ofShop)
    const { name, activeTransportation: active } = record
    const transportId = await this.transportNamed(text.trim(), record)
    if (transportId === undefined || transportId === active?.id) return { record, transportId }
    const now = active?.id ? `its active one is ${active.id}` : 'none is active now'
    throw usageError(
      `${text.trim()} names transport ${transportId} of ${name}, and ${now}; nothing was sent.`,
      `see what became of both: ${await this.options.commandLine(['returns', 'transportations', name])}`,
      `name the return to update its active transport: ${name}`,
    )
  }

  /** Returns undefined if the text names the return as a whole. */
  async transportNamed(
    text: string,
    { id, name, ecommerceOrder, merchantReturnName, activeTransportation: active }: Return,
  ): Promise<string | undefined> {
    const { names, labelId } = nameForms(text)
    if ([id, merchantReturnName, ecommerceOrder?.id].includes(text) || names.includes(name)) return undefined
    if (labelId) return labelId.transportId
    const isNamed = ({ clientReference, carrierReference }: ActiveTransportation) =>
      clientReference === text || carrierReference === text
    if (active && isNamed(active)) return active.id ?? undefined
    const transports = await transportsOfReturn({ id }, this.options.returns)
    return transports.find((one) => isNamed(one) || trackingNumbersOf(one).includes(text))?.id ?? undefined
  }

  async record(text: string): Promise<Return> {
    return this.fittedWhole(await this.one(text))
  }

  async fittedWhole(record: Return): Promise<Return> {
    return fitted(returnShape, await this.whole(record))
  }

  /** Reads a found return alone, as sent. */
  async whole(record: Return): Promise<Return> {
    return this.#readAlone.has(record) ? record : this.options.returns.get(returnId(record))
  }

  /** @param ofShop shop of the wanted return; `options.shop` limits every search */
  async find(text: string, ofShop?: string): Promise<Return[]> {
    for await (const records of this.#readings(text)) {
      const found = records.filter(({ shopCode }) => ofShop === undefined || shopCode === ofShop)
      if (found.length > 0) return found
    }
    return []
  }

  /** Yields what each reading of the text finds, likeliest first. */
  async *#readings(text: string): AsyncGenerator<Return[]> {
    const trimmed = text.trim()
    const { names, orders, labelId, isIdLike } = nameForms(text)
    if (isIdLike) yield ifFound(await this.#byId(trimmed))
    for (const [index, order] of orders.entries()) {
      const ofOrder = await this.#ofOrder(order)
      // `COL-2` may be an order, or the second return of `COL`.
      if (ofOrder.length > 0 && /-\d{1,2}$/.test(order))
        ofOrder.push(...(await this.#named(names[index] ?? '')))
      yield [...new Map(ofOrder.map((record) => [record.id, record])).values()]
    }
    for (const name of names) yield await this.#named(name)
    if (labelId) yield await this.#byLabelId(labelId)
    if (/^\d+$/.test(trimmed)) yield await this.#ofDigits(trimmed)
    yield await this.#inMirror(trimmed)
    yield ifFound(await this.byClientReference(trimmed))
    yield ifFound(await this.#ofMerchant(trimmed))
  }

  /** Tries the prefixes of the newest orders: `LU105189` for `105189`. */
  async #ofDigits(digits: string) {
    const { records } = await this.options.returns.listPage({})
    const starts = records.map(
      ({ ecommerceOrder }) => /^(\D+)\d+$/.exec(ecommerceOrder?.name ?? '')?.[1] ?? '',
    )
    const known = [...new Set(starts)].filter((start) => start !== '')
    return (await pMap(known, (start) => this.#ofOrder(start + digits), LOOKUP_LIMITS)).flat()
  }

  #ofMerchant(name: string) {
    const mayBeMerchantName = /[^\p{L}\p{N}]/u.test(name) && !name.startsWith('P#R#')
    return mayBeMerchantName ? this.byMerchantName(name) : undefined
  }

  #ofOrder(order: string) {
    return this.#list({ order }, ({ ecommerceOrder: one }) => one?.name === order || one?.id === order)
  }

  #named(name: string) {
    return this.#list({ name }, (one) => one.name === name)
  }

  /**
   * Finds a client reference by the order's name in it, since the service can't search for it (spec §4.7).
   */
  async byClientReference(reference: string): Promise<Return | undefined> {
    if (!reference.startsWith('P#R#')) return undefined
    const { records } = await this.options.returns.listPage({})
    const starts = new Set(records.flatMap((record) => referenceStart(record) ?? []))
    const rests = [...starts].flatMap((start) =>
      reference.startsWith(start) ? [reference.slice(start.length)] : [],
    )
    const orders = rests.flatMap((rest) => [rest, rest.replace(/-\d+$/, '')])
    return this.#ofOrders(
      orders,
      ({ activeTransportation }) => activeTransportation?.clientReference === reference,
    )
  }

  /** Tries beginnings of the name as orders. */
  async byMerchantName(name: string): Promise<Return | undefined> {
    const orders = [...name.matchAll(/[^\p{L}\p{N}]/gu)].map(({ index }) => name.slice(0, index)).reverse()
    return this.#ofOrders(
      [name, ...orders.slice(0, MAX_ORDERS)],
      ({ merchantReturnName }) => merchantReturnName === name,
    )
  }

  /** Reads the mirror's candidates from the service: a code may have moved to another return. */
  async #inMirror(text: string) {
    const found: Return[] = []
    for (const { id } of (await this.options.candidates?.(text)) ?? []) {
      const one = id && (await this.#byId(id))
      if (!one) continue
      const transports = await transportsOfReturn(one, this.options.returns)
      const labels = transports.map(({ id: transport }) => normalIdentifier(labelIdFor(one.name, transport)))
      if (identifiersOf(one, transports).concat(labels).includes(normalIdentifier(text))) found.push(one)
    }
    return found
  }

  async #byId(id: string) {
    // Platforms may refuse an impossible id by other statuses than 404.
    const record = await unless(this.options.returns.get(id), 'not-found', 'rejected')
    if (record) this.#readAlone.add(record)
    return record
  }

  async #list(filters: ReturnFilters, isMeant: (record: Return) => boolean) {
    const page = await unless(this.options.returns.listPage(filters), 'not-found')
    // Filters may match more than the exact name.
    return page?.records.filter(isMeant) ?? []
  }

  async #byLabelId({ name, transportId }: { name: string; transportId: string }) {
    const { returns } = this.options
    const found: Return[] = []
    for (const record of await this.#named(name)) {
      const isActive = record.activeTransportation?.id === transportId
      const { records } = !isActive && record.id ? await returns.transportations(record.id) : { records: [] }
      if (isActive || records.some(({ id }) => id === transportId)) found.push(record)
    }
    return found
  }

  async #ofOrders(orders: readonly string[], isMeant: (record: Return) => boolean) {
    for (const order of new Set(orders.filter((one) => one !== ''))) {
      const [found, ...others] = await this.#list({ order }, isMeant)
      if (found) return others.length === 0 ? found : undefined
    }
    return undefined
  }
}

function ifFound(record: Return | undefined) {
  return record ? [record] : []
}

export async function transportsOfReturn(
  { id }: Pick<Return, 'id'>,
  returns: ReturnsApi,
): Promise<readonly Transportation[]> {
  if (!id) return []
  const page = await unless(returns.transportations(id), 'not-found', 'rejected', 'contract')
  return page?.records.map((each) => fitted(transportationShape, each)) ?? []
}

/** @throws AppError `contract` */
export function returnId({ id, name }: Return): string {
  if (typeof id === 'string' && id !== '') return id
  throw new AppError('contract', `The service gives no id for the return${name ? ` ${name}` : ''}`)
}

function listedReturn({ name, id, status, shopCode }: Return): ErrorDetail {
  return { path: name, message: joinParts([`id ${id ?? 'unknown'}`, status, `shop ${shopCode}`]) }
}

/** `P#R#LU` if order 1001 has the transport `P#R#LU1001-2`. */
function referenceStart({ activeTransportation, ecommerceOrder }: Return) {
  const reference = activeTransportation?.clientReference
  const order = ecommerceOrder?.name
  const end = reference && order ? reference.indexOf(order, 'P#R#'.length) : -1
  return end === -1 ? undefined : reference?.slice(0, end)
}

function onlyOne(text: string, found: readonly Return[]) {
  const [only] = found
  if (only && found.length === 1) return fitted(returnShape, only)
  const shops = new Set(found.map(({ shopCode }) => shopCode))
  const names = new Set(found.map(({ name }) => name))
  throw new AppError('usage', `${text} names ${found.length} returns; one is needed.`, {
    details: found.map(listedReturn),
    hints: [
      names.size > 1 ? 'give the name of one of them' : 'give the id of one of them',
      ...(shops.size > 1 ? [`or choose a shop: --shop ${[...shops][0]}`] : []),
    ],
  })
}
