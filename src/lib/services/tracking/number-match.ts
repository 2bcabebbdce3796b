import type { Context } from '../../cli/context.ts'
import { causedBy, rethrowUnless } from '../../errors.ts'
import { type NumberedReturn, readByNumbers } from '../../mirror/store/read.ts'
import { normalIdentifier } from '../../wire/return-names.ts'
import { withFreshMirror } from '../mirror/refresh.ts'

/** Return of a tracking number, or why there is not exactly one. */
export type Match = NumberedReturn | { code: 'UNKNOWN' | 'AMBIGUOUS'; message: string }
type Matching = (number: string, shop: string | undefined) => Match
export type FindByNumber = (numbers: ReadonlySet<string>) => Promise<Matching>

/**
 * Looks numbers up in the mirror once, after all changes were copied. @throws AppError `usage` without a mirror
 */
export function numberFinder(context: Context) {
  let matching: Promise<Matching> | undefined
  const find = async (numbers: ReadonlySet<string>): Promise<Matching> => {
    const returns = await withFreshMirror(context, { isOffline: false, isExact: true }, ({ db }) =>
      readByNumbers(db, numbers),
    ).catch((error: unknown) => {
      rethrowUnless(error, 'not-found')
      const message = 'Tracking numbers are looked up in the mirror, and there is none yet; nothing was sent.'
      throw causedBy(error, 'usage', message, `make it with: ${error.hints[0]}`)
    })
    return (number, shop) => {
      const all = returns.get(normalIdentifier(number)) ?? []
      const [found, ...others] = all.filter(({ shopCode }) => shop === undefined || shopCode === shop)
      if (found === undefined) {
        return { code: 'UNKNOWN', message: `${number} is the number of no active transport` }
      }
      if (others.length === 0) return found
      const names = [found, ...others].map(({ name }) => name).join(', ')
      return { code: 'AMBIGUOUS', message: `${number} is the number of several returns: ${names}` }
    }
  }
  return (numbers: ReadonlySet<string>) => {
    matching ??= find(numbers)
    return matching
  }
}
