import { isLosslessNumber } from 'lossless-json'
import type * as z from 'zod'
import { maskText } from '../../api/trace/mask.ts'
import { visible } from '../../output/visible.ts'
import { isRecord, list } from '../../wire/raw.ts'
import personalFields from './personal-fields.json'

/** Limits of what the server gives out. */
export interface Disclosure {
  reveal: boolean
  customerText: boolean
}

const MAX_TEXT = 500
const MASK = '***'
const INITIALS = new Set(['fullName'])
const PERSONAL = new Set(personalFields)
/** Fields with labels, or with addresses from which anyone can get them. */
const WITHHELD = new Set(['base64', 'url', 'labelFreeCode', 'carrierLabel'])
/** Texts of customers (`additionalInfo`) and carriers. */
const FREE_TEXT = new Set(['additionalInfo', 'serviceMessage', 'description'])

/** Keeps and masks the schema's fields. `isPublic` leaves addresses of drop-off points unmasked. */
export function typedResult(
  shape: z.core.$ZodType,
  value: unknown,
  disclosure: Disclosure & { isPublic?: boolean },
  key = '',
): unknown {
  const inner = bare(shape)
  const fields = fieldsOf(inner)
  if (fields) {
    if (!isRecord(value)) return undefined
    const entries = Object.entries(fields)
      .filter(([name]) => isDisclosed(name, disclosure) && Object.hasOwn(value, name))
      .map(([name, field]) => [name, typedResult(field, value[name], disclosure, name)] as const)
    return Object.fromEntries(entries.filter(([, projected]) => projected !== undefined))
  }
  const { def } = inner._zod
  if (def.type === 'array')
    return list(value).flatMap((one) => typedResult(def.element, one, disclosure, key) ?? [])
  return leafValue(def.type, value, key, disclosure)
}

function leafValue(
  type: z.core.$ZodTypeDef['type'],
  value: unknown,
  key: string,
  { reveal, isPublic }: Disclosure & { isPublic?: boolean },
): unknown {
  // The service may send numbers as texts.
  const isNumber = type === 'custom' || type === 'number'
  if (type === 'boolean') return typeof value === 'boolean' ? value : undefined
  const text = isLosslessNumber(value) ? value.value : value
  if (typeof text !== 'string' && typeof text !== 'number') return undefined
  if (text === '') return isNumber || FREE_TEXT.has(key) ? undefined : text
  if (FREE_TEXT.has(key)) return { untrustedText: shown(String(text), reveal) }
  if (!(reveal || isPublic)) {
    if (PERSONAL.has(key)) return MASK
    if (INITIALS.has(key)) return initials(String(text))
  }
  // A number that JavaScript can't hold stays a text.
  return isNumber && typeof text === 'number' ? text : shown(String(text), reveal)
}

function shown(text: string, reveal: boolean) {
  const whole = visible(reveal ? text : maskText(text))
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole
}

/** `Nuria Ibáñez` → `N. I.` */
function initials(name: string) {
  const letters = name.split(/[\s-]+/).flatMap((word) => /\p{L}/u.exec(word)?.[0].toUpperCase() ?? [])
  return (
    letters
      .map((letter) => `${letter}.`)
      .slice(0, 4)
      .join(' ') || MASK
  )
}

function isDisclosed(name: string, { customerText }: Disclosure) {
  return !WITHHELD.has(name) && (customerText || !FREE_TEXT.has(name))
}

function bare(shape: z.core.$ZodType): z.core.$ZodTypes {
  const { def } = (shape as z.core.$ZodTypes)._zod
  return 'innerType' in def ? bare(def.innerType) : (shape as z.core.$ZodTypes)
}

function fieldsOf({ _zod: { def } }: z.core.$ZodTypes): z.core.$ZodShape | undefined {
  if (def.type === 'object') return def.shape
  const options = def.type === 'union' ? def.options.map((option) => fieldsOf(bare(option))) : []
  return options.some(Boolean) ? Object.assign({}, ...options) : undefined
}
