import { createHash } from 'node:crypto'
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
/** Endings that this file gives to names. */
const OWN_ENDING = /-(?:\d+OF\d+|CODE)$/
/** Windows opens a device by these, whatever the extension. */
const DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN|CONOUT|CLOCK|COM\d|LPT\d)$/i
const MAX_CHARS = 80

/**
 * `SHP-1.pdf`, `SHP-1-2of3.pdf` of several parcels, `SHP-1-code.png` for a label-free code: a safe name whatever the id
 * is. Ids that are none, or would be another's on disks that ignore case, get a part of their hash
 * (`ship-1.5e1bb2ba9d.pdf`). Parcels are not `SHP-1-2`, as the platform names the second return of an order like that.
 */
export function labelFileName(place: LabelPlace, format: LabelFormat): string {
  const { clientShipmentId, parcel, parcels, isCode } = place
  const number = parcels > 1 ? `-${parcel}of${parcels}` : ''
  return `${stem(clientShipmentId)}${number}${isCode ? '-code' : ''}.${format.toLowerCase()}`
}

function stem(id: string): string {
  const name = id.replace(RETURN_NAME, 'R-')
  const isTaken = name === id && id.startsWith('R-')
  if (
    !isTaken &&
    name.length <= MAX_CHARS &&
    PLAIN.test(name) &&
    !OWN_ENDING.test(name) &&
    !DEVICE.test(name)
  ) {
    return name
  }
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
