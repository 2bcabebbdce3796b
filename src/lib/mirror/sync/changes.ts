import type { PageRecord } from '../../walk/page-source.ts'
import { Unsorted, type Walk, type WalkedPage, walkByDate, walkByPage } from '../../walk/walk.ts'
import type { Return } from '../../wire/returns.ts'
import { parseServiceDate } from '../../wire/time.ts'

const SECOND_MS = 1000

/** The platform answered with returns that did not change since the date asked for. */
export class UpdatesIgnored extends Error {
  override readonly name = 'UpdatesIgnored'
}

export interface ChangesPage extends WalkedPage {
  /** After the last one: the platform counts more than came. */
  isShort: boolean
}

/**
 * Walks through returns that changed since `walk.filter.updatedFromMs`, or that match the filter without it: by date of
 * creation, or page by page if the platform does not sort.
 *
 * @throws UpdatesIgnored
 */
export async function* walkChanges(walk: Walk): AsyncGenerator<ChangesPage, void, undefined> {
  const { updatedFromMs } = walk.filter
  for await (const walked of walkAnyway(walk)) {
    const isOld = (one: PageRecord) =>
      updatedFromMs !== undefined && isBefore(one.read().record, updatedFromMs)
    if (walked.records.some(isOld)) throw new UpdatesIgnored()
    yield walked
  }
}

async function* walkAnyway(walk: Walk): AsyncGenerator<ChangesPage, void, undefined> {
  try {
    for await (const walked of walkByDate(walk, undefined)) yield { ...walked, isShort: false }
  } catch (error) {
    if (!(error instanceof Unsorted)) throw error
    for await (const walked of walkByPage(walk)) {
      yield { ...walked, isShort: walked.whole === undefined && walked.page.totalRecords !== undefined }
    }
  }
}

/** Its last change, certainly. */
function isBefore({ updatedAt }: Return, ms: number): boolean {
  const updatedMs = typeof updatedAt === 'string' ? parseServiceDate(updatedAt) : undefined
  return updatedMs !== undefined && updatedMs < ms - SECOND_MS
}
