/** Seconds, minutes, hours, days or weeks; never zero. */
export const DURATION = /^([1-9]\d{0,8})([smhdw])$/

const SECONDS: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400, w: 604_800 }

/** `30m`, `12h`, `3d`, `2w`; undefined for anything else. */
export function durationSeconds(text: string): number | undefined {
  const [, count, unit = ''] = DURATION.exec(text) ?? []
  return count === undefined ? undefined : Number(count) * (SECONDS[unit] ?? 0)
}
