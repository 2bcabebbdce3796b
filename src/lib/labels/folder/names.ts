import { hash } from 'node:crypto'
import { usageError } from '../../errors.ts'
import { parseLabelId } from '../../wire/return-names.ts'
import type { LabelFormat } from './label-bytes.ts'

export interface LabelKey {
  clientShipmentId: string
  parcel: number
  parcels: number
  /** True for the code that hands over a parcel without a label (spec §2.6). */
  isCode: boolean
}

/** Ids that serve as file names: upper case only, as `ABC` and `abc` are one file on some disks. */
const PLAIN = /^[A-Z0-9](?:[A-Z0-9_-]*[A-Z0-9])?$/
const PARCEL_ENDING = /-(?:\d+OF\d+|CODE)$/i
/** Windows opens a device by these names, whatever the extension. */
const DEVICE = /^(?:CON|PRN|AUX|NUL|CONIN|CONOUT|CLOCK|COM\d|LPT\d)$/i
const MAX_CHARS = 80
export const LABEL_EXTENSION = /\.(?:pdf|zpl|png)$/i

/** `SHP-1.pdf`, `SHP-1-2of3.pdf` of several parcels, `SHP-1-code.png` for a label-free code. */
export function labelFileName(
  stem: string,
  { parcel, parcels, isCode }: Omit<LabelKey, 'clientShipmentId'>,
  format: LabelFormat,
): string {
  // `SHP-1-2` would be the order's second return.
  const number = parcels > 1 ? `-${parcel}of${parcels}` : ''
  return `${stem}${number}${isCode ? '-code' : ''}.${format.toLowerCase()}`
}

export function stemOfFile(name: string): string {
  return name.replace(/\.[^.]*$/, '').replace(/(?:-\d+of\d+)?(?:-code)?$/, '')
}

/** Returns `R-LU1.T77` for a return's transport, and a name with a hash for ids that are unsafe names. */
export function shipmentStem(id: string): string {
  const labelId = parseLabelId(id.trim())
  const name = labelId && plainStem(labelId.name)
  return name !== undefined && labelId && /^[A-Z0-9]{1,40}$/.test(labelId.transportId)
    ? `${name}.T${labelId.transportId}`
    : safeStem(id)
}

/** Returns `R-LU1`, which a return's other labels share. */
export function returnStem(id: string): string {
  const labelId = parseLabelId(id.trim())
  return labelId ? safeStem(labelId.name) : shipmentStem(id)
}

function safeStem(text: string) {
  return plainStem(text) ?? hashedStem(text)
}

function isMisleading(stem: string) {
  return PARCEL_ENDING.test(stem) || DEVICE.test(stem.replace(/\..*$/, ''))
}

/** `R#-1001` becomes `R-1001`, so ids that begin with `R-` get a hash. */
function plainStem(id: string) {
  const name = id.replace(/^R#-(?=[A-Z0-9])/, 'R-')
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
  const digest = hash('sha256', id).slice(0, 10)
  if (readable === '') return `label.${digest}`
  return DEVICE.test(readable) ? `label-${readable}.${digest}` : `${readable}.${digest}`
}

const NAME_FIELDS = ['name', 'carrier', 'service', 'shop', 'order', 'date'] as const

/** `name` is a safe file name already. */
type NameFields = Record<(typeof NAME_FIELDS)[number], string | undefined>

/** Reads `{carrier}/{date}/{name}`. */
export function parseNameTemplate(template: string): (fields: NameFields) => string {
  const refused = (why: string) =>
    usageError(`--name ${template}: ${why}.`, "for example: --name '{carrier}/{date}/{name}'")
  const parts = template.split(/\{([^{}]*)\}/).map((part, index) => {
    if (index % 2 === 0) {
      if (/^[A-Za-z0-9 ._/-]*$/.test(part)) return () => part
      throw refused(`${JSON.stringify(part)}: letters, digits, spaces and . _ - / only`)
    }
    const field = NAME_FIELDS.find((one) => one === part)
    if (!field) throw refused(`{${part}} is not one of ${NAME_FIELDS.map((one) => `{${one}}`).join(', ')}`)
    return (fields: NameFields) => {
      const value = fields[field] ?? 'none'
      return field === 'name' ? value : safeStem(value)
    }
  })
  if (LABEL_EXTENSION.test(template)) throw refused('leave the ending to the label')
  return (fields) => {
    const path = parts.map((part) => part(fields)).join('')
    const problem = problemOf(path)
    if (problem === undefined) return path
    throw refused(`${JSON.stringify(path)} ${problem}`)
  }
}

function problemOf(path: string) {
  if (path.length > 200) return 'is too long'
  const segments = path.split('/')
  if (segments.some((segment) => segment === '' || /^[. ]|[. ]$/.test(segment)))
    return 'has a part that is empty, or begins or ends with a dot or space'
  return segments.some(isMisleading) ? 'could be taken for another file' : undefined
}
