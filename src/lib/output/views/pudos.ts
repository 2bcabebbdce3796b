import type { View } from '../columns.ts'
import { visible } from '../visible.ts'

/** Degrees, WGS 84. */
export interface Position {
  latitude: number
  longitude: number
}

/** A point as it was sent, with its carrier beside it (spec §2.8). */
export type PudoRecord = Readonly<Record<string, unknown>>

/** At the moment asked for; `until` is its end, `20:30` or `Mon 09:00`. */
export interface Opening {
  state: 'open' | 'closed' | 'always' | 'suspended' | 'unknown'
  until?: string | undefined
}

/** Of opening hours. */
export interface WeekWords {
  /** Short, from Monday. */
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

/** Missing or malformed values are empty texts, or undefined. */
export interface FoundPoint {
  record: PudoRecord
  position: Position | undefined
  distanceKm: number | undefined
  /** Code. */
  carrier: string
  /** The carrier's codes of the services that use it. */
  services: string[]
  name: string
  type: string
  /** On one line. */
  address: string
  opening: Opening
  /** The point's own, IANA. */
  zone: string | undefined
  /** `Sat 09:00–14:00` */
  day: string
  week: WeekRow[]
}

/** `shown` has what to show of a record. */
export function pudosView(shown: WeakMap<PudoRecord, FoundPoint>, isNow: boolean): View<PudoRecord> {
  const of = <T>(pick: (point: FoundPoint) => T) => {
    return (record: PudoRecord) => {
      const point = shown.get(record)
      return point && pick(point)
    }
  }
  return {
    columns: [
      { name: 'name', header: 'NAME', value: of((point) => point.name) },
      { name: 'carrier', header: 'CARRIER', value: of((point) => point.carrier) },
      { name: 'type', header: 'TYPE', value: of((point) => point.type), words: 'locationType' },
      { name: 'distance', header: 'KM', value: of((point) => roundedKm(point.distanceKm)), kind: 'distance' },
      {
        name: 'open',
        header: isNow ? 'OPEN NOW' : 'OPEN THEN',
        value: of(({ opening }) => openingText(opening)),
      },
      { name: 'address', header: 'ADDRESS', value: of((point) => point.address), flexible: true },
    ],
    extra: [
      { name: 'id', header: 'ID', value: (record) => record.id },
      { name: 'service', header: 'SERVICE', value: of((point) => point.services.join(', ')) },
      { name: 'latitude', header: 'LATITUDE', value: (record) => record.latitude, kind: 'number' },
      { name: 'longitude', header: 'LONGITUDE', value: (record) => record.longitude, kind: 'number' },
      { name: 'hours', header: 'HOURS', value: of((point) => weekText(point.week)), flexible: true },
      { name: 'time-zone', header: 'TIME ZONE', value: (record) => record.timeZone },
      { name: 'offers', header: 'OFFERS', value: (record) => record.services },
    ],
    leastImportant: ['carrier', 'type', 'open'],
    wraps: true,
    paths: [
      ...[
        'id',
        'carrierCode',
        'carrierExternalCode',
        'name',
        'locationType',
        'address',
        'latitude',
        'longitude',
      ],
      ...['distance', 'openingHours', 'timeZone', 'services', 'temporarilyClosed'],
    ],
    empty: 'No drop-off points found: try a larger --range, another place or carrier service',
  }
}

/** `Estanco Sol (SBX), Puerta del Sol 3, 28013 Madrid, 420 m, Sat 09:00–14:00` */
export function pasteLine({ name, carrier, address, distanceKm, day, opening }: FoundPoint): string {
  const title = carrier === '' ? name : `${name} (${carrier})`
  const isPlain = opening.state === 'suspended' || opening.state === 'always'
  const hours = isPlain ? openingText(opening) : day
  return visible([title, address, distanceText(distanceKm), hours].filter(Boolean).join(', '))
}

/** `420 m`, `4.2 km`, `23 km`; empty for an unknown one. */
export function distanceText(km: number | undefined, decimalPoint = '.'): string {
  if (km === undefined) return ''
  if (km < 0.995) return `${Math.round(km * 100) * 10} m`
  return km < 9.95 ? `${km.toFixed(1).replace('.', decimalPoint)} km` : `${Math.round(km)} km`
}

function roundedKm(km: number | undefined): number | undefined {
  return km === undefined ? undefined : Math.round(km * 100) / 100
}

function openingText({ state, until }: Opening): string {
  if (state === 'open') return until === undefined ? 'yes' : `until ${until}`
  if (state === 'closed') return until === undefined ? 'no' : `no, opens ${until}`
  if (state === 'always') return 'day and night'
  return state === 'suspended' ? 'temporarily closed' : ''
}

function weekText(week: readonly WeekRow[]): string {
  return week.map(({ days, hours }) => `${days} ${hours}`).join('; ')
}
