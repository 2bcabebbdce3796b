// Writes bench/results.json as tables into the pages about speed, between `<!-- bench: PART… -->` and the next heading.
// Results are stored as numbers and formatted only here.

/** Pages with generated tables. */
export const PAGES = ['performance', 'platforms', 'mirror', 'reliability', 'sandbox/README'].map(
  (name) => `docs/${name}.md`,
)

/** Goals by their first word: the field of a row and its unit. */
const GOALS = {
  ratio: [(row) => row.ratio.median, '×'],
  worst: [(row) => row.ratio.most, '× worst'],
  cpuRatio: [(row) => row.cpuRatio.median, '× CPU'],
  ms: [(row) => row.ms.median, duration],
  cpuMs: [(row) => row.cpuMs.median, (bound) => `${duration(bound)} of CPU`],
  p95: [(row) => row.ms.p95, ' ms at 95 %'],
  p99: [(row) => row.ms.p99, ' ms at 99 %'],
  perSecond: [perSecond, '/s'],
  peakMiB: [(row) => row.peakMiB, ' MiB'],
  refusedPercent: [(row) => row.refusedPercent, ' %'],
  lost: [(row) => row.lost, ' lost'],
  doubled: [(row) => row.doubled, ' doubled'],
  risePercent: [(row) => row.risePercent, ' % more'],
}

function perSecond({ count, ms }) {
  return (count / ms.median) * 1000
}

export function grouped(number) {
  return Math.round(number).toLocaleString('en')
}

function duration(ms) {
  if (ms < 10) return `${ms.toFixed(1)} ms`
  return ms < 1000 ? `${ms.toFixed(0)} ms` : `${(ms / 1000).toFixed(ms < 100_000 ? 1 : 0)} s`
}

function measuredCell(row) {
  const { count, ms, cpuMs, peakMiB, sizeMiB } = row
  const cells = []
  if (ms) cells.push(count ? `${grouped(perSecond(row))}/s` : duration(ms.median))
  if (cpuMs && count) cells.push(`CPU ${grouped((cpuMs.median / count) * 1000)} µs each`)
  else if (cpuMs) cells.push(`CPU ${duration(cpuMs.median)}`)
  if (peakMiB) cells.push(`${grouped(peakMiB)} MiB`)
  if (sizeMiB) cells.push(`${grouped(sizeMiB)} MiB on disk`)
  return cells.join(', ')
}

function ratioText({ median, least, most }) {
  const isSpread = least !== undefined && least !== most
  return `${median.toFixed(2)}×${isSpread ? ` (${least.toFixed(2)}–${most.toFixed(2)})` : ''}`
}

function comparedCell({ ratio, cpuRatio, of, ms, refusedPercent, lost, note }) {
  const cells = []
  if (ratio) cells.push(`${of ? `${of} ` : ''}${ratioText(ratio)}`)
  // The spread of both would make a line longer than 120 characters.
  if (cpuRatio) cells.push(`CPU ${ratioText(ratio ? { median: cpuRatio.median } : cpuRatio)}`)
  if (ms?.p95 !== undefined) cells.push(`95 %: ${duration(ms.p95)}`)
  if (ms?.p99 !== undefined) cells.push(`99 %: ${duration(ms.p99)}`)
  if (refusedPercent !== undefined) cells.push(`${refusedPercent.toFixed(2)} % refused, ${lost} lost`)
  if (note) cells.push(note)
  return cells.join(', ')
}

/** True if the row meets a goal such as `['ratio', '≤', 1.4]`. */
export function isMet(row, [name, sign, bound]) {
  const value = GOALS[name][0](row)
  if (sign === '<') return value < bound
  if (sign === '=') return value === bound
  return sign === '≤' ? value <= bound : value >= bound
}

