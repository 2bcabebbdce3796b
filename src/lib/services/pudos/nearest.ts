import type { Context } from '../../cli/context.ts'
import { isFailure } from '../../errors.ts'
import type { FoundPoint } from '../../output/map/point.ts'
import type { Return } from '../../wire/returns.ts'
import { servicesOfReturn } from './carrier-services.ts'
import { momentNow } from './open-at-flag.ts'
import { findPoints } from './points.ts'
import { placeOf } from './query-flags.ts'

const LIMIT = 5

/** Finds the nearest point that is not closed for a while; warns if the search fails. */
export async function nearestPoint(
  record: Return,
  now: number,
  context: Context,
): Promise<FoundPoint | undefined> {
  context.progress.start('Searching drop-off points')
  try {
    const { codes, withoutPoints } = await servicesOfReturn(record, record.name, context)
    if (withoutPoints !== undefined) return undefined
    const results = await (await context.connection.pudos()).search({
      shopCode: record.shopCode,
      carrierServices: codes.map((code) => ({ code })),
      limit: LIMIT,
      ...placeOf(record, record.name),
    })
    const zone = await context.timeZone()
    const points = findPoints(results, { reference: undefined, moment: momentNow(now), zone })
    return points.find(({ opening }) => opening.state !== 'suspended')
  } catch (error) {
    if (!isFailure(error)) throw error
    await context.warn(`No drop-off point is named: ${error.message}`)
    return undefined
  }
}
