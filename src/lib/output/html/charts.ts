import { BarChart, LineChart } from 'echarts/charts'
import { GridComponent } from 'echarts/components'
import { type EChartsCoreOption, init, use } from 'echarts/core'
import { SVGRenderer } from 'echarts/renderers'

use([BarChart, LineChart, GridComponent, SVGRenderer])

const TEXT = { color: 'var(--text)' }
const SOFT = { color: 'var(--soft)' }
const LINE = { lineStyle: { color: 'var(--line)' } }
const WIDTH = 380
/** Wide enough for fonts that differ. */
const LABEL_WIDTH = 160

interface ChartValue {
  label: string
  value: number
}

export function barChart(values: readonly ChartValue[]): string {
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

export function timeChart(values: readonly ChartValue[], width = WIDTH): string {
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
function svg(height: number, option: EChartsCoreOption, width = WIDTH): string {
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
