import type { Context } from '../../cli/context.ts'
import { rethrowInterruption, usageError } from '../../errors.ts'
import { writePage } from '../../files/write-new-file.ts'
import { geoJson } from '../../output/formats/geojson.ts'
import type { FoundPoint, PudoRecord } from '../../output/map/point.ts'
import type { MapWords } from '../../output/map/words.ts'
import { counted } from '../../wire/counted.ts'
import { CUSTOMER_LANGUAGES, languagesOf } from '../../wire/geography.ts'
import type { PudoResult } from '../../wire/pudos.ts'
import type { Return } from '../../wire/returns.ts'
import { parseWallTime } from '../../wire/time.ts'
import { servicesOfReturn } from './carrier-services.ts'
import { type Moment, momentNow, parseMoment } from './open-at-flag.ts'
import { weekdayOf } from './opening-hours.ts'
import { findPoints, mergeServices, nearestOf, type PointOptions } from './points.ts'
import { MAX_LIMIT, type PudoFlags, type PudoQuery, placeOf, readPudoQuery } from './query-flags.ts'
import { pasteLine, pudosView } from './search.result.ts'

export async function searchPudos(ofReturn: string | undefined, flags: PudoFlags, context: Context) {
  const openAt = flags['open-at']
  const isNow = openAt === undefined || openAt.trim().toLowerCase() === 'now'
  const shown = new WeakMap<PudoRecord, FoundPoint>()
  const columns = pudosView(shown, isNow)
  const { output, timeZone } = await context.settings()
  if (flags.map === '-') throw usageError('--map takes the name of a file.', '--map points.html')
  if (flags.paste && output.value === 'geojson') {
    throw usageError('--paste makes lines of text, -o geojson a document.', 'leave out one of the two')
  }
  const now = context.io.now()
  const moment = parseMoment(openAt ?? 'now', now, '--open-at')
  const query = await readPudoQuery(ofReturn, flags, context)
  const options: PointOptions = { reference: query.reference, moment, zone: timeZone.value }
  const view =
    query.withoutPoints === undefined
      ? columns
      : {
          ...columns,
          empty: `No drop-off points: ${query.withoutPoints}; --carrier-service CODE searches those of another service`,
        }
  const results = await readResults(query, openAt !== undefined, options, context)

  const each = findPoints(results, options)
  const points = mergeServices(each)
  const isAsSent = openAt === undefined && ['json', 'yaml', 'ndjson'].includes(output.value)
  if (!isAsSent && points.some(({ zone }) => zone === undefined)) await context.timeZone()
  if (flags.map !== undefined) await saveMap(results, query, flags, options, context)
  if (flags.paste) {
    const lines = points.map((point) => pasteLine(point, isNow))
    if (lines.length === 0 && output.value === 'table') return context.note(view.empty)
    return context.render({ kind: 'text', text: lines.join('\n'), json: lines })
  }
  if (output.value === 'json' || output.value === 'yaml') {
    return context.renderList(results, { columns: [], empty: view.empty })
  }
  if (output.value === 'geojson') {
    return context.render({ kind: 'record', record: geoJson(points), view: { columns: [], empty: '' } })
  }
  const listed = output.value === 'ndjson' ? each : points
  for (const point of listed) shown.set(point.record, point)
  await context.renderList(
    listed.map(({ record }) => record),
    view,
  )
}

/** Reads more points than wanted, to find the nearest of all services and to count the rest. */
async function readResults(
  { body }: PudoQuery,
  isOpenOnly: boolean,
  options: PointOptions,
  context: Context,
) {
  const pudos = await context.connection.pudos()
  context.progress.start('Searching drop-off points')
  const limit = Number(body.limit ?? 20)
  const isUsual = Number.isInteger(limit) && limit > 0 && limit < MAX_LIMIT
  const asked = isUsual ? MAX_LIMIT : limit
  const sent = await pudos.search({ ...body, limit: asked })
  const { results, total, unknown } = nearestOf(sent, { limit, isOpenOnly }, options)
  if (unknown > 0) {
    const points = counted(unknown, 'point is', 'points are')
    await context.note(`${points} left out: nothing says when they are open`)
  }
  // The platform may have cut its list.
  const isCut = sent.some(({ pudoPoints }) => Array.isArray(pudoPoints) && pudoPoints.length >= asked)
  if ((total > limit || isCut) && limit > 0) {
    const isOver = isCut || total > MAX_LIMIT
    const more = isOver ? 'a smaller --range, or --type, for others' : `--limit ${total} for the rest`
    await context.note(`${Math.min(limit, total)} of ${total}${isCut ? ' or more' : ''}; ${more}`)
  }
  return results
}

async function saveMap(
  results: readonly PudoResult[],
  { place, reference, country, body }: PudoQuery,
  { map: path = '', language, force }: PudoFlags,
  options: PointOptions,
  context: Context,
) {
  const [{ mapPage }, { MAP_WORDS }] = await Promise.all([
    import('../../output/map/page.ts'),
    import('../../output/map/words.ts'),
  ])
  const known = [language, ...languagesOf(country, body.postalCode ?? undefined), 'en']
  const spoken = known.flatMap((each) => CUSTOMER_LANGUAGES.find((one) => one === each) ?? [])[0] ?? 'en'
  const words = MAP_WORDS[spoken]
  const points = mergeServices(findPoints(results, { ...options, words }))
  const asOf = momentText(options.moment, points.find(({ zone }) => zone)?.zone ?? options.zone, words)
  const html = mapPage(points, { place, reference, asOf, language: spoken })
  await writePage({ what: 'map', path, html, force, flag: '--map', signal: context.io.interrupt })
  await context.note(`Map of ${counted(points.length, 'point')} in ${path}`)
}

function momentText(moment: Moment, zone: string, words: MapWords) {
  const wall = moment(zone)
  const date = new Intl.DateTimeFormat(words.locale, { dateStyle: 'medium', timeZone: 'UTC' })
  return `${weekdayOf(wall, words)} ${date.format(parseWallTime(wall))}, ${wall.slice(11, 16)}`
}

const NEAREST_LIMIT = 5

/** Finds the nearest point that is not temporarily closed. Warns if the search fails. */
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
      limit: NEAREST_LIMIT,
      ...placeOf(record, record.name),
    })
    const zone = await context.timeZone()
    const points = findPoints(results, { reference: undefined, moment: momentNow(now), zone })
    return points.find(({ opening }) => opening.state !== 'suspended')
  } catch (error) {
    rethrowInterruption(error)
    await context.warn(`No drop-off point is named: ${error.message}`)
    return undefined
  }
}
