import anyAscii from 'any-ascii'
import { addressLines } from '../../wire/address-lines.ts'
import { digitsOf } from '../../wire/money.ts'
import { joinParts } from '../../wire/raw.ts'
import { toNumber } from '../http/received-request.ts'
import { type CarrierConnection, crossesCustoms } from './connections.ts'
import { isDrawn } from './glyphs.ts'
import type { LabelItem, ReceivedLabelRequest } from './request.ts'

/** Windows-1252, the characters of PDF and printer fonts. */
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/** Mark of Japanese printers for characters that they lack. */
const MISSING = '〓'

/** Fitting takes quadratic time. */
const MAX_LENGTH = 300
/** Marks and controls take no room, so more is read than is shown. */
const MAX_READ = 4 * MAX_LENGTH

/** Replaces each unprintable run by one `?`. */
export function printable(text: string, isJapanese = false): string {
  const wide = /[\uff01-\uff9f]+/g
  const read = text.slice(0, MAX_READ).normalize('NFC')
  return [...read.replace(wide, (letters) => letters.normalize('NFKC'))]
    .map((character) => (isJapanese && japanese(character)) || printableCharacter(character))
    .join('')
    .replace(/\ufffd+/g, '?')
    .replace(/ {2,}/g, ' ')
    .slice(0, MAX_LENGTH)
    .trim()
}

/** Leaves out Kanji: romanised as Chinese, Japanese names would be wrong. */
function japanese(character: string) {
  if (isDrawn(character)) return character
  return /\p{Script=Han}/u.test(character) ? MISSING : undefined
}

function printableCharacter(character: string) {
  if (LATIN.test(character)) return character
  if (/^[\s\p{Cc}\xa0]$/u.test(character)) return ' '
  if (/^[\p{Cf}\p{M}]$/u.test(character)) return ''
  return anyAscii(character) || '\ufffd'
}

export type Declaration = NonNullable<LabelContent['customs']>

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

export interface LabelFacts {
  request: ReceivedLabelRequest
  connection: CarrierConnection
  /** Counts from 0. */
  parcel: number
  trackingCode: string
  /** Epoch milliseconds. */
  now: number
}

export type LabelContent = ReturnType<typeof labelContent>

export function labelContent({ request, connection, parcel, trackingCode, now }: LabelFacts) {
  const { origin, destination, shipper } = request
  const print = printing(request)
  const place = writtenAddress(destination.address)
  return {
    carrier: print(connection.carrierName),
    service: print(connection.serviceName),
    title: request.shipmentType,
    trackingCode,
    sender: shown([origin.fullName, ...writtenAddress(origin.address).all, String(origin.phone)], print),
    receiver: {
      name: print(destination.fullName),
      lines: shown(place.lines, print),
      place: print(place.place),
      country: print(place.country),
      phone: print(String(destination.phone)),
    },
    facts: facts(request, parcel, now, shipper?.fullName ?? ''),
    pudo: pudoText(request),
    customs: declaration(request, parcel),
  }
}

function facts(request: ReceivedLabelRequest, position: number, now: number, shipper: string) {
  const parcels = request.parcels ?? []
  const parcel = parcels[position]
  const grams = toNumber(parcel?.weight)
  const sizes = [parcel?.length, parcel?.width, parcel?.height].map(toNumber)
  const facts: [string, string][] = [
    ['Reference', joinParts([request.clientShipmentId, request.clientShipmentName], ' · ')],
    ['Parcel', `${position + 1} of ${Math.max(1, parcels.length)}`],
    ['Date', new Date(now).toISOString().slice(0, 10)],
    ['Weight', Number.isFinite(grams) ? `${(grams / 1000).toFixed(grams < 100 ? 3 : 2)} kg` : ''],
    ['Size', sizes.every(Number.isFinite) ? `${sizes.join(' x ')} cm` : ''],
    ['Contents', parcel === undefined ? '' : String(parcel.description)],
    ['Account', shipper],
  ]
  const print = printing(request)
  return facts.map(([name, value]) => [name, print(value)] as const).filter(([, value]) => value !== '')
}

function pudoText(request: ReceivedLabelRequest) {
  const pudo = request.carrierOptions?.pudoOptions
  if (!pudo?.pudoEnabled) return undefined
  return (
    shown([pudo.pudoName ?? '', pudo.pudoCode ?? ''], printing(request)).join(' · ') || 'Any service point'
  )
}

/** Revision 1.2.10 has one list, which goes with the first parcel. */
function declaredItems(request: ReceivedLabelRequest, parcel: number): readonly LabelItem[] {
  if (!request.customsInfo) return request.parcels?.[parcel]?.items ?? []
  return parcel === 0 ? request.customsInfo : []
}

/** Decided: an item's weight is that of one unit. */
function declaration(request: ReceivedLabelRequest, parcel: number) {
  const declared = declaredItems(request, parcel)
  if (!crossesCustoms(request) || declared.length === 0) return undefined
  const print = printing(request)
  const items = declared.map((item) => {
    const quantity = toNumber(item.quantity)
    return {
      description: print(item.description ?? ''),
      hsCode: (item.hsCode ?? '').replace(/[ .]/g, ''),
      originCountryCode: print(item.originCountryCode ?? ''),
      quantity,
      /** Kilograms of all units. 0 if not declared. */
      weightKg: (toNumber(item.weight) || 0) * quantity,
      value: toNumber(item.unitPrice) * quantity,
      currency: print(item.currencyCode ?? ''),
    }
  })
  const values = new Map<string, number>()
  for (const { value, currency } of items) values.set(currency, (values.get(currency) ?? 0) + value)
  const exportTrackingNumber = request.carrierOptions?.customsOptions?.exportTrackingNumber
  return {
    items,
    totalWeightKg: items.reduce((sum, { weightKg }) => sum + weightKg, 0),
    totalValue: print([...values].map(([currency, value]) => money(value, currency)).join(' + ')),
    exportTrackingNumber: exportTrackingNumber ? print(exportTrackingNumber) : undefined,
  }
}

export function money(value: number, currency: string): string {
  return `${value.toFixed(currency ? digitsOf(currency) : 2)} ${currency}`.trim()
}

function writtenAddress(address: ReceivedLabelRequest['destination']['address']) {
  const { street, place, all } = addressLines(address)
  const country = regions.of(address.countryCode) ?? address.countryCode
  return { lines: street, place: place.join(' '), country, all: [...all, country] }
}

function printing({ origin, destination }: ReceivedLabelRequest): (text: string) => string {
  const isJapanese = [origin, destination].some(({ address }) => address.countryCode === 'JP')
  return (text) => printable(text, isJapanese)
}

function shown(lines: readonly string[], print: (text: string) => string) {
  return lines.map(print).filter((line) => line !== '')
}
