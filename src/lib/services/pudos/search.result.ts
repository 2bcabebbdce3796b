import {
  distanceText,
  ENGLISH_WEEK,
  type FoundPoint,
  type Opening,
  type PudoRecord,
} from '../../output/map/point.ts'
import { lazySchema, type View } from '../../output/view.ts'
import { visible } from '../../output/visible.ts'
import { joinParts } from '../../wire/raw.ts'
import { carrierName } from '../../wire/words.ts'

const pointSchema = lazySchema(async (_z, { text }) => {
  const { pudoPointSchema } = await import('../../wire/pudos.ts')
  return pudoPointSchema.extend({ carrierCode: text, carrierExternalCode: text })
})

/** Points by carrier service, or the lines of `--paste`. */
export const pudosSchema = lazySchema(async (z, { text }) => {
  const { pudosResponseSchema } = await import('../../wire/pudos.ts')
  return z.union([pudosResponseSchema, z.array(text)])
})

export function pudosView(shown: WeakMap<PudoRecord, FoundPoint>, isNow: boolean): View<PudoRecord> {
  const of = <T>(pick: (point: FoundPoint) => T) => {
    return (record: PudoRecord) => {
      const point = shown.get(record)
      return point && pick(point)
    }
  }
  return {
    columns: [
      { name: 'name', value: of((point) => point.name) },
      { name: 'carrier', value: of((point) => point.carrier) },
      { name: 'type', value: of((point) => point.type), words: 'locationType' },
      {
        name: 'distance',
        header: 'KM',
        value: of(({ distanceKm: km }) => km && Math.round(km * 100) / 100),
        kind: 'distance',
      },
      {
        name: 'open',
        header: isNow ? 'OPEN NOW' : 'OPEN THEN',
        value: of(({ opening }) => openingText(opening)),
      },
      { name: 'address', value: of((point) => point.address), flexible: true },
    ],
    extra: [
      'id',
      { name: 'service', value: of((point) => point.services.join(', ')) },
      { name: 'latitude', kind: 'number' },
      { name: 'longitude', kind: 'number' },
      {
        name: 'hours',
        value: of(({ week }) => week.map(({ days, hours }) => `${days} ${hours}`).join('; ')),
        flexible: true,
      },
      'time-zone',
      { name: 'offers', path: 'services' },
    ],
    leastImportant: ['carrier', 'type', 'address'],
    schema: pointSchema,
    empty:
      'No drop-off points found: try a larger --range, another place or carrier service, or no --type and --open-at',
  }
}

/** `Estanco Sol (SBX), Puerta del Sol 3, 28013 Madrid, 420 m, today 09:00–14:00`; `Sat` for a later day. */
export function pasteLine(
  { name, carrier, address, distanceKm, ahead, opening }: FoundPoint,
  isNow: boolean,
): string {
  const by = carrierName(carrier)
  const title = by === undefined ? name : `${name} (${by})`
  const isPlain = opening.state === 'suspended' || opening.state === 'always'
  const day = isNow && ahead?.isToday ? 'today' : ENGLISH_WEEK.days[ahead?.weekday ?? 0]
  const hours = isPlain ? openingText(opening) : ahead && `${day} ${ahead.times}`
  return visible(joinParts([title, address, distanceText(distanceKm), hours]))
}

function openingText({ state, until }: Opening) {
  if (state === 'open') return until === undefined ? 'yes' : `until ${until}`
  if (state === 'closed') return until === undefined ? 'no' : `no, opens ${until}`
  if (state === 'always') return 'day and night'
  return state === 'suspended' ? 'temporarily closed' : ''
}
