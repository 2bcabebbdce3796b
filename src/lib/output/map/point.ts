/** Degrees, WGS 84. */
export interface Position {
  latitude: number
  longitude: number
}

/** Point as it was sent, with its carrier (spec §2.8). */
export type PudoRecord = Readonly<Record<string, unknown>>

/** State at the requested time. It ends `until` `20:30` or `Mon 09:00`. */
export interface Opening {
  state: 'open' | 'closed' | 'always' | 'suspended' | 'unknown'
  until?: string
}

export interface WeekWords {
  days: readonly string[]
  closed: string
  allDay: string
}

export const ENGLISH_WEEK: WeekWords = {
  days: ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'],
  closed: 'closed',
  allDay: 'all day',
}

export interface WeekRow {
  /** `Mon–Fri` */
  days: string
  /** `09:00–14:00, 16:00–20:00`, `all day` or `closed` */
  hours: string
}

/** Remaining hours of the requested day, else those of the next opening day. */
export interface HoursAhead {
  isToday: boolean
  /** 0 is Monday. */
  weekday: number
  /** `09:00–14:00, 16:00–20:00` */
  times: string
}

/** Missing or malformed values are empty texts or undefined. */
export interface FoundPoint {
  record: PudoRecord
  position: Position | undefined
  distanceKm: number | undefined
  carrier: string
  /** Codes of the carrier's services that use the point. */
  services: string[]
  name: string
  type: string
  address: string
  opening: Opening
  zone: string | undefined
  ahead: HoursAhead | undefined
  week: WeekRow[]
}

/** `420 m`, `4.2 km`, `23 km`; empty for undefined. */
export function distanceText(km: number | undefined, decimalPoint = '.'): string {
  if (km === undefined) return ''
  if (km < 0.995) return `${Math.round(km * 100) * 10} m`
  return km < 9.95 ? `${km.toFixed(1).replace('.', decimalPoint)} km` : `${Math.round(km)} km`
}
