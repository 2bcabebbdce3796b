import { isLosslessNumber } from 'lossless-json'
import type * as z from 'zod'
import { maskText } from '../../api/trace/mask.ts'
import { visible } from '../../output/visible.ts'
import personalFields from './personal-fields.json'

/** Limits of what the server gives out. */
export interface Disclosure {
  reveal: boolean
  customerText: boolean
}

/** Text of a third party: data, never an instruction. */
interface UntrustedText {
  untrustedText: string
}

type Leaf = 'text' | 'number' | 'boolean'
type Shape = z.ZodType

const MAX_TEXT = 500
const MASK = '***'
const INITIALS = new Set(['fullName'])
const PERSONAL = new Set(personalFields)
const WITHHELD = new Set(['base64', 'url', 'labelFreeCode'])
/** Texts of customers (`additionalInfo`) and carriers. */
const FREE_TEXT = new Set(['additionalInfo', 'serviceMessage', 'description'])

/** Returns the masked fields of the schema. `isPublic`: addresses of shops. */
export function typedResult(shape: Shape, value: unknown, disclosure: Disclosure, isPublic = false): unknown {
  return project(shape, value, '', { ...disclosure, isPublic })
}

function project(
  shape: Shape,
  value: unknown,
  key: string,
  told: Disclosure & { isPublic: boolean },
): unknown {
  const inner = bare(shape)
  const fields = fieldsOf(inner)
  if (fields) {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined
    const entries = Object.entries(fields)
      .filter(([name]) => isTold(name, told) && Object.hasOwn(value, name))
      .map(([name, field]) => [name, project(field, Reflect.get(value, name), name, told)] as const)
    return Object.fromEntries(entries.filter(([, projected]) => projected !== undefined))
  }
  const element = elementOf(inner)
  if (element) {
    if (!Array.isArray(value)) return undefined
    return value.flatMap((one) => project(element, one, key, told) ?? [])
  }
  return leafValue(leafOf(inner), value, key, told)
}

function leafValue(
  leaf: Leaf,
  value: unknown,
  key: string,
  { reveal, isPublic }: Disclosure & { isPublic: boolean },
): unknown {
  if (leaf === 'boolean') return typeof value === 'boolean' ? value : undefined
  const text = isLosslessNumber(value) ? value.value : value
  if (typeof text !== 'string' && typeof text !== 'number') return undefined
  if (text === '') return leaf === 'number' || FREE_TEXT.has(key) ? undefined : text
  if (FREE_TEXT.has(key)) return { untrustedText: shown(String(text), reveal) } satisfies UntrustedText
  if (!(reveal || isPublic)) {
    if (PERSONAL.has(key)) return MASK
    if (INITIALS.has(key)) return initials(String(text))
  }
  // A number that JavaScript can't hold stays a text.
  return leaf === 'number' && typeof text === 'number' ? text : shown(String(text), reveal)
}

/** One line of limited length. */
function shown(text: string, reveal: boolean): string {
  const whole = visible(reveal ? text : maskText(text))
  return whole.length > MAX_TEXT ? `${whole.slice(0, MAX_TEXT)}…` : whole
}

/** `Nuria Ibáñez` → `N. I.` */
function initials(name: string): string {
  const letters = name.split(/[\s-]+/).flatMap((word) => /\p{L}/u.exec(word)?.[0].toUpperCase() ?? [])
  return letters.length === 0
    ? MASK
    : letters
        .slice(0, 4)
        .map((letter) => `${letter}.`)
        .join(' ')
}

function isTold(name: string, { customerText }: Disclosure): boolean {
  return !WITHHELD.has(name) && (customerText || !FREE_TEXT.has(name))
}

function bare(shape: Shape): Shape {
  const { def } = shape as unknown as { def: { type: string; innerType?: Shape } }
  return def.innerType === undefined ? shape : bare(def.innerType)
}

/** Returns the fields of an object, or of all objects of a union. */
function fieldsOf(shape: Shape): Record<string, Shape> | undefined {
  const { def } = shape as unknown as { def: { shape?: Record<string, Shape>; options?: Shape[] } }
  const options = (def.options ?? []).map((option) => fieldsOf(bare(option))).filter(Boolean)
  return options.length === 0 ? def.shape : Object.assign({}, ...options)
}

function elementOf(shape: Shape): Shape | undefined {
  return (shape as unknown as { def: { element?: Shape } }).def.element
}

/** Numbers of the service may be texts. */
function leafOf(shape: Shape): Leaf {
  const { type } = (shape as unknown as { def: { type: string } }).def
  if (type === 'boolean') return 'boolean'
  return type === 'custom' || type === 'number' ? 'number' : 'text'
}
