import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'
import { escapeHtml, htmlPage } from '../../../output/html/page.ts'
import style from '../../../output/html/report.css'
import { grouped } from '../../../wire/raw.ts'
import { wordsOf } from '../../../wire/words.ts'
import { hoursText, IN_TABLES, isTime, rangeText, type StatsLine, TIMES } from './stats.result.ts'
import titles from './titles.json'

/** More bars can't be compared; the table has them all. */
const MAX_BARS = 15
const TITLE = 'Returns in numbers'
const TITLES: Readonly<Record<string, string>> = titles

export function statsPage(lines: readonly StatsLine[], asOf: string): string {
  const [all, ...groups] = lines
  // Charts over time are as wide as the page, and come first.
  const dimensions = [...grouped(groups, ({ by }) => by)].sort(
    ([a], [b]) => Number(isTime(b)) - Number(isTime(a)),
  )
  const main = `<header>
<h1>${TITLE}</h1>
<p>${escapeHtml(asOf)}</p>
</header>
<div class="cards">
${dimensions.map(([by, rows]) => chartCard(by, rows)).join('\n')}
</div>
${all ? totals(all) : '<p>No returns match.</p>'}
<div class="cards">
${dimensions.map(([by, rows]) => tableCard(by, rows)).join('\n')}
</div>`
  return htmlPage({ title: TITLE, style, main })
}

function totals(all: StatsLine) {
  const rows = TIMES.map(({ field, title }) => `<dt>${title}</dt><dd>${hoursText(all[field])}</dd>`)
  return `<section class="card"><dl><dt>Returns</dt><dd>${all.returns}</dd>\n${rows.join('\n')}
<dt>In the tables</dt><dd>${IN_TABLES}</dd></dl></section>`
}

function chartCard(by: string, lines: readonly StatsLine[]) {
  const values = lines.map((line) => ({ label: labelOf(line), value: line.returns }))
  const charts = isTime(by)
    ? `<div class="broad">${timeChart(values, 1180)}</div><div class="narrow">${timeChart(values)}</div>`
    : barChart(values.slice(0, MAX_BARS))
  return `<section class="card${isTime(by) ? ' wide' : ''}"><h2>${escapeHtml(TITLES[by] ?? by)}</h2>\n${charts}</section>`
}

function tableCard(by: string, lines: readonly StatsLine[]) {
  const title = escapeHtml(TITLES[by] ?? by)
  const head = ['Returns', 'Share', 'To refund', 'To arrive']
  return `<section class="card"><h2>${title}</h2>
<div class="scroll${lines.length > MAX_BARS ? ' long' : ''}" tabindex="0" role="region" aria-label="${title}, table"><table>
<thead><tr><th>${escapeHtml(by)}</th>${head.map((text) => `<th class="number">${text}</th>`).join('')}</tr></thead>
<tbody>
${lines.map(row).join('\n')}
</tbody></table></div></section>`
}

function row(line: StatsLine) {
  const { returns, share } = line
  const times = TIMES.map(({ field }) => rangeText(line[field]))
  const cells = [String(returns), `${share.toFixed(1)} %`, ...times]
  const numbers = cells.map((text) => `<td class="number">${escapeHtml(text)}</td>`).join('')
  return `<tr><th scope="row"><bdi>${escapeHtml(labelOf(line))}</bdi></th>${numbers}</tr>`
}

function labelOf({ by, key, label }: StatsLine) {
  if (by === 'status') return wordsOf('returnStatus', key) || 'none'
  return label ?? (key || 'none')
}

use([BarChart, LineChart, GridComponent, SVGRenderer])

const TEXT = { color: 'var(--text)' }
const SOFT = { color: 'var(--soft)' }
const LINE = { lineStyle: { color: 'var(--line)' } }
const WIDTH = 380
/** Leaves room for wider fonts. */
const LABEL_WIDTH = 160

interface ChartValue {
  label: string
  value: number
}

function barChart(values: readonly ChartValue[]) {
  return svg(values.length * 26 + 8, {
    grid: { left: LABEL_WIDTH, right: 56, top: 4, bottom: 4 },
    xAxis: { type: 'value', show: false },
    yAxis: {
      type: 'category',
      inverse: true,
      data: values.map(({ label }) => label),
      axisLine: { show: false },
      axisTick: { show: false },
      axisLabel: { ...TEXT, width: LABEL_WIDTH - 36, overflow: 'truncate', fontSize: 12, interval: 0 },
    },
    series: {
      type: 'bar',
      silent: true,
      data: values.map(({ value }) => value),
      itemStyle: { color: 'var(--mark)', borderRadius: [0, 3, 3, 0] },
      barMaxWidth: 16,
      label: { show: true, position: 'right', ...TEXT, fontSize: 12 },
    },
  })
}

function timeChart(values: readonly ChartValue[], width = WIDTH) {
  return svg(
    200,
    {
      grid: { left: 44, right: 12, top: 12, bottom: 26 },
      xAxis: {
        type: 'category',
        boundaryGap: false,
        data: values.map(({ label }) => label),
        axisLine: LINE,
        axisTick: { show: false },
        axisLabel: { ...SOFT, fontSize: 12, hideOverlap: true },
      },
      yAxis: { type: 'value', minInterval: 1, axisLabel: { ...SOFT, fontSize: 12 }, splitLine: LINE },
      series: {
        type: 'line',
        silent: true,
        symbol: 'none',
        data: values.map(({ value }) => value),
        lineStyle: { color: 'var(--mark)', width: 2 },
        areaStyle: { color: 'var(--mark)', opacity: 0.15 },
      },
    },
    width,
  )
}

/** Removes inline styles, which the page's policy forbids. */
function svg(height: number, option: EChartsCoreOption, width = WIDTH) {
  const chart = init(null, null, { renderer: 'svg', ssr: true, width, height })
  try {
    chart.setOption({ animation: false, ...option })
    return chart
      .renderToSVGString()
      .replace(/<style\b.*?<\/style>/gs, '')
      .replace(/ (?:style|class|ecmeta_\w+|xmlns:xlink|baseProfile|pointer-events)="[^"]*"/g, '')
      .replace(/^<svg [^>]*?viewBox/, '<svg aria-hidden="true" viewBox')
  } finally {
    chart.dispose()
  }
}
