import { carrierName } from '../../wire/words.ts'
import { baseStyle, escapeHtml, htmlPage, LIGHT_COLOURS } from '../html/page.ts'
import { lookOf, mapDrawing, placeByDistances } from './drawing.ts'
import { distanceText, type FoundPoint, type Opening, type Position } from './point.ts'
import { filled, MAP_WORDS, type MapLanguage, type MapWords } from './words.ts'

interface MapOptions {
  /** `40.4168, -3.7038` */
  place: string
  /** Position of the place. Without one it is worked out from the distances. */
  reference: Position | undefined
  /** Time that `opening` is about: `Sat 28 Nov 2026, 18:00`. */
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
  return htmlPage({ title, language, style: MAP_STYLE, script: SCRIPT, main })
}

function legend(
  marked: string | undefined,
  unlocated: number,
  { key, unlocated: without }: MapWords,
): string {
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

function listItem(point: FoundPoint, index: number, words: MapWords): string {
  const { name, carrier, type, distanceKm, opening, address, week, position } = point
  const distance = distanceText(distanceKm, words.decimalPoint)
  const facts = [distance, carrierName(carrier), typeWords(type, words)]
    .flatMap((one) => one || [])
    .map(escapeHtml)
    .join(' · ')
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

function placeLink(place: string, reference: Position | undefined, words: MapWords): string {
  if (reference) return mapLink(reference, place, words)
  return link(`https://www.openstreetmap.org/search?query=${encodeURIComponent(place)}`, place, words)
}

function mapLink({ latitude, longitude }: Position, name: string, words: MapWords): string {
  const [lat, lon] = [latitude, longitude].map((degrees) => Number(degrees.toFixed(6)))
  return link(`https://www.openstreetmap.org/?mlat=${lat}&mlon=${lon}#map=17/${lat}/${lon}`, name, words)
}

function link(url: string, name: string, { onOpenStreetMap }: MapWords): string {
  const label = escapeHtml(`${onOpenStreetMap}: ${name}`)
  return `<a href="${escapeHtml(url)}" target="_blank" rel="noopener noreferrer" aria-label="${label}">${onOpenStreetMap}</a>`
}

function typeWords(type: string, { types }: MapWords): string {
  const table: Readonly<Record<string, string>> = types
  return Object.hasOwn(table, type) ? (table[type] ?? type) : type
}

function openingWords({ state, until }: Opening, words: MapWords): string {
  if (state === 'open') return until === undefined ? words.open : filled(words.openUntil, { time: until })
  if (state === 'closed') return until === undefined ? words.shut : filled(words.opens, { time: until })
  return words[state]
}

const LIGHT = `;--map:#e9eef4;--ring:#aebccb;--mark:#0b57d0;--on-mark:#fff;--shut:#fff;--on-shut:#3c4652;--good:#10602f;--bad:#8c2f12;--pick:#b3470b;--here:#a3123a`
const DARK = `;--map:#161c24;--ring:#445365;--mark:#8ab4f8;--on-mark:#0a1628;--shut:#1a2028;--on-shut:#c6d0db;--good:#8fd6a6;--bad:#ffb199;--pick:#ffb870;--here:#ff8fab`

/** The page's policy holds the hash of this style. */
const MAP_STYLE = `
${baseStyle(LIGHT, DARK)}h2{font-size:1rem;margin:0}
p{margin:0}
header p,.facts,.hours,.legend{color:var(--soft)}
.columns{display:grid;grid-template-columns:minmax(0,1fr) minmax(0,1fr);gap:20px;align-items:start}
.list:only-child{grid-column:1/-1}
.map{position:sticky;top:20px;background:var(--card);border:1px solid var(--line);border-radius:12px;overflow:hidden}
svg{display:block;width:100%;height:auto;max-height:calc(100vh - 110px);background:var(--map)}
.legend{display:flex;flex-wrap:wrap;gap:4px 18px;padding:9px 14px;font-size:.875rem;border-top:1px solid var(--line)}
.key{display:inline-block;width:12px;height:12px;border-radius:50%;border:2px solid var(--mark);background:var(--mark);vertical-align:-1px;margin-right:3px}
.key.closed{background:var(--shut);border-color:var(--on-shut)}
.key.unknown{background:none;border-color:var(--on-shut);border-style:dashed}
.key.cross{background:none;border-color:var(--here);border-width:3px}
.ring{fill:none;stroke:var(--ring);stroke-dasharray:3 5}
.note{fill:var(--soft);font-size:13px;paint-order:stroke;stroke:var(--map);stroke-width:4px}
.north path{fill:var(--text)}
.here circle{fill:var(--map);stroke:var(--here);stroke-width:3}
.here path{stroke:var(--here);stroke-width:2}
.dot{fill:var(--text)}
.marker{cursor:pointer}
.marker circle{fill:var(--mark);stroke:var(--map);stroke-width:1.5}
.marker.closed circle{fill:var(--shut);stroke:var(--on-shut);stroke-width:2}
.marker.unknown circle{fill:var(--map);stroke:var(--on-shut);stroke-width:2;stroke-dasharray:4 3}
.number{fill:var(--on-mark);font-size:15px;font-weight:600}
.number.small{font-size:12.5px}
.number.tiny{font-size:11px}
.marker.closed .number,.marker.unknown .number{fill:var(--on-shut)}
.marker:focus{outline:none}
.marker:focus-visible circle,.marker.hot circle,.marker[aria-pressed=true] circle{stroke:var(--pick);stroke-width:5;stroke-dasharray:none}
ol{list-style:none;margin:0;padding:0;display:grid;gap:10px}
li{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:12px 14px;overflow-wrap:anywhere;scroll-margin:20px}
li.hot{border-color:var(--pick)}
li.picked{border-color:var(--pick);box-shadow:inset 4px 0 var(--pick)}
li button{all:unset;box-sizing:border-box;display:flex;gap:10px;align-items:center;width:100%;cursor:pointer;font-weight:600;font-size:1.0625rem;min-height:28px}
li button:focus-visible{outline:3px solid var(--pick);outline-offset:3px;border-radius:6px}
li p{margin:2px 0 0 40px}
.badge{flex:none;min-width:30px;height:30px;padding:0 5px;border-radius:15px;background:var(--mark);color:var(--on-mark);border:2px solid var(--mark);display:inline-flex;align-items:center;justify-content:center;font-size:.9375rem}
.badge.closed{background:var(--shut);color:var(--on-shut);border-color:var(--on-shut)}
.badge.unknown{background:none;color:var(--on-shut);border:2px dashed var(--on-shut)}
.state{color:var(--good);font-weight:600}
.state.closed{color:var(--bad)}
.state.unknown{color:var(--soft)}
.onward a{display:inline-block;padding:3px 0;color:var(--mark);font-size:.875rem}
.onward a:focus-visible{outline:3px solid var(--pick);outline-offset:2px;border-radius:4px}
.hours{font-size:.875rem}
.hours span{display:inline-block;margin-right:12px}
.unseen{position:absolute;width:1px;height:1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
@media (max-width:760px){main{padding:14px}.columns{grid-template-columns:minmax(0,1fr)}.map{position:static}svg{max-height:none}.note{font-size:18px}.number{font-size:17px}h1{font-size:1.25rem}}
@media (forced-colors:active){.marker circle{stroke:CanvasText}.number{fill:CanvasText}}
@media print{.onward{display:none}:root{color-scheme:light;${LIGHT_COLOURS}${LIGHT};--back:#fff}main{padding:0;max-width:none}.columns{display:block}.map{position:static;width:130mm;margin:0 auto 6mm;break-inside:avoid}body{font-size:10.5pt}ol{display:block;columns:2;column-gap:8mm}li{border-width:0 0 1px;border-radius:0;padding:2mm 0;break-inside:avoid}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`

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
