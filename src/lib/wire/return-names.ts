/** Beginning of every return's name (spec §2.1). */
const START = 'R#-'
/** Beginning of every client reference (spec §2.4). */
const REFERENCE_START = 'P#R#'

/** A word that begins with `#` is a comment to the shell, so that nothing is left of a name. */
export const HASH_HINT = 'leave the # out: to the shell it begins a comment'

/** Readings of a text that names a return. */
interface NameForms {
  /** Return names, the likeliest first (`R#-{ORDER_NAME}`, spec §2.1). */
  names: readonly string[]
  /** Orders, where it may be one. */
  orders: readonly string[]
  /** Parts of an id that a label was made under, `{name}-T{id of the transport}`. */
  ofLabel: { name: string; transportId: string } | undefined
  /** Whether it may be an id of the platform. */
  isIdLike: boolean
}

/** The forms of `LU105189`, `#LU105189`, `lu105189`, `R#-LU105189`, `r#-lu105189`, `R#LU105189` and the like. */
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

/** Whether a text begins as the platform writes a return's name; an id that a label was made under may, too. */
export function beginsAsName(text: string): boolean {
  return text.startsWith(START)
}

/** Whether a text is written as the platform writes a return's name, and can be no label's id. */
export function isPlainName(text: string): boolean {
  return beginsAsName(text) && labelForm(text) === undefined
}

/**
 * Reads an id that a label was made under; undefined for other ids. Only UUIDs may hold hyphens, since names do, too.
 */
export function labelForm(id: string): NameForms['ofLabel'] {
  const [, name, transportId] =
    /^(R#-.+)-T([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[^-\s]+)$/i.exec(id) ?? []
  return name && transportId ? { name, transportId } : undefined
}

/** `R#-LU105189` for `LU105189`, `#LU105189` and `r#-LU105189`: letters keep their case. */
export function looseName(text: string): string {
  const { rest } = parts(text.trim())
  return rest === '' ? text : START + rest
}

/** How a name begins, if it does, and what is behind that. */
function parts(text: string): { start: string; rest: string } {
  const [, start = '', rest = ''] = /^(R?#-?)?(.*)$/is.exec(text) ?? []
  return { start, rest }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}
