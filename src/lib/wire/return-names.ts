const START = 'R#-'
const REFERENCE_START = 'P#R#'

/** Shells take a word after `#` for a comment. */
export const HASH_HINT = 'leave the # out: to the shell it begins a comment'

/** Readings of a text. */
interface NameForms {
  /** The likeliest is first (`R#-{ORDER_NAME}`, spec §2.1). */
  names: readonly string[]
  orders: readonly string[]
  /** Parts of a label's id, `{name}-T{transport id}`. */
  ofLabel: { name: string; transportId: string } | undefined
  isIdLike: boolean
}

/** Reads `LU105189`, `#LU105189`, `lu105189`, `R#-LU105189`, `R#LU105189` and the like. */
export function nameForms(text: string): NameForms {
  const trimmed = text.trim()
  const { start, rest } = parts(trimmed)
  if (rest === '' || trimmed.toUpperCase().startsWith(REFERENCE_START)) {
    return { names: [], orders: [], ofLabel: undefined, isIdLike: false }
  }
  const orders = unique([rest, rest.toUpperCase()])
  const isName = /^R#/i.test(start)
  const names = orders.map((order) => START + order)
  return {
    names: isName ? unique([trimmed, ...names]) : names,
    orders: isName ? [] : orders,
    ofLabel: labelForm(trimmed),
    isIdLike: start === '',
  }
}

export function beginsAsName(text: string): boolean {
  return text.startsWith(START)
}

/** True for names of returns only. */
export function isPlainName(text: string): boolean {
  return beginsAsName(text) && labelForm(text) === undefined
}

/** Reads a label's id. Only UUIDs may hold hyphens, since names do. */
export function labelForm(id: string): NameForms['ofLabel'] {
  const [, name, transportId] =
    /^(R#-.+)-T([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[^-\s]+)$/i.exec(id) ?? []
  return name && transportId ? { name, transportId } : undefined
}

/** `R#-LU105189` for `LU105189`, `#LU105189` and `r#-LU105189`. */
export function looseName(text: string): string {
  const { rest } = parts(text.trim())
  return rest === '' ? text : START + rest
}

function parts(text: string): { start: string; rest: string } {
  const [, start = '', rest = ''] = /^(R?#-?)?(.*)$/is.exec(text) ?? []
  return { start, rest }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
