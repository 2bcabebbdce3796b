import { plainText } from '../../wire/plain.ts'
import { asText, at, list } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import type { Transportation } from '../../wire/transportations.ts'

const PLAIN = /^[\x21-\x7e]*$/

/** One text for all forms of a name, an id or a code: `R#-lu105189`, `#LU105189` and `LU 105189`. */
export function normalIdentifier(text: string): string {
  const plain = PLAIN.test(text) ? text.toUpperCase() : normalText(text)
  return plain.startsWith('#') || plain.startsWith('R#-') ? plain.replace(/^(?:R#-|#)/, '') : plain
}

function normalText(text: string): string {
  return text
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[\s\0\p{Surrogate}]+/gu, '')
}

/** Reads an id that a label was made under: `R#-LU105189-T7` is the transport 7 of that return. */
export function readLabelId(text: string): { name: string; transportId: string } | undefined {
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
  const normal = texts.flatMap((text) => (typeof text === 'string' ? [normalIdentifier(text)] : []))
  return [...new Set(normal)].filter((text) => text !== '')
}
