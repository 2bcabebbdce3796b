import { AppError } from '../errors.ts'

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }

/** Seconds. @throws AppError `usage` */
export function readDuration(flag: string, text: string): number {
  const [, count, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? []
  if (count !== undefined) return Number(count) * (SECONDS[unit] ?? 0)
  throw new AppError('usage', `${flag}: ${JSON.stringify(text)} is not a duration.`, {
    hints: ['for example 30d, 12h, 10m, 30s'],
  })
}
