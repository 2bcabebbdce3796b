import type { Context } from '../../cli/context.ts'
import { AppError, type ErrorDetail, rethrowUnless, usageError } from '../../errors.ts'
import { methodsRequestSchema, type ReturnMethod } from '../../wire/methods.ts'
import { methodsRequestOf, withoutUnknown } from '../../wire/methods-of-return.ts'
import { objectsIn, ownValue } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'

/** Number of newest returns that represent a shop. */
const SAMPLE_RETURNS = 100
/** Number of their countries whose methods are calculated. */
const MAX_COUNTRIES = 5
/** Spec §4.6 requires a tier, which no return has. */
const TIER = 'standard'

/** How a parcel gets to the carrier without a drop-off point, by type of service (spec §2.7). */
const WITHOUT_POINTS: Readonly<Record<string, string>> = {
  'pick-up': "the carrier fetches the parcel at the customer's",
  'do-it-yourself': 'the customer chooses the carrier',
}

export interface WantedServices {
  codes: readonly string[]
  shop?: string
  about?: string
  withoutPoints?: string
}

/** Returns the service of its transport, else those of its return methods. @throws AppError `usage` without any */
export async function servicesOfReturn(
  record: Return,
  reference: string,
  context: Context,
): Promise<WantedServices> {
  const { carrierServiceCode, serviceType } = record.activeTransportation ?? {}
  const code = carrierServiceCode?.trim()
  if (!code) return servicesOfMethods([record], reference, context)
  const withoutPoints = ownValue(WITHOUT_POINTS, serviceType)
  return { codes: [code], about: withoutPoints, withoutPoints }
}

/** Calculates methods for the newest return of each country. */
export async function servicesOfShop(country: string | undefined, context: Context): Promise<WantedServices> {
  const { records } = await (await context.connection.returns()).listPage({}, SAMPLE_RETURNS)
  const fitting = records.filter((record) => country === undefined || countryOf(record) === country)
  const shops = [...new Set(fitting.flatMap(({ shopCode }) => shopCode || []))].sort()
  if (shops.length > 1) {
    throw usageError(
      'Several shops fit: name one.',
      ...shops.map((shop) => `--shop ${shop}`),
      '--carrier-service CODE, more than once for several',
    )
  }
  const newest = new Map<string | undefined, Return>()
  for (const record of fitting.toReversed()) newest.set(countryOf(record), record)
  return servicesOfMethods([...newest.values()].slice(0, MAX_COUNTRIES), undefined, context)
}

async function servicesOfMethods(
  samples: readonly Return[],
  reference: string | undefined,
  context: Context,
) {
  const [codes, refusals] = [new Set<string>(), [] as ErrorDetail[]]
  for (const sample of samples) {
    try {
      for (const code of (await methodsFor(sample, context)).flatMap(codeOf)) codes.add(code)
    } catch (error) {
      rethrowUnless(error, 'rejected', 'not-found')
      refusals.push(...(error.details.length > 0 ? error.details : [{ message: error.message }]))
    }
  }
  if (codes.size === 0) throw noService(reference, refusals, (await context.connection.http()).targetFlags)
  const shop = samples[0]?.shopCode
  return { codes: [...codes], shop, about: `those of ${shop ? `${shop}'s` : 'the'} return methods` }
}

/** Returns no methods for a return that lacks required data. */
async function methodsFor(sample: Return, context: Context) {
  const { client, ...fields } = methodsRequestOf(sample)
  const request = methodsRequestSchema.safeParse(
    withoutUnknown({ ...fields, client: { id: client.id || 'unknown', tier: TIER } }),
  )
  if (!request.success) return []
  return objectsIn((await (await context.connection.methods()).calculate(request.data)).records)
}

/** Returns the code of a method that customers see and that may have points. */
function codeOf({ visible, serviceType, carrierService }: ReturnMethod) {
  if (visible === false || ownValue(WITHOUT_POINTS, serviceType)) return []
  const { code } = carrierService ?? {}
  return [String(code ?? '').trim()].filter(Boolean)
}

function countryOf({ origin, customer }: Return) {
  return (origin?.address ?? customer?.address)?.countryCode?.trim().toUpperCase()
}

/** Points to the return methods, which name the carrier services (spec §4.5). */
function noService(reference: string | undefined, details: readonly ErrorDetail[], targetFlags: string) {
  const line = `rma methods calculate --for '${reference ?? 'R#-1001'}' --tier NAME${targetFlags}`
  const what =
    reference === undefined
      ? 'Points of which carrier service? The return methods tell none.'
      : `${reference} has no carrier service yet, and its return methods tell none.`
  return new AppError('usage', what, {
    details,
    hints: [
      '--carrier-service CODE, more than once for several',
      `the return methods have the codes: ${line}`,
    ],
  })
}
