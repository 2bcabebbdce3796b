import { counted } from '../../wire/counted.ts'
import { wordsOf } from '../../wire/words.ts'
import { escapeHtml } from '../html/escape.ts'
import { htmlPage } from '../html/page.ts'
import { distanceText, type FoundPoint, type Opening, type Position } from '../views/pudos.ts'
import { mapDrawing } from './drawing.ts'
import { SCRIPT } from './script.ts'
import { MAP_STYLE } from './style.ts'

export interface MapOptions {
  /** `40.4168, -3.7038` */
  place: string
  reference: Position | undefined
  /** Time that `opening` is about: `Sat 28 Nov 2026, 18:00`. */
  asOf: string
}

/** A page with a map and a list; it can be read without script. */
export function mapPage(points: readonly FoundPoint[], { place, reference, asOf }: MapOptions): string {
  const title = `Drop-off points near ${place}`
  const drawing = mapDrawing(points, reference)
  const unlocated = points.filter(({ position }) => !position).length
  const count = counted(points.length, 'point')
  const isMapped = unlocated < points.length
  const main = `<header>
<h1>${escapeHtml(title)}</h1>
<p>${count}, nearest first. Open or closed as of ${escapeHtml(asOf)}, local time.</p>
</header>
<div class="columns">
${isMapped ? `<section class="map" aria-label="Map">\n${drawing}\n${legend(reference, unlocated)}\n</section>` : ''}
<section class="list" aria-label="List">
${points.length === 0 ? '<p>No drop-off points were found.</p>' : `<ol>\n${points.map(listItem).join('\n')}\n</ol>`}
</section>
</div>
<p id="status" class="unseen" role="status"></p>`
  return htmlPage({ title, style: MAP_STYLE, script: SCRIPT, main })
}

function legend(reference: Position | undefined, unlocated: number): string {
  const parts = [
    '<span class="key open"></span> open or not known',
    '<span class="key closed"></span> closed',
    reference ? '<span class="key cross"></span> the place searched from' : '',
    unlocated > 0 ? `${unlocated} without a known position` : '',
  ]
  return `<p class="legend">${parts
    .filter(Boolean)
    .map((part) => `<span>${part}</span>`)
    .join(' ')}</p>`
}

function listItem(point: FoundPoint, index: number): string {
  const { name, carrier, type, distanceKm, opening, address, week } = point
  const facts = [distanceText(distanceKm), carrier, typeWords(type)]
    .filter(Boolean)
    .map(escapeHtml)
    .join(' · ')
  const state = openingWords(opening)
  const said = [`${index + 1}`, name, distanceText(distanceKm), state, address].filter(Boolean).join(', ')
  const isClosed = opening.state === 'closed' || opening.state === 'suspended'
  const hours = week.map(({ days, hours: open }) => `<span>${escapeHtml(`${days} ${open}`)}</span>`).join(' ')
  return `<li id="point-${index + 1}" data-said="${escapeHtml(said)}">
<h2><button type="button" aria-pressed="false" data-point="${index + 1}"><span class="badge${isClosed ? ' closed' : ''}">${index + 1}</span> <bdi>${escapeHtml(name)}</bdi></button></h2>
<p class="facts">${facts}</p>
${state === '' ? '' : `<p class="state${isClosed ? ' closed' : ''}">${escapeHtml(state)}</p>`}
${address === '' ? '' : `<p><bdi>${escapeHtml(address)}</bdi></p>`}
${hours === '' ? '' : `<p class="hours">${hours}</p>`}
</li>`
}

/** `POST_OFFICE` → `Post office`. */
function typeWords(type: string): string {
  const words = wordsOf('locationType', type)
  return words.charAt(0).toUpperCase() + words.slice(1)
}

function openingWords({ state, until }: Opening): string {
  if (state === 'open') return until === undefined ? 'Open' : `Open until ${until}`
  if (state === 'closed') return until === undefined ? 'Closed' : `Closed, opens ${until}`
  if (state === 'always') return 'Open day and night'
  return state === 'suspended' ? 'Temporarily closed' : ''
}
