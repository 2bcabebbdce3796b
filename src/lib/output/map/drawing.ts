import { greatCircleKm } from '../../wire/geography.ts'
import { joinParts } from '../../wire/raw.ts'
import { escapeHtml } from '../html/page.ts'
import { distanceText, type FoundPoint, type Opening, type Position } from './point.ts'
import { filled, type MapWords } from './words.ts'

const SIZE = 560
const MARGIN = 40
const MIN_RADIUS_KM = 0.15
const NAMES_OF_GROUP = 5

/** Draws the points around the reference in SVG, without tiles. */
export function mapDrawing(
  points: readonly FoundPoint[],
  reference: Position | undefined,
  place: string,
  words: MapWords,
): string {
  const centre = reference ?? middleOf(points.flatMap(({ position }) => position ?? []))
  if (!centre) return ''
  const offsets = points.map(({ position }) => position && project(centre, position))
  const radiusKm = Math.max(
    MIN_RADIUS_KM,
    ...offsets.map((spot) => (spot ? Math.max(Math.abs(spot.x), Math.abs(spot.y)) : 0)),
  )
  const perKm = (SIZE / 2 - MARGIN) / radiusKm
  const middle = { x: SIZE / 2, y: SIZE / 2 }
  const spots = offsets.map((spot) => spot && { x: middle.x + spot.x * perKm, y: middle.y + spot.y * perKm })
  const markers = placeMarkers(spots)
  return `<svg viewBox="0 0 ${SIZE} ${SIZE}" role="group" aria-label="${escapeHtml(words.northUp)}">
<g aria-hidden="true">${reference ? ringsSvg(middle, radiusKm, perKm) : ''}${NORTH}</g>
<g aria-hidden="true">${spots.map((spot) => (spot ? dot(spot) : '')).join('')}</g>
${markers.map((marker) => markerSvg(marker, points, words)).join('\n')}
${reference ? referenceSvg(middle, place) : ''}
</svg>`
}

const LOOKS = ['open', 'unknown', 'closed'] as const

/** CSS class of a marker, distinct without colour. */
export function lookOf({ state }: Opening): (typeof LOOKS)[number] {
  if (state === 'unknown') return 'unknown'
  return state === 'open' || state === 'always' ? 'open' : 'closed'
}

function ringsSvg(middle: Spot, radiusKm: number, perKm: number) {
  const step = roundDown(radiusKm / 2)
  const circles: string[] = []
  for (let km = step; km <= radiusKm * 1.05 && circles.length < 5; km += step) {
    const r = km * perKm
    circles.push(`<circle class="ring" cx="${middle.x}" cy="${middle.y}" r="${at(r)}"/>`)
    circles.push(
      `<text class="note" x="${middle.x}" y="${at(middle.y - r)}" dy=".36em" text-anchor="middle">${lengthText(km)}</text>`,
    )
  }
  return circles.join('')
}

const NORTH = `<g class="north"><path d="M${SIZE - 24} 12l7 20-7-5-7 5z"/><text class="note" x="${SIZE - 24}" y="46" text-anchor="middle">N</text></g>`

function referenceSvg({ x, y }: Spot, place: string) {
  return (
    `<g class="here" role="img" aria-label="${escapeHtml(place)}"><title>${escapeHtml(place)}</title><circle cx="${x}" cy="${y}" r="7"/>` +
    `<path d="M${x} ${y - 13}V${y + 13}M${x - 13} ${y}H${x + 13}"/></g>`
  )
}

function dot({ x, y }: Spot) {
  return `<circle class="dot" cx="${at(x)}" cy="${at(y)}" r="3"/>`
}

function markerSvg(
  { members, anchor: spot, radius }: Marker,
  points: readonly FoundPoint[],
  { andMore, decimalPoint }: MapWords,
) {
  const [first = 0, ...others] = members
  const label = others.length === 0 ? `${first + 1}` : `${first + 1}+${others.length}`
  const shown = members.slice(0, NAMES_OF_GROUP)
  const names = shown.map((member) => {
    const point = points[member]
    return joinParts([`${member + 1}`, point?.name, distanceText(point?.distanceKm, decimalPoint)])
  })
  const rest =
    members.length > shown.length ? ` ${filled(andMore, { count: members.length - shown.length })}` : ''
  // The visible text comes first, for those who control the page by voice.
  const text = `${others.length === 0 ? '' : `${label}: `}${names.join('; ')}${rest}`
  const looks = members.flatMap((member) => points[member]?.opening ?? []).map(lookOf)
  const look = LOOKS.find((one) => looks.includes(one)) ?? 'unknown'
  const size = label.length > 4 ? ' tiny' : label.length > 2 ? ' small' : ''
  return (
    `<g class="marker ${look}" role="button" tabindex="0" aria-pressed="false" ` +
    `data-points="${members.map((member) => member + 1).join(' ')}" aria-label="${escapeHtml(text)}">` +
    `<circle cx="${at(spot.x)}" cy="${at(spot.y)}" r="${radius}"/>` +
    `<text class="number${size}" x="${at(spot.x)}" y="${at(spot.y)}" dy=".36em" text-anchor="middle" aria-hidden="true">${label}</text></g>`
  )
}

