import { cellText } from '../../../output/formats/cell.ts'
import type { Field } from '../../../output/formats/details.ts'
import { escapeHtml, htmlPage, REPORT_STYLE } from '../../../output/html/page.ts'
import type { TimelineLine } from './explain.result.ts'

interface TimelinePage {
  title: string
  asOf: string
  fields: readonly Field[]
  problems: readonly string[]
  entries: readonly TimelineLine[]
  timeZone: string
}

export function timelinePage(page: TimelinePage): string {
  const { title, asOf, fields, problems, entries, timeZone } = page
  const said = fields
    .map(({ label, value, kind }) => [label, cellText(value, kind, timeZone)] as const)
    .filter(([, text]) => text !== '')
  const main = `<header>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(asOf)}</p>
</header>
<section class="card"><dl>
${said.map(([label, text]) => `<dt>${escapeHtml(label)}</dt><dd><bdi>${escapeHtml(text)}</bdi></dd>`).join('\n')}
</dl></section>
${problems.length === 0 ? '' : `<section class="card bad"><h2>To be looked at</h2><ul>\n${problems.map((text) => `<li>${escapeHtml(text)}</li>`).join('\n')}\n</ul></section>`}
<section class="card"><h2>What happened</h2>
<table class="timeline"><thead><tr><th>When</th><th>Of</th><th>What</th><th>Detail</th></tr></thead><tbody>
${entries.map((entry) => row(entry, timeZone)).join('\n')}
</tbody></table></section>`
  return htmlPage({ title, style: REPORT_STYLE, main })
}

function row({ date, of, what, detail }: TimelineLine, timeZone: string): string {
  const cells = [cellText(date, 'date', timeZone), of, what, detail].map(
    (text, index) => `<td${index === 0 ? ' class="date"' : ''}><bdi>${escapeHtml(text)}</bdi></td>`,
  )
  return `<tr${of === 'gap' ? ' class="gap"' : ''}>${cells.join('')}</tr>`
}
