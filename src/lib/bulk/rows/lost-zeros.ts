import type { FieldSpec } from './columns.ts'
import { AS_TEXT_HINT, type RowProblem } from './fields.ts'

const MAX_GROUPS = 1000
const DIGITS = /^\d{1,40}$/

interface Widths {
  /** Common width of the values that begin with a zero; 0 if they differ. */
  padded: number | undefined
  /** With how many zeros they begin, a bit each. */
  zeros: number
}

/**
 * Finds identifiers that lost their leading zeros, by their neighbours: where zeros fill values up to one width, a
 * shorter number that lacks as many as another one begins with has lost them. A column without padded values, or with
 * padded ones of several widths, tells nothing, and is left alone.
 *
 * What shows it may come after the value, hence two passes: `see` every row, then ask about each.
 */
export class LostZeros {
  readonly #fields: readonly string[]
  readonly #groups = new Map<string, Map<string, Widths>>()

  /** @param groupBy field within whose values numbers look alike: carriers number in ways of their own */
  constructor(
    fields: readonly FieldSpec[],
    private readonly groupBy?: string,
  ) {
    this.#fields = fields.filter(({ kind }) => kind === 'identifier').map(({ name }) => name)
  }

  see(values: Readonly<Record<string, string>>): void {
    for (const field of this.#fields) {
      const value = values[field]
      if (value === undefined || value.charCodeAt(0) !== 0x30 || !DIGITS.test(value)) continue
      const widths = this.#widths(field, values)
      if (widths === undefined) continue
      if (widths.padded === undefined) widths.padded = value.length
      else if (widths.padded !== value.length) widths.padded = 0
      const zeros = value.search(/[^0]|$/)
      if (zeros < 31) widths.zeros |= 1 << zeros
    }
  }

  /** @param columnOf what the file calls a field */
  problems(
    row: number,
    values: Readonly<Record<string, string>>,
    columnOf: (field: string) => string,
  ): RowProblem[] {
    const found: RowProblem[] = []
    for (const field of this.#fields) {
      const value = values[field]
      const { padded = 0, zeros = 0 } = this.#groups.get(field)?.get(this.#groupOf(values)) ?? {}
      if (value === undefined || value.length >= padded || padded - value.length > 30) continue
      if ((zeros & (1 << (padded - value.length))) === 0 || !/^[1-9]\d*$/.test(value)) continue
      found.push({
        row,
        column: columnOf(field),
        value,
        message: `seems to have lost leading zeros: others have ${padded} digits (${value.padStart(padded, '0')}?)`,
        hint: AS_TEXT_HINT,
      })
    }
    return found
  }

  #groupOf(values: Readonly<Record<string, string>>): string {
    return this.groupBy === undefined ? '' : (values[this.groupBy] ?? '').toLowerCase()
  }

  #widths(field: string, values: Readonly<Record<string, string>>): Widths | undefined {
    let groups = this.#groups.get(field)
    if (groups === undefined) {
      groups = new Map()
      this.#groups.set(field, groups)
    }
    const group = this.#groupOf(values)
    let widths = groups.get(group)
    if (widths === undefined && groups.size < MAX_GROUPS) {
      widths = { padded: undefined, zeros: 0 }
      groups.set(group, widths)
    }
    return widths
  }
}
