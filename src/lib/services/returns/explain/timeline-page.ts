import { cellText } from '../../../output/formats/cell.ts'
import type { Field } from '../../../output/formats/details.ts'
import { escapeHtml, htmlPage } from '../../../output/html/page.ts'
import style from '../../../output/html/report.css'
import { statusStyle } from '../../../output/style.ts'
import type { Return } from '../../../wire/returns.ts'
import { wordsOf } from '../../../wire/words.ts'
import type { TimelineLine } from './explain.result.ts'

interface TimelinePage {
  title: string
  asOf: string
  status: Return['status']
  answer: readonly Field[]
  fields: readonly Field[]
  problems: readonly string[]
  entries: readonly TimelineLine[]
  timeZone: string
}

export function timelinePage(page: TimelinePage): string {
  const { title, asOf, status, answer, fields, problems, entries, timeZone } = page
  const main = `<header>
<h1>${escapeHtml(title)}${status ? ` <span class="badge ${statusStyle(status)}">${escapeHtml(wordsOf('returnStatus', status))}</span>` : ''}</h1>
<p>${escapeHtml(asOf)}</p>
</header>
${card(answer, timeZone)}
${problems.length === 0 ? '' : `<section class="card bad"><h2>To be looked at</h2><ul>\n${problems.map((text) => `<li>${escapeHtml(text)}</li>`).join('\n')}\n</ul></section>`}
<section class="card"><h2>What happened</h2>
<ol class="timeline">
${entries.map((entry) => listItem(entry, timeZone)).join('\n')}
</ol></section>
${card(fields, timeZone)}`
  return htmlPage({ title, style, main })
}

function card(fields: readonly Field[], timeZone: string) {
  const rows = fields
    .map(({ label, value, kind }) => [label, cellText(value, kind, timeZone)].map(escapeHtml))
    .filter(([, text]) => text !== '')
  return `<section class="card"><dl>
${rows.map(([label, text]) => `<dt>${label}</dt><dd><bdi>${text}</bdi></dd>`).join('\n')}
</dl></section>`
}

function listItem({ date, of, what, detail }: TimelineLine, timeZone: string) {
  const [when, event, more] = [cellText(date, 'date', timeZone), what, detail].map(escapeHtml)
  return `<li class="${of}"><time>${when}</time><p><b><bdi>${event}</bdi></b> <span>${of}</span> <bdi>${more}</bdi></p></li>`
}
