import { barChart, timeChart } from '../../../output/html/charts.ts'
import { escapeHtml, htmlPage } from '../../../output/html/page.ts'
import style from '../../../output/html/report.css'
import { wordsOf } from '../../../wire/words.ts'
import { hoursText, IN_TABLES, rangeText, type StatsLine } from './stats.result.ts'
import titles from './titles.json'

interface StatsPage {
  title: string
  asOf: string
  lines: readonly StatsLine[]
}

/** More bars can't be compared; the table has them all. */
const MAX_BARS = 15
const TITLES: Readonly<Record<string, string>> = titles

export function statsPage({ title, asOf, lines }: StatsPage): string {
  const [all, ...groups] = lines
  const dimensions = [...new Set(groups.map(({ by }) => by))]
  const isTime = (by: string) => by === 'day' || by === 'week'
  // Charts over time are as wide as the page, and come first.
  dimensions.sort((a, b) => Number(isTime(b)) - Number(isTime(a)))
  const ofKind = (by: string) => groups.filter((group) => group.by === by)
  const main = `<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(asOf)}</p>
</header>
<div class="cards">
${dimensions.map((by) => chartCard(by, ofKind(by), isTime(by))).join('\n')}
</div>
${all ? totals(all) : '<p>No returns match.</p>'}
<div class="cards">
${dimensions.map((by) => tableCard(by, ofKind(by))).join('\n')}
</div>`
  return htmlPage({ title, style, main })
}

function totals({ returns, requestToRefund, dropOffToArrival }: StatsLine): string {
  const times = [
    ['From request to refund', requestToRefund],
    ['From drop-off to arrival', dropOffToArrival],
  ] as const
  const rows = times.map(([label, time]) => `<dt>${label}</dt><dd>${hoursText(time)}</dd>`)
  return `<section class="card"><dl><dt>Returns</dt><dd>${returns}</dd>\n${rows.join('\n')}
<dt>In the tables</dt><dd>${IN_TABLES}</dd></dl></section>`
}

function chartCard(by: string, lines: readonly StatsLine[], isTime: boolean): string {
  const values = lines.map((line) => ({ label: labelOf(line), value: line.returns }))
  const charts = isTime
    ? `<div class="broad">${timeChart(values, 1180)}</div><div class="narrow">${timeChart(values)}</div>`
    : barChart(values.slice(0, MAX_BARS))
  return `<section class="card${isTime ? ' wide' : ''}"><h2>${escapeHtml(TITLES[by] ?? by)}</h2>\n${charts}</section>`
}

function tableCard(by: string, lines: readonly StatsLine[]): string {
  const title = escapeHtml(TITLES[by] ?? by)
  const head = ['Returns', 'Share', 'To refund', 'To arrive']
  return `<section class="card"><h2>${title}</h2>
<div class="scroll${lines.length > MAX_BARS ? ' long' : ''}" tabindex="0" role="region" aria-label="${title}, table"><table>
<thead><tr><th>${escapeHtml(by)}</th>${head.map((text) => `<th class="number">${text}</th>`).join('')}</tr></thead>
<tbody>
${lines.map(row).join('\n')}
</tbody></table></div></section>`
}

function row(line: StatsLine): string {
  const { returns, share, requestToRefund, dropOffToArrival } = line
  const cells = [
    String(returns),
    `${share.toFixed(1)} %`,
    rangeText(requestToRefund),
    rangeText(dropOffToArrival),
  ]
  const numbers = cells.map((text) => `<td class="number">${escapeHtml(text)}</td>`).join('')
  return `<tr><th scope="row"><bdi>${escapeHtml(labelOf(line))}</bdi></th>${numbers}</tr>`
}

function labelOf({ by, key, label }: StatsLine): string {
  if (by === 'status') return wordsOf('returnStatus', key) || 'none'
  return label ?? (key || 'none')
}
