import type { ErrorDetail } from '../../errors.ts'
import { counted } from '../../wire/counted.ts'
import type { UnsuccessfulRow } from '../job/unsuccessful-rows.ts'
import type { RowResult } from './run-request.ts'

const MAX_KINDS = 1000
const MAX_SHOWN = 10

interface Reason {
  status: RowResult['status']
  code: string
  message: string
  count: number
  row: number
  key: string
}

/** Rows that did not succeed, counted by reason. */
export class Reasons {
  readonly #kinds = new Map<string, Reason>()
  #others = 0

  add({ row, key, status, error }: Pick<RowResult, 'row' | 'key' | 'status' | 'error'>) {
    if (status === 'succeeded') return
    const { code = '', message = '' } = error ?? {}
    const kind = kindOf(message, key)
    const id = [status, code, kind].join('\0')
    const known = this.#kinds.get(id)
    if (known) {
      known.count += 1
      if (known.message !== message) known.message = kind
      if (row < known.row) Object.assign(known, { row, key })
    } else if (this.#kinds.size < MAX_KINDS) {
      this.#kinds.set(id, { status, code, message, count: 1, row, key })
    } else this.#others += 1
  }

  /** Most frequent first. */
  list(): Reason[] {
    return [...this.#kinds.values()].sort((one, other) => other.count - one.count)
  }

  /** @param statuses all by default */
  details(statuses?: readonly Reason['status'][]): ErrorDetail[] {
    const reasons = this.list().filter(({ status }) => statuses?.includes(status) ?? true)
    const shown = reasons.slice(0, MAX_SHOWN).map(({ code, message, status, count, row, key }) => {
      const example = key === '' ? `row ${row}` : `row ${row}, ${key}`
      return {
        ...(code !== '' && { code }),
        message: message || status,
        path: count === 1 ? example : `${counted(count, 'row')}, first: ${example}`,
      }
    })
    const rest = reasons.slice(MAX_SHOWN).reduce((sum, { count }) => sum + count, this.#others)
    return rest === 0 ? shown : [...shown, { message: `and ${counted(rest, 'row')} for other reasons` }]
  }
}

export async function reasonsIn(rows: AsyncIterable<UnsuccessfulRow>): Promise<Reasons> {
  const reasons = new Reasons()
  for await (const { code, message, ...row } of rows) reasons.add({ ...row, error: { code, message } })
  return reasons
}

function kindOf(message: string, key: string) {
  const text = key === '' ? message : message.replaceAll(key, '…')
  return text.replace(/[\p{L}\p{N}#_-]*\d[\p{L}\p{N}#_-]*/gu, '…')
}
