import type { CustomerLanguage } from '../../wire/languages.ts'
import { escapeHtml } from '../html/escape.ts'
import { htmlPage } from '../html/page.ts'
import { lookOf, mapDrawing } from './drawing.ts'
import { distanceText, type FoundPoint, type Opening, type Position } from './point.ts'
import { SCRIPT } from './script.ts'
import { MAP_STYLE } from './style.ts'
import { MAP_WORDS, type MapWords } from './words.ts'

export interface MapOptions {
  /** `40.4168, -3.7038` */
  place: string
  reference: Position | undefined
  /** Time that `opening` is about: `Sat 28 Nov 2026, 18:00`. */
  asOf: string
  language: CustomerLanguage
}

/** A page with a map and a list; it can be read without script. The points are to have their hours in its language. */
export function mapPage(
  points: readonly FoundPoint[],
  { place, reference, asOf, language }: MapOptions,
): string {
  const words = MAP_WORDS[language]
  const title = words.title(place)
  const unlocated = points.filter(({ position }) => !position).length
  const isMapped = unlocated < points.length
  const main = `<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(words.head(points.length, asOf))}</p>
</header>
<div class="columns">
${isMapped ? `<section class="map" aria-label="${words.map}">\n${mapDrawing(points, reference, words)}\n${legend(reference, unlocated, words)}\n</section>` : ''}
<section class="list" aria-label="${words.list}">
${points.length === 0 ? `<p>${words.none}</p>` : `<ol>\n${points.map((point, index) => listItem(point, index, words)).join('\n')}\n</ol>`}
</section>
</div>
<p id="status" class="unseen" role="status"></p>`
  return htmlPage({ title, language, style: MAP_STYLE, script: SCRIPT, main })
}

function legend(
  reference: Position | undefined,
  unlocated: number,
  { key, unlocated: without }: MapWords,
): string {
  const parts = [
    ...(['open', 'closed', 'unknown'] as const).map(
      (look) => `<span class="key ${look}"></span> ${key[look]}`,
    ),
    reference ? `<span class="key cross"></span> ${key.here}` : '',
    unlocated > 0 ? without(unlocated) : '',
  ]
  return `<p class="legend">${parts
    .filter(Boolean)
    .map((part) => `<span>${part}</span>`)
    .join(' ')}</p>`
}

function listItem(point: FoundPoint, index: number, words: MapWords): string {
  const { name, carrier, type, distanceKm, opening, address, week, position } = point
  const distance = distanceText(distanceKm, words.decimalPoint)
  const facts = [distance, carrier, typeWords(type, words)].filter(Boolean).map(escapeHtml).join(' · ')
  const [look, state] = [lookOf(opening), openingWords(opening, words)]
  const said = [`${index + 1}`, name, distance, state, address].filter(Boolean).join(', ')
  const hours = week.map(({ days, hours: open }) => `<span>${escapeHtml(`${days} ${open}`)}</span>`).join(' ')
  return `<li id="point-${index + 1}" data-said="${escapeHtml(said)}">
<h2><button type="button" aria-pressed="false" data-point="${index + 1}"><span class="badge ${look}">${index + 1}</span> <bdi>${escapeHtml(name)}</bdi></button></h2>
<p class="facts">${facts}</p>
<p class="state ${look}">${escapeHtml(state)}</p>
${address === '' ? '' : `<p><bdi>${escapeHtml(address)}</bdi></p>`}
${hours === '' ? '' : `<p class="hours">${hours}</p>`}
${position ? `<p class="onward">${mapLink(position, name, words)}</p>` : ''}
</li>`
}

/** Loads nothing until somebody follows it. */
function mapLink({ latitude, longitude }: Position, name: string, { onOpenStreetMap }: MapWords): string {
  const [lat, lon] = [latitude, longitude].map((degrees) => Number(degrees.toFixed(6)))
  const url = `https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`
  const label = escapeHtml(`${onOpenStreetMap}: ${name}`)
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer" aria-label="${label}">${onOpenStreetMap}</a>`
}

/** One that is not known as it was sent. */
function typeWords(type: string, { types }: MapWords): string {
  const table: Readonly<Record<string, string>> = types
  return Object.hasOwn(table, type) ? (table[type] ?? type) : type
}

function openingWords({ state, until }: Opening, words: MapWords): string {
  if (state === 'open') return until === undefined ? words.open : words.openUntil(until)
  if (state === 'closed') return until === undefined ? words.shut : words.opens(until)
  return words[state]
}