function lengthText(km: number) {
  return km < 1 ? `${Math.round(km * 1000)} m` : `${Math.round(km)} km`
}

function at(value: number) {
  return Math.round(value * 10) / 10
}

/** Pixels or km; `y` grows downwards. */
interface Spot {
  x: number
  y: number
}

const RAD = Math.PI / 180

/** Azimuthal equidistant projection, in km. */
export function project(centre: Position, position: Position): Spot {
  const { latitude, longitude } = position
  const [lat0, lat, dLon] = [centre.latitude * RAD, latitude * RAD, (longitude - centre.longitude) * RAD]
  const km = greatCircleKm(centre, position)
  const east = Math.cos(lat) * Math.sin(dLon)
  const north = Math.cos(lat0) * Math.sin(lat) - Math.sin(lat0) * Math.cos(lat) * Math.cos(dLon)
  const length = Math.hypot(east, north)
  return length === 0 ? { x: 0, y: 0 } : { x: (km * east) / length, y: (-km * north) / length }
}

export function middleOf(positions: readonly Position[]): Position | undefined {
  if (positions.length === 0) return undefined
  let [x, y, z] = [0, 0, 0]
  for (const { latitude, longitude } of positions) {
    x += Math.cos(latitude * RAD) * Math.cos(longitude * RAD)
    y += Math.cos(latitude * RAD) * Math.sin(longitude * RAD)
    z += Math.sin(latitude * RAD)
  }
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / RAD, longitude: Math.atan2(y, x) / RAD }
}

const KM_OF_DEGREE = 111.195
/** Straight-line distances fit this well. Road distances don't, so no place is marked. */
const FIT_KM = 0.1

/** Finds the place that the platform measured three or more distances from. */
export function placeByDistances(points: readonly FoundPoint[]): Position | undefined {
  const centre = middleOf(points.flatMap(({ position }) => position ?? []))
  const known = points.flatMap(({ position, distanceKm }) =>
    centre && position && distanceKm !== undefined ? { ...project(centre, position), km: distanceKm } : [],
  )
  const [first, ...others] = known
  if (!centre || !first || others.length < 2) return undefined
  // Subtracting the first circle turns the others into lines, solved by least squares.
  let [xx, xy, yy, xk, yk] = [0, 0, 0, 0, 0]
  for (const { x, y, km } of others) {
    const [a, b] = [2 * (x - first.x), 2 * (y - first.y)]
    const k = first.km ** 2 - km ** 2 + x ** 2 + y ** 2 - first.x ** 2 - first.y ** 2
    xx += a * a
    xy += a * b
    yy += b * b
    xk += a * k
    yk += b * k
  }
  const area = xx * yy - xy * xy
  const [x, y] = [(xk * yy - yk * xy) / area, (yk * xx - xk * xy) / area]
  const isFit = known.every((one) => Math.abs(Math.hypot(one.x - x, one.y - y) - one.km) < FIT_KM)
  if (!isFit) return undefined
  const latitude = centre.latitude - y / KM_OF_DEGREE
  return { latitude, longitude: centre.longitude + x / (KM_OF_DEGREE * Math.cos(latitude * RAD)) }
}

export function roundDown(value: number): number {
  const power = 10 ** Math.floor(Math.log10(value))
  const digit = value / power
  return (digit >= 5 ? 5 : digit >= 2 ? 2 : 1) * power
}

/** Numbered marker of a point, or of close ones at the first of them. */
interface Marker {
  members: number[]
  anchor: Spot
  radius: number
}

const RADIUS = 15
const GROUP_RADIUS = 22
const GAP = 2
/** More are unreadable. */
const MAX_MARKERS = 60

/** Places markers so that none covers another: neighbours share one. */
export function placeMarkers(spots: readonly (Spot | undefined)[]): Marker[] {
  for (let within = 2 * RADIUS + GAP; ; within *= 1.2) {
    const markers = grouped(spots, within)
    const isCovered = (one: Marker, other: Marker) =>
      Math.hypot(one.anchor.x - other.anchor.x, one.anchor.y - other.anchor.y) <
      one.radius + other.radius + GAP
    const isCrowded = markers.some((one, index) =>
      markers.slice(index + 1).some((other) => isCovered(one, other)),
    )
    if (!isCrowded && markers.length <= MAX_MARKERS) return markers
  }
}

function grouped(spots: readonly (Spot | undefined)[], within: number) {
  const markers: Marker[] = []
  for (const [index, spot] of spots.entries()) {
    if (!spot) continue
    const near = markers.find(({ anchor }) => Math.hypot(anchor.x - spot.x, anchor.y - spot.y) < within)
    if (near) {
      near.members.push(index)
      near.radius = GROUP_RADIUS
    } else markers.push({ members: [index], anchor: spot, radius: RADIUS })
  }
  return markers
}
