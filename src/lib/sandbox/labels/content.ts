import anyAscii from 'any-ascii'
import { addressLines } from '../../wire/address-lines.ts'
import type { TextValue } from '../../wire/read.ts'
import { toNumber } from '../http/received-request.ts'
import type { CarrierConnection } from './connections.ts'
import { crossesCustoms, type Declaration, declare, declaredItems } from './customs.ts'
import type { ReceivedLabelRequest } from './request.ts'

/** Windows-1252: what fonts of PDF and printers have. */
const LATIN = /^[\x20-\x7e\xa1-\xac\xae-\xff€‚ƒ„…†‡ˆ‰Š‹ŒŽ‘’“”•–—˜™š›œžŸ]*$/

/** Fitting takes quadratic time. */
const MAX_LENGTH = 300
/** Marks and controls take no room, so more is read than is shown. */
const MAX_READ = 4 * MAX_LENGTH

/** Western European letters, one `?` a stretch without such a form. */
export function printable(text: string): string {
  return [...text.slice(0, MAX_READ).normalize('NFC')]
    .map(printableCharacter)
    .join('')
    .replace(/\ufffd+/g, '?')
    .replace(/ {2,}/g, ' ')
    .slice(0, MAX_LENGTH)
    .trim()
}

export function shortened(text: string): string {
  return `${text.replace(/…$/, '').slice(0, -1)}…`
}

function printableCharacter(character: string): string {
  if (LATIN.test(character)) return character
  if (/^[\s\p{Cc}\xa0]$/u.test(character)) return ' '
  if (/^[\p{Cf}\p{M}]$/u.test(character)) return ''
  return anyAscii(character) || '\ufffd'
}

export interface LabelContent {
  carrier: string
  service: string
  title: 'RETURN' | 'DELIVERY'
  trackingCode: string
  sender: string[]
  receiver: { name: string; lines: string[]; place: string; country: string; phone: string }
  facts: (readonly [name: string, value: string])[]
  pudo: string | undefined
  customs: Declaration | undefined
}

const regions = new Intl.DisplayNames('en', { type: 'region', fallback: 'code' })

export interface LabelFacts {
  request: ReceivedLabelRequest
  connection: CarrierConnection
  /** Counts from 0. */
  parcel: number
  trackingCode: string
  /** Ms. */
  now: number
}

export function labelContent({ request, connection, parcel, trackingCode, now }: LabelFacts): LabelContent {
  const { origin, destination, shipper } = request
  const place = writtenAddress(destination.address)
  return {
    carrier: printable(connection.carrierName),
    service: printable(connection.serviceName),
    title: request.shipmentType,
    trackingCode,
    sender: shown([origin.fullName, ...writtenAddress(origin.address).all, plain(origin.phone)]),
    receiver: {
      name: printable(destination.fullName),
      lines: shown(place.lines),
      place: printable(place.place),
      country: printable(place.country),
      phone: printable(plain(destination.phone)),
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
    ['Reference', [request.clientShipmentId, request.clientShipmentName ?? ''].filter(Boolean).join(' · ')],
    ['Parcel', `${position + 1} of ${Math.max(1, parcels.length)}`],
    ['Date', new Date(now).toISOString().slice(0, 10)],
    ['Weight', Number.isFinite(grams) ? `${(grams / 1000).toFixed(grams < 100 ? 3 : 2)} kg` : ''],
    ['Size', sizes.every(Number.isFinite) ? `${sizes.join(' x ')} cm` : ''],
    ['Contents', parcel === undefined ? '' : plain(parcel.description)],
    ['Account', shipper],
  ]
  return facts.map(([name, value]) => [name, printable(value)] as const).filter(([, value]) => value !== '')
}

function pudoText({ carrierOptions }: ReceivedLabelRequest): string | undefined {
  const pudo = carrierOptions?.pudoOptions
  if (!pudo?.pudoEnabled) return undefined
  return shown([pudo.pudoName ?? '', pudo.pudoCode ?? '']).join(' · ') || 'Any service point'
}

function declaration(request: ReceivedLabelRequest, parcel: number): Declaration | undefined {
  const items = declaredItems(request, parcel)
  if (!crossesCustoms(request) || items.length === 0) return undefined
  const found = declare(items, request)
  return {
    ...found,
    items: found.items.map((item) => ({
      ...item,
      description: printable(item.description),
      originCountryCode: printable(item.originCountryCode),
      currency: printable(item.currency),
    })),
    totalValue: printable(found.totalValue),
    exportTrackingNumber:
      found.exportTrackingNumber === undefined ? undefined : printable(found.exportTrackingNumber),
  }
}

function writtenAddress(address: ReceivedLabelRequest['destination']['address']) {
  if (!address) return { lines: [], place: '', country: '', all: [] }
  const { street, place, all } = addressLines(address)
  const country = regions.of(address.countryCode) ?? address.countryCode
  // Large and on one line, for those who sort parcels.
  return { lines: street, place: place.join(' '), country, all: [...all, country] }
}

function shown(lines: readonly string[]): string[] {
  return lines.map(printable).filter((line) => line !== '')
}

function plain(value: TextValue): string {
  return String(value)
}
