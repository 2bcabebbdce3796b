import { nearHints, usageError } from '../errors.ts'
import { trackingRequestSchema } from '../wire/tracking.ts'

export const MAPPED_FIELDS = Object.keys(trackingRequestSchema.shape)

/** Reads `FIELD=VALUE`; the value may hold further equals signs. */
export function pairIn(text: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([^=]+)=(.+)$/.exec(text) ?? []
  return [name.trim(), value]
}

/** Finds a field by its name, or by the kebab or snake form of it. */
export function fieldNamed(name: string): string | undefined {
  const plain = name.toLowerCase().replace(/[-_ ]/g, '')
  return MAPPED_FIELDS.find((one) => one.toLowerCase() === plain)
}

/** Reads the values of `--set`. @throws AppError `usage` */
export function readConstants(given: readonly string[]): Record<string, string> {
  const constants: Record<string, string> = {}
  for (const text of given) {
    const [name, value] = pairIn(text)
    const field = fieldNamed(name)
    if (field === undefined) {
      throw usageError(
        `--set: ${JSON.stringify(text)} is not FIELD=VALUE.`,
        nearHints(name, MAPPED_FIELDS)[0] ?? '--set carrierName=DHL',
      )
    }
    if (constants[field] !== undefined) throw usageError(`--set gives ${field} twice.`)
    constants[field] = value
  }
  return constants
}
