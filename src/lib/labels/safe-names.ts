import { createHash } from 'node:crypto'
import { labelForm } from '../wire/return-names.ts'
import type { LabelFormat } from './format.ts'

export interface LabelPlace {
  clientShipmentId: string
  /** Number of the parcel, from 1. */
  parcel: number
  parcels: number
  /** True for the code that hands over a parcel without a label (spec §2.6). */
  isCode: boolean
}

/** Ids that serve as file names. Only upper case, as `ABC` and `abc` are one file on some disks. */
const PLAIN = /^[A-Z0-9](?:[A-Z0-9_-]*[A-Z0-9])?$/
/** The platform's names such as `R#-1001`, which drop their `#`. Ids that begin with `R-` are therefore not plain. */
const RETURN_NAME = /^R#-(?=[A-Z0-9])/
/** Ids of transports that serve as part of a file name. */
const PLAIN_TRANSPORT = /^[A-Z0-9]{1,40}$/
const OWN_ENDING = /-(?:\d+OF\d+|CODE)$/i
/** Windows opens a device by these names, whatever the extension. */
const DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN|CONOUT|CLOCK|COM\d|LPT\d)$/i
const MAX_CHARS = 80

/** `SHP-1.pdf`, `SHP-1-2of3.pdf` of several parcels, `SHP-1-code.png` for a label-free code. */
export function labelFileName(
  stem: string,
  { parcel, parcels, isCode }: Omit<LabelPlace, 'clientShipmentId'>,
  format: LabelFormat,
): string {
  // The platform names the second return of an order `SHP-1-2`.
  const number = parcels > 1 ? `-${parcel}of${parcels}` : ''
  return `${stem}${number}${isCode ? '-code' : ''}.${format.toLowerCase()}`
}

/** Returns the stem that `labelFileName` made a name from. */
export function stemOfFile(name: string): string {
  return name.replace(/\.[^.]*$/, '').replace(/(?:-\d+of\d+)?(?:-code)?$/, '')
}

/**
 * Returns a unique safe name: `R-LU1.T77` for a return's transport. Other ids that are no safe or unique file name get
 * a part of their hash (`ship-1.5e1bb2ba9d`).
 */
export function shipmentStem(id: string): string {
  const ofLabel = labelForm(id.trim())
  const name = ofLabel && plainStem(ofLabel.name)
  const isPlain = name !== undefined && ofLabel && PLAIN_TRANSPORT.test(ofLabel.transportId)
  return isPlain ? `${name}.T${ofLabel.transportId}` : (plainStem(id) ?? hashedStem(id))
}

/** Returns the name without the transport, `R-LU1`, which a return's other labels share. */
export function returnStem(id: string): string {
  const ofLabel = labelForm(id.trim())
  return ofLabel ? safeStem(ofLabel.name) : shipmentStem(id)
}

export function safeStem(text: string): string {
  return plainStem(text) ?? hashedStem(text)
}

/** True if a name looks like that of one parcel or a code, or opens a device. */
export function isMisleading(stem: string): boolean {
  return OWN_ENDING.test(stem) || DEVICE.test(stem.replace(/\..*$/, ''))
}

function plainStem(id: string): string | undefined {
  const name = id.replace(RETURN_NAME, 'R-')
  const isTaken = name === id && id.startsWith('R-')
  const isPlain = !isTaken && name.length <= MAX_CHARS && PLAIN.test(name) && !isMisleading(name)
  return isPlain ? name : undefined
}

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
