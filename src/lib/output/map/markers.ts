import type { Spot } from './projection.ts'

/** A numbered sign for one point, or for several too close to be told apart. */
export interface Marker {
  /** Positions in the list, from 0. */
  members: number[]
  /** Place of the first point. */
  anchor: Spot
  /** Beside the anchor where others are in the way. */
  at: Spot
  radius: number
}

export interface MarkerOptions {
  /** Side of the square for all signs. */
  size: number
  /** Kept free: the reference point. */
  taken: readonly Spot[]
}

const RADIUS = 15
/** Radius of a sign with several numbers. */
const GROUP_RADIUS = 22
const GAP = 2
/** Distance below which two points are one place. */
const SAME_PLACE = 3
/** More can't be read. */
const MAX_MARKERS = 60
const ROUNDS = 400
/** Longest distance of a sign from its place: a longer one would mislead. */
const LEASH = 36
/** Spreads points of one place in different directions. */
const GOLDEN_ANGLE = 2.399963

/**
 * Places markers so that none covers another and none is far from its place; without room, nearest neighbours share
 * one. Deterministic.
 */
export function placeMarkers(spots: readonly (Spot | undefined)[], options: MarkerOptions): Marker[] {
  // Ends when anchors are so far apart that hardly anything moves.
  for (let within = SAME_PLACE; ; within *= 1.4) {
    const markers = grouped(spots, within)
    if (markers.length > MAX_MARKERS) continue
    for (let round = 0; round < ROUNDS && pushApart(markers, options); round += 1);
    const strayed = markers.some(({ anchor, at }) => Math.hypot(at.x - anchor.x, at.y - anchor.y) > LEASH)
    if (!strayed || within > 2 * GROUP_RADIUS + GAP) return markers
  }
}

function grouped(spots: readonly (Spot | undefined)[], within: number): Marker[] {
  const markers: Marker[] = []
  for (const [index, spot] of spots.entries()) {
    if (!spot) continue
    const near = markers.find(({ anchor }) => Math.hypot(anchor.x - spot.x, anchor.y - spot.y) < within)
    if (near) {
      near.members.push(index)
      near.radius = GROUP_RADIUS
    } else markers.push({ members: [index], anchor: spot, at: { ...spot }, radius: RADIUS })
  }
  return markers
}

interface Disc {
  at: Spot
  radius: number
  isFixed?: boolean
}

/** Moves overlapping signs apart. @returns whether any moved */
function pushApart(markers: readonly Marker[], { size, taken }: MarkerOptions): boolean {
  const fixed = taken.map((at) => ({ at, radius: RADIUS / 2, isFixed: true }))
  const all: Disc[] = [...markers, ...fixed]
  let hasMoved = false
  for (const [index, one] of all.entries()) {
    for (const other of all.slice(index + 1)) hasMoved = part(one, other, index, size) || hasMoved
  }
  return hasMoved
}

function part(one: Disc, other: Disc, index: number, size: number): boolean {
  const [dx, dy] = [other.at.x - one.at.x, other.at.y - one.at.y]
  const distance = Math.hypot(dx, dy)
  const missing = one.radius + other.radius + GAP - distance
  if (missing <= 0.01 || (one.isFixed && other.isFixed)) return false
  const angle = distance < 0.01 ? index * GOLDEN_ANGLE : Math.atan2(dy, dx)
  const share = one.isFixed || other.isFixed ? missing : missing / 2
  shift(one, angle + Math.PI, share, size)
  shift(other, angle, share, size)
  return true
}

function shift({ at, radius, isFixed }: Disc, angle: number, by: number, size: number): void {
  if (isFixed) return
  const inside = (value: number) => Math.min(size - radius - 1, Math.max(radius + 1, value))
  at.x = inside(at.x + Math.cos(angle) * by)
  at.y = inside(at.y + Math.sin(angle) * by)
}
