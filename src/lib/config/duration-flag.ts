import { AppError } from '../errors.ts'
import { durationSeconds } from '../wire/time.ts'

/** A date that lies further off is none. */
const MAX_SECONDS = 1_000_000 * 86_400

/** Seconds, from none on. @throws AppError `usage` */
export function readDuration(flag: string, text: string): number {
  const seconds = /^0[smhdw]$/.test(text) ? 0 : durationSeconds(text)
  if (seconds !== undefined && seconds < MAX_SECONDS) return seconds
  throw new AppError('usage', `${flag}: ${JSON.stringify(text)} is not a duration.`, {
    hints: ['for example 30d, 12h, 10m, 30s'],
  })
}
