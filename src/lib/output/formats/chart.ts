const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

/** Draws a bar in eighths of a column. Small values stay visible. */
export function barText(value: number, greatest: number, columns: number): string {
  if (!(value > 0 && greatest > 0)) return ''
  const eighths = Math.max(1, Math.round((8 * columns * value) / greatest))
  return '█'.repeat(Math.floor(eighths / 8)) + (EIGHTHS[eighths % 8] ?? '')
}

interface LineChart {
  values: readonly number[]
  from: string
  to: string
  columns: number
  rows: number
}

export function lineChart({ values, from, to, columns, rows }: LineChart): string[] {
  const greatest = Math.max(...values, 1)
  const scale = String(Math.ceil(greatest))
  const points = resampled(values, Math.max(2, columns - scale.length - 2))
  const levels = points.map((value) => Math.round(((rows - 1) * value) / greatest))
  const lines = Array.from({ length: rows }, (_, row) => {
    const level = rows - 1 - row
    const label = level === rows - 1 ? scale : level === 0 ? '0' : ''
    const line = levels.map((to, index) => stroke(levels[index - 1] ?? to, to, level)).join('')
    return `${label.padStart(scale.length)} ┤${line}`.trimEnd()
  })
  const gap = Math.max(1, points.length - from.length - to.length)
  return [...lines, `${' '.repeat(scale.length + 2)}${from}${' '.repeat(gap)}${to}`]
}

function stroke(from: number, to: number, level: number) {
  if (from === to) return level === to ? '─' : ' '
  if (level === to) return to > from ? '╭' : '╰'
  if (level === from) return to > from ? '╯' : '╮'
  return (level - from) * (level - to) < 0 ? '│' : ' '
}

function resampled(values: readonly number[], columns: number) {
  if (values.length <= columns) {
    const times = Math.min(4, Math.floor(columns / Math.max(1, values.length)))
    return values.flatMap((value) => Array.from({ length: times }, () => value))
  }
  return Array.from({ length: columns }, (_, index) => {
    const start = Math.floor((index * values.length) / columns)
    const part = values.slice(start, Math.floor(((index + 1) * values.length) / columns))
    return part.reduce((sum, value) => sum + value, 0) / part.length
  })
}
