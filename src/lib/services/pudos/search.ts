import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { writePage } from '../../files/write-new-file.ts'
import type { FoundPoint, PudoRecord } from '../../output/map/point.ts'
import type { MapWords } from '../../output/map/words.ts'
import { counted } from '../../wire/counted.ts'
import { CUSTOMER_LANGUAGES, languageOfCountry } from '../../wire/geography.ts'
import type { PudoResult } from '../../wire/pudos.ts'
import { parseWallTime } from '../../wire/time.ts'
import { type Moment, momentNow, parseMoment } from './open-at-flag.ts'
import { weekdayOf } from './opening-hours.ts'
import { findPoints, mergeServices, onlyOpen, type PointOptions } from './points.ts'
import { MAX_LIMIT, type PudoFlags, type PudoQuery, readPudoQuery } from './query-flags.ts'
import { pasteLine, pudosView } from './search.result.ts'

interface PudoSearchFlags extends PudoFlags {
  'open-at'?: string | undefined
  map?: string | undefined
  language?: string | undefined
  force: boolean
  paste: boolean
}

/** Points of each carrier service, where nothing is said. Decided, as the service's own default. */
const DEFAULT_LIMIT = 20

export async function searchPudos(
  ofReturn: string | undefined,
  flags: PudoSearchFlags,
  context: Context,
  connection: Pick<Connection, 'http' | 'pudos' | 'lookup' | 'returns' | 'methods'>,
): Promise<void> {
  const openAt = flags['open-at']
  const shown = new WeakMap<PudoRecord, FoundPoint>()
  const columns = pudosView(shown, openAt === undefined || openAt.trim().toLowerCase() === 'now')
  const { output, timeZone } = await context.settings()
  if (flags.map === '-')
    throw new AppError('usage', '--map takes the name of a file.', { hints: ['--map points.html'] })
  if (flags.paste && output.value === 'geojson') {
    throw new AppError('usage', '--paste makes lines of text, -o geojson a document.', {
      hints: ['leave out one of the two'],
    })
  }
  const now = context.io.now()
  const moment = openAt === undefined ? momentNow(now) : parseMoment(openAt, now, '--open-at')
  const query = await readPudoQuery(ofReturn, flags, context, connection)
  const options: PointOptions = { reference: query.reference, moment, zone: timeZone.value }
  const view = query.withoutPoints === undefined ? columns : { ...columns, empty: noneFor(query) }
  const results = await readResults(query, openAt !== undefined, options, context, connection)

  const each = findPoints(results, options)
  const points = mergeServices(each)
  const isAsSent = openAt === undefined && ['json', 'yaml', 'ndjson'].includes(output.value)
  if (!isAsSent && points.some(({ zone }) => zone === undefined)) await context.timeZone()
  if (flags.map !== undefined) await saveMap(results, query, flags, options, context)
  if (flags.paste) return renderLines(points, view.empty, context)
  if (output.value === 'json' || output.value === 'yaml') {
    return context.render({ kind: 'list', items: results, view: { columns: [], empty: view.empty } })
  }
  if (output.value === 'geojson') {
    const { geoJson } = await import('../../output/formats/geojson.ts')
    return context.render({ kind: 'record', record: geoJson(points), view: { columns: [], empty: '' } })
  }
  const listed = output.value === 'ndjson' ? each : points
  for (const point of listed) shown.set(point.record, point)
  await context.render({ kind: 'list', items: listed.map(({ record }) => record), view })
}

function noneFor({ withoutPoints }: PudoQuery): string {
  return `No drop-off points: ${withoutPoints}; --carrier-service CODE searches those of another service`
}

async function readResults(
  { body }: PudoQuery,
  onlyOpenOnes: boolean,
  options: PointOptions,
  context: Context,
  connection: Pick<Connection, 'pudos'>,
): Promise<PudoResult[]> {
  const pudos = await connection.pudos()
  context.progress.start('Searching drop-off points')
  if (!onlyOpenOnes) return pudos.search(body)
  // Points that are closed then must not use up the limit.
  const limit = Number(body.limit ?? DEFAULT_LIMIT)
  const sent = await pudos.search({ ...body, limit: limit > 0 && limit < MAX_LIMIT ? MAX_LIMIT : limit })
  const { results, unknown } = onlyOpen(sent, limit, options)
  if (unknown > 0) {
    await context.note(
      `${counted(unknown, 'point is', 'points are')} left out: nothing says when they are open`,
    )
  }
  return results
}

async function renderLines(points: readonly FoundPoint[], empty: string, context: Context): Promise<void> {
  const lines = points.map(pasteLine)
  const { output } = await context.settings()
  if (lines.length === 0 && output.value === 'table') return context.note(empty)
  await context.render({ kind: 'text', text: lines.join('\n'), json: lines })
}

async function saveMap(
  results: readonly PudoResult[],
  { place, reference, country }: PudoQuery,
  { map: path = '', language, force }: PudoSearchFlags,
  options: PointOptions,
  context: Pick<Context, 'io' | 'note'>,
): Promise<void> {
  const [{ mapPage }, { MAP_WORDS }] = await Promise.all([
    import('../../output/map/page.ts'),
    import('../../output/map/words.ts'),
  ])
  const spoken = CUSTOMER_LANGUAGES.find((one) => one === language) ?? languageOfCountry(country)
  const words = MAP_WORDS[spoken]
  const points = mergeServices(findPoints(results, { ...options, words }))
  const asOf = momentText(options.moment, zoneOf(points) ?? options.zone, words)
  const html = mapPage(points, { place, reference, asOf, language: spoken })
  await writePage({ what: 'map', path, html, force, flag: '--map', signal: context.io.interrupt })
  await context.note(`Map of ${counted(points.length, 'point')} in ${path}`)
}

function zoneOf(points: readonly FoundPoint[]): string | undefined {
  return points.find(({ zone }) => zone !== undefined)?.zone
}

function momentText(moment: Moment, zone: string, words: MapWords): string {
  const wall = moment(zone)
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return `${weekdayOf(wall, words)} ${date.format(parseWallTime(wall))}, ${wall.slice(11, 16)}`
}
