import { plainText } from './plain.ts'
import { asText, at, list } from './raw.ts'
import type { Return } from './returns.ts'
import type { Transportation } from './transportations.ts'

const START = 'R#-'
const REFERENCE_START = 'P#R#'

/** Shells take a word after `#` for a comment. */
export const HASH_HINT = 'leave the # out: to the shell it begins a comment'

/** Ways to read a text. */
interface NameForms {
  /** The likeliest is first (`R#-{ORDER_NAME}`, spec §2.1). */
  names: readonly string[]
  orders: readonly string[]
  /** Parts of a label's id, `{name}-T{transport id}`. */
  labelId: { name: string; transportId: string } | undefined
  isIdLike: boolean
}

/** Reads `LU105189`, `#LU105189`, `lu105189`, `R#-LU105189` and `R#LU105189`. */
export function nameForms(text: string): NameForms {
  const trimmed = text.trim()
  const { start, rest } = parts(trimmed)
  if (rest === '' || trimmed.toUpperCase().startsWith(REFERENCE_START)) {
    return { names: [], orders: [], labelId: undefined, isIdLike: false }
  }
  const orders = unique([rest, rest.toUpperCase()])
  const isName = /^R#/i.test(start)
  const names = orders.map((order) => START + order)
  return {
    names: isName ? unique([trimmed, ...names]) : names,
    orders: isName ? [] : start === '#' ? [...orders, trimmed] : orders,
    labelId: parseLabelId(trimmed) ?? parseLabelId(names.at(-1) ?? ''),
    isIdLike: start === '',
  }
}

export function beginsAsName(text: string) {
  return text.startsWith(START)
}

/** True for names of returns only. */
export function isPlainName(text: string) {
  return beginsAsName(text) && parseLabelId(text) === undefined
}

type Part = string | number | null | undefined

/** Default id of a label (`clientShipmentId`) for a transport of a return. */
export function labelIdFor(name: Part, transportId: Part): string {
  return `${name}-T${transportId}`
}

/** Reads a label's id. Only UUIDs may hold hyphens, since names do. */
export function parseLabelId(id: string): NameForms['labelId'] {
  const [, name, transportId] =
    /^(R#-.+)-T([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[^-\s]+)$/i.exec(id) ?? []
  return name && transportId ? { name, transportId } : undefined
}

/** Returns the name in a label's id, else the id. */
export function returnNameIn(id: string): string {
  return parseLabelId(id)?.name ?? id
}

/** `R#-LU105189` for `LU105189`, `#LU105189` and `r#-LU105189`. */
export function canonicalName(text: string): string {
  const { rest } = parts(text.trim())
  return rest === '' ? text : START + rest
}

function parts(text: string) {
  const [, start = '', rest = ''] = /^(R?#-?)?(.*)$/is.exec(text) ?? []
  return { start, rest }
}

function unique(texts: readonly string[]) {
  return [...new Set(texts)]
}

const PLAIN = /^[\x21-\x7e]*$/

/** Returns one spelling for all forms of a name, id or code: `R#-lu105189`, `#LU105189` and `LU 105189`. */
export function normalIdentifier(text: string): string {
  const plain = PLAIN.test(text)
    ? text.toUpperCase()
    : text
        .normalize('NFKC')
        .toUpperCase()
        .replace(/[\s\0\p{Surrogate}]+/gu, '')
  return plain.startsWith('#') || plain.startsWith('R#-') ? plain.replace(/^(?:R#-|#)/, '') : plain
}

/** Reads a label's id in any spelling: `R#-LU105189-T7` is for transport 7 of that return. */
export function parseLooseLabelId(text: string): NameForms['labelId'] {
  const [, name, transportId] = /^(.+)-T([^-]+)$/.exec(normalIdentifier(text)) ?? []
  return name === undefined || transportId === undefined ? undefined : { name, transportId }
}

export function identifiersOf(record: Return, transportations: readonly Transportation[] = []): string[] {
  const order = at(record, 'ecommerceOrder')
  const texts: unknown[] = [record.id, record.merchantReturnName]
  // Same values as in the columns that lists are filtered by.
  texts.push(plainText(record.name), plainText(at(order, 'id')), plainText(at(order, 'name')))
  for (const transport of [record.activeTransportation, ...transportations]) {
    texts.push(
      asText(at(transport, 'clientReference')),
      asText(at(transport, 'carrierReference')),
      asText(at(transport, 'carrierPickupReference')),
    )
    for (const label of list(at(transport, 'shippingLabels'))) {
      texts.push(asText(at(label, 'carrierTrackingCode')))
      texts.push(...list(at(label, 'additionalTrackingCodes')).map(asText))
    }
  }
  return normalIdentifiers(texts.filter((text) => typeof text === 'string'))
}

export function normalIdentifiers(texts: readonly string[]): string[] {
  return [...new Set(texts.map(normalIdentifier))].filter((value) => value !== '')
}

/** Completes `No return is named LU105189`, where a file names the shop. */
export function inShop(shop: string | undefined): string {
  return shop === undefined ? '' : ` in the shop ${shop}`
}
