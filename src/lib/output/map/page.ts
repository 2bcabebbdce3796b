import { joinParts, ownValue } from '../../wire/raw.ts'
import { carrierName } from '../../wire/words.ts'
import { escapeHtml, htmlPage } from '../html/page.ts'
import { lookOf, mapDrawing, placeByDistances } from './drawing.ts'
import style from './map.css'
import { distanceText, type FoundPoint, type Opening, type Position } from './point.ts'
import { filled, MAP_WORDS, type MapLanguage, type MapWords } from './words.ts'

interface MapOptions {
  /** `40.4168, -3.7038` */
  place: string
  /** Position of the place. Default: worked out from the distances. */
  reference: Position | undefined
  /** Time of the opening states: `Sat 28 Nov 2026, 18:00`. */
  asOf: string
  language: MapLanguage
}

/** Makes a page with a map and a list, readable without script. */
export function mapPage(
  points: readonly FoundPoint[],
  { place, reference: given, asOf, language }: MapOptions,
): string {
  const words = MAP_WORDS[language]
  const title = filled(words.title, { place })
  const reference = given ?? placeByDistances(points)
  const count = filled(words.points[points.length === 1 ? 0 : 1] ?? '', { count: points.length })
  const unlocated = points.filter(({ position }) => !position).length
  const isMapped = unlocated < points.length
  const main = `<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(filled(words.head, { points: count, asOf }))}</p>
</header>
<div class="columns">
${isMapped ? `<section class="map" aria-label="${words.map}">\n${mapDrawing(points, reference, place, words)}\n${legend(reference && place, unlocated, words)}\n<p class="legend onward">${words.streets} ${placeLink(place, reference, words)}</p>\n</section>` : ''}
<section class="list" aria-label="${words.list}">
${points.length === 0 ? `<p>${words.none}</p>` : `<ol>\n${points.map((point, index) => listItem(point, index, words)).join('\n')}\n</ol>`}
</section>
</div>
<p id="status" class="unseen" role="status"></p>`
  return htmlPage({ title, language, style, script: SCRIPT, main })
}

function legend(marked: string | undefined, unlocated: number, { key, unlocated: without }: MapWords) {
  const parts = [
    ...(['open', 'closed', 'unknown'] as const).map(
      (look) => `<span class="key ${look}"></span> ${key[look]}`,
    ),
    marked ? `<span class="key cross"></span> ${escapeHtml(marked)}` : '',
    unlocated > 0 ? filled(without, { count: unlocated }) : '',
  ]
  return `<p class="legend">${parts
    .filter(Boolean)
    .map((part) => `<span>${part}</span>`)
    .join(' ')}</p>`
}

function listItem(point: FoundPoint, index: number, words: MapWords) {
  const { name, carrier, type, distanceKm, opening, address, week, position } = point
  const distance = distanceText(distanceKm, words.decimalPoint)
  const facts = [distance, carrierName(carrier), typeWords(type, words)]
    .flatMap((one) => one || [])
    .map(escapeHtml)
    .join(' · ')
  const [look, state] = [lookOf(opening), openingWords(opening, words)]
  const announcement = joinParts([`${index + 1}`, name, distance, state, address])
  const hours = week.map(({ days, hours: open }) => `<span>${escapeHtml(`${days} ${open}`)}</span>`).join(' ')
  return `<li id="point-${index + 1}" data-said="${escapeHtml(announcement)}">
<h2><button type="button" aria-pressed="false" data-point="${index + 1}"><span class="badge ${look}">${index + 1}</span> <bdi>${escapeHtml(name)}</bdi></button></h2>
<p class="facts">${facts}</p>
<p class="state ${look}">${escapeHtml(state)}</p>
${address === '' ? '' : `<p><bdi>${escapeHtml(address)}</bdi></p>`}
${hours === '' ? '' : `<p class="hours">${hours}</p>`}
${position ? `<p class="onward">${mapLink(position, name, words)}</p>` : ''}
</li>`
}