function goalCell(row) {
  const goals = row.goals ?? []
  const text = ([name, sign, bound]) => {
    const unit = GOALS[name][1]
    return `${sign === '=' ? '' : `${sign} `}${typeof unit === 'function' ? unit(bound) : `${bound.toLocaleString('en')}${unit}`}`
  }
  const missed = goals.filter((goal) => !isMet(row, goal)).map(text)
  return missed.length > 0 ? `**missed: ${missed.join(', ')}**` : goals.map(text).join(', ')
}

/** Table of the rows; detail rows stay in bench/results.json only. */
export function tableOf(rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`.replace(/ {2,}/g, ' ')
  return [
    line(['', 'measured', 'compared', 'goal']),
    line(Array(4).fill('---')),
    ...rows
      .filter((row) => row.on === undefined && !row.detail)
      .map((row) => line([row.what, measuredCell(row), comparedCell(row), goalCell(row)])),
    ...byPlace(rows).map((cells) => line(cells)),
  ].join('\n')
}

/** Merges rows of the same subjects on several places (`on`) into one row for each place, with ratios only. */
function byPlace(rows) {
  const places = [...new Set(rows.flatMap(({ on }) => on ?? []))]
  return places.map((place) => {
    const there = rows.filter(({ on }) => on === place)
    const ratios = there.map(({ what, ratio }) => `${what} ${ratio.median.toFixed(2)}×`)
    return [place, '', ratios.join(', '), there.map(goalCell).join(', ').replaceAll('≤ ', '≤')]
  })
}

/** Describes other load during the run. */
function howQuiet({ rounds = 1, load, otherPercent, stolenPercent }) {
  const turns = rounds === 1 ? '' : `${rounds} rounds, `
  if (otherPercent === undefined) return `${turns}not known how quiet`
  const verdict = otherPercent + stolenPercent <= 5 ? 'quiet' : '**not quiet**'
  return `${turns}load ${load.join(' → ')}, others ${otherPercent} %, stolen ${stolenPercent} %: ${verdict}`
}

function wrapped(text) {
  return text.match(/\S.{0,116}(?=\s|$)/g).join('\n')
}

/** Returns the text between a pair of marks. Parts of the same day and machine share a line about them. */
export function sectionOf(names, results) {
  const there = names.filter((name) => results[name])
  const runs = new Map()
  for (const name of there) {
    const place = `${results[name].date}, ${results[name].machine}`
    const quiet = howQuiet(results[name])
    const same = runs.get(place) ?? new Map()
    runs.set(place, same.set(quiet, [...(same.get(quiet) ?? []), name]))
  }
  const where = [...runs].map(([place, by]) => {
    const isOne = runs.size === 1 && by.size === 1
    const words = [...by].map(([quiet, of]) => (isOne ? quiet : `\`${of.join('`, `')}\` ${quiet}`))
    return `${place}: ${words.join('; ')}.`
  })
  const absent = names.filter((name) => !results[name])
  if (absent.length > 0) where.push(`Not run yet: \`${absent.join('`, `')}\`.`)
  const rows = there.flatMap((name) => results[name].rows)
  return [...where.map(wrapped), ...(rows.length > 0 ? ['', tableOf(rows)] : [])].join('\n')
}

/** Returns the page with all tables regenerated. */
export function pageWith(page, results) {
  return page.replace(
    /(?<=<!-- bench: ([^\n]+) -->\n).*?(?=\n## |$)/gs,
    (_old, names) => `${sectionOf(names.split(' '), results)}\n`,
  )
}

/** One row a line, so that results of two branches merge. */
export function resultsText(results) {
  const part = ([name, { rows, ...where }]) => {
    const lines = rows.map((row) => `      ${JSON.stringify(row)}`)
    const head = JSON.stringify(where).slice(0, -1)
    return `  ${JSON.stringify(name)}: ${head}, "rows": [\n${lines.join(',\n')}\n    ]\n  }`
  }
  const parts = Object.entries(results).sort(([a], [b]) => (a < b ? -1 : 1))
  return `{\n${parts.map(part).join(',\n')}\n}\n`
}
