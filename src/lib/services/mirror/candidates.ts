import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { readCandidates } from '../../mirror/store/read.ts'
import type { Return } from '../../wire/returns.ts'
import { withExistingMirror } from './place.ts'

/** Returns of the mirror that a text is an identifier of, as they were copied; none without a mirror. */
export async function mirroredReturns(text: string, context: Context): Promise<Return[]> {
  try {
    return await withExistingMirror(context, async ({ mirror }) => {
      const [found, { shop }] = [await readCandidates(mirror.db, text), await context.settings()]
      const records = found.map(({ record }) => record)
      return shop === undefined ? records : records.filter(({ shopCode }) => shopCode === shop.value)
    })
  } catch (error) {
    if (!(error instanceof AppError) || error.kind === 'interrupted') throw error
    // The platform has been asked; nobody asked for the mirror.
    if (error.kind !== 'not-found') await context.warn(`The mirror was not searched: ${error.message}`)
    return []
  }
}