function placeLink(place: string, reference: Position | undefined, words: MapWords) {
  if (reference) return mapLink(reference, place, words)
  return link(`https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`, place, words)
}

function mapLink({ latitude, longitude }: Position, name: string, words: MapWords) {
  const [lat, lon] = [latitude, longitude].map((degrees) => Number(degrees.toFixed(6)))
  return link(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`, name, words)
}

function link(url: string, name: string, { onOpenStreetMap }: MapWords) {
  const label = escapeHtml(`${onOpenStreetMap}: ${name}`)
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer" aria-label="${label}">${onOpenStreetMap}</a>`
}

function typeWords(type: string, { types }: MapWords) {
  return ownValue<string>(types, type) ?? type
}

function openingWords({ state, until }: Opening, words: MapWords) {
  if (state === 'open') return until === undefined ? words.open : filled(words.openUntil, { time: until })
  if (state === 'closed') return until === undefined ? words.shut : filled(words.opens, { time: until })
  return words[state]
}

/** The page's policy holds the hash of this script. */
const SCRIPT = `
(() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const buttons = all('li button');
  const markers = all('.marker');
  const status = document.getElementById('status');
  const numbersOf = (element) => (element.dataset.points || element.dataset.point).split(' ');
  const item = (number) => document.getElementById('point-' + number);
  const isOf = (element, number) => numbersOf(element).includes(number);
  let picked;

  const pick = (number, scroll) => {
    picked = number;
    for (const one of [...buttons, ...markers]) one.setAttribute('aria-pressed', String(isOf(one, number)));
    for (const one of all('li')) one.classList.toggle('picked', one.id === 'point-' + number);
    status.textContent = number && item(number) ? item(number).dataset.said : '';
    if (scroll && item(number)) item(number).scrollIntoView({ block: 'nearest' });
  };
  const heat = (numbers) => {
    for (const one of markers) one.classList.toggle('hot', numbers.some((number) => isOf(one, number)));
    for (const one of buttons) one.closest('li').classList.toggle('hot', numbers.includes(one.dataset.point));
  };

  const press = (element) => {
    const numbers = numbersOf(element);
    // A sign for several points shows the next one each time.
    const next = numbers[(numbers.indexOf(picked) + 1) % numbers.length];
    if (element.dataset.point) pick(picked === next ? '' : next, false);
    else pick(next, true);
  };
  const steps = { ArrowDown: 1, ArrowRight: 1, ArrowUp: -1, ArrowLeft: -1 };
  const target = (items, from, key) => {
    if (key === 'Home') return items[0];
    if (key === 'End') return items[items.length - 1];
    return key in steps ? items[from + steps[key]] : undefined;
  };
  // One stop of the tab key for each group, and the link of that item; the arrows go on from there.
  const rove = (items) => {
    const stop = (at) => items.forEach((one) => {
      const link = one.closest('li')?.querySelector('a');
      for (const each of link ? [one, link] : [one]) each.tabIndex = one === at ? 0 : -1;
    });
    if (items.length > 0) stop(items[0]);
    items.forEach((one, index) => {
      one.addEventListener('focus', () => { stop(one); heat(numbersOf(one)); });
      one.addEventListener('blur', () => heat([]));
      one.addEventListener('click', () => press(one));
      one.addEventListener('keydown', (event) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const next = target(items, index, event.key);
        if (next) next.focus();
        else if (event.key === 'Escape') pick('', false);
        else if ((event.key === 'Enter' || event.key === ' ') && one.dataset.points) press(one);
        else return;
        event.preventDefault();
      });
    });
  };
  rove(markers);
  rove(buttons);
  for (const one of markers) {
    one.addEventListener('mouseenter', () => heat(numbersOf(one)));
    one.addEventListener('mouseleave', () => heat([]));
  }
  for (const one of all('li')) {
    one.addEventListener('mouseenter', () => heat([one.id.slice(6)]));
    one.addEventListener('mouseleave', () => heat([]));
  }
})();
`
