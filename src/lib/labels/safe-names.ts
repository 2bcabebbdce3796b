import { createHash } from 'node:crypto'
import { labelForm } from '../wire/return-names.ts'
import type { LabelFormat } from './format.ts'

export interface LabelPlace {
  clientShipmentId: string
  /** Number of the parcel, from 1, and of how many. */
  parcel: number
  parcels: number
  /** The code that hands over a parcel without a label (spec §2.6), not a label. */
  isCode: boolean
}

/** Ids that are file names already. Upper case only: `ABC` and `abc` are two ids but one file on some disks. */
const PLAIN = /^[A-Z0-9](?:[A-Z0-9_-]*[A-Z0-9])?$/
/** The platform's own names, `R#-1001`, which drop their `#`; so an id that begins with `R-` is not plain. */
const RETURN_NAME = /^R#-(?=[A-Z0-9])/
/** Ids of transports that follow the return's name as they are. */
const PLAIN_TRANSPORT = /^[A-Z0-9]{1,40}$/
/** Endings that this file gives to names. */
const OWN_ENDING = /-(?:\d+OF\d+|CODE)$/i
/** Windows opens a device by these, whatever the extension. */
const DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN|CONOUT|CLOCK|COM\d|LPT\d)$/i
const MAX_CHARS = 80

/** `SHP-1.pdf`, `SHP-1-2of3.pdf` of several parcels, `SHP-1-code.png` for a label-free code. */
export function labelFileName(
  stem: string,
  { parcel, parcels, isCode }: Omit<LabelPlace, 'clientShipmentId'>,
  format: LabelFormat,
): string {
  // Not `SHP-1-2`, as the platform names the second return of an order like that.
  const number = parcels > 1 ? `-${parcel}of${parcels}` : ''
  return `${stem}${number}${isCode ? '-code' : ''}.${format.toLowerCase()}`
}

/** What `labelFileName` made a name from, or may have made it from. */
export function stemOfFile(name: string): string {
  return name.replace(/\.[^.]*$/, '').replace(/(?:-\d+of\d+)?(?:-code)?$/, '')
}

/**
 * A safe name that no other shipment has, whatever the id is: `R-LU1.T77` for the label of a return's transport. Ids
 * that are none, or would be another's on disks that ignore case, get a part of their hash (`ship-1.5e1bb2ba9d`).
 */
export function shipmentStem(id: string): string {
  const ofLabel = labelForm(id.trim())
  const name = ofLabel && plainStem(ofLabel.name)
  const isPlain = name !== undefined && ofLabel && PLAIN_TRANSPORT.test(ofLabel.transportId)
  return isPlain ? `${name}.T${ofLabel.transportId}` : (plainStem(id) ?? hashedStem(id))
}

/** The same without the transport: `R-LU1`. Labels of a return's other transports would have it as well. */
export function returnStem(id: string): string {
  const ofLabel = labelForm(id.trim())
  return ofLabel ? safeStem(ofLabel.name) : shipmentStem(id)
}

/** A safe name for a text; others for other texts. */
export function safeStem(text: string): string {
  return plainStem(text) ?? hashedStem(text)
}

/** Whether a name could be taken for that of one parcel, or opens a device. */
export function isMisleading(stem: string): boolean {
  return OWN_ENDING.test(stem) || DEVICE.test(stem.replace(/\..*$/, ''))
}

function plainStem(id: string): string | undefined {
  const name = id.replace(RETURN_NAME, 'R-')
  const isTaken = name === id && id.startsWith('R-')
  const isPlain = !isTaken && name.length <= MAX_CHARS && PLAIN.test(name) && !isMisleading(name)
  return isPlain ? name : undefined
}

/** One with a part of the text's hash. */
export function hashedStem(id: string): string {
  const readable = id
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^A-Za-z0-9_]+/g, '-')
    .slice(0, MAX_CHARS)
    .replace(/^[-_]+|[-_]+$/g, '')
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 10)
  if (readable === '') return `label.${hash}`
  return DEVICE.test(readable) ? `label-${readable}.${hash}` : `${readable}.${hash}`
}
