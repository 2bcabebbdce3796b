import { createHash } from 'node:crypto'
import { visible } from '../visible.ts'

interface HtmlPage {
  title: string
  language?: string
  style: string
  /** The only script that the page may run. */
  script?: string
  main: string
}

/** Makes a page that may load nothing, and works offline. */
export function htmlPage({ title, language = 'en', style, script, main }: HtmlPage): string {
  const scripts = script === undefined ? '' : ` script-src '${hashOf(script)}';`
  const policy = `default-src 'none'; style-src '${hashOf(style)}';${scripts} img-src data:; base-uri 'none'; form-action 'none'`
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
<main>
${main}
</main>
${script === undefined ? '' : `<script>${script}</script>\n`}</body>
</html>
`
}

function hashOf(text: string): string {
  return `sha256-${createHash('sha256').update(text).digest('base64')}`
}

export const LIGHT_COLOURS = `--back:#f4f6f8;--card:#fff;--text:#1b2430;--soft:#4d5967;--line:#d5dce4`
const DARK_COLOURS = `--back:#11151b;--card:#1a2028;--text:#e8ecf1;--soft:#aab5c1;--line:#333d49`

/** Style that all pages begin with. Further colours are written `;--name:value`. */
export function baseStyle(light: string, dark: string): string {
  return `:root{color-scheme:light dark;${LIGHT_COLOURS}${light}}
@media (prefers-color-scheme:dark){:root{${DARK_COLOURS}${dark}}}
*{box-sizing:border-box}
body{margin:0;background:var(--back);color:var(--text);font:16px/1.45 system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
main{max-width:1240px;margin:0 auto;padding:20px}
header{margin-bottom:16px}
h1{font-size:1.5rem;line-height:1.2;margin:0 0 4px;overflow-wrap:anywhere}
`
}

const LIGHT = `;--mark:#0b57d0;--mark-2:#b3470b;--good:#10602f;--bad:#8c2f12;--bad-back:#fdeee8`
const DARK = `;--mark:#8ab4f8;--mark-2:#ffb870;--good:#8fd6a6;--bad:#ffb199;--bad-back:#2b1c18`

export const REPORT_STYLE = `
${baseStyle(LIGHT, DARK)}h2{font-size:1.0625rem;margin:0 0 8px}
p{margin:0}
header p{color:var(--soft)}
.card{background:var(--card);border:1px solid var(--line);border-radius:12px;padding:14px 16px;margin:0 0 16px;min-width:0}
.cards{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(440px,100%),1fr));gap:16px;align-items:start}
.cards .card{margin:0}
.wide{grid-column:1/-1}
.long{max-height:320px;overflow-y:auto}
.narrow{display:none}
dl{display:grid;grid-template-columns:max-content minmax(0,1fr);gap:4px 16px;margin:0}
dt{color:var(--soft)}
dd{margin:0;overflow-wrap:anywhere}
.bad{background:var(--bad-back);border-color:var(--bad)}
.bad h2{color:var(--bad)}
.bad ul{margin:0;padding-left:20px}
.scroll{overflow-x:auto}
.scroll:focus-visible{outline:3px solid var(--mark-2);outline-offset:2px}
table{border-collapse:collapse;width:100%;font-size:.9375rem}
caption{text-align:left;color:var(--soft);padding-bottom:4px}
th,td{text-align:left;padding:5px 10px 5px 0;border-top:1px solid var(--line);vertical-align:top}
thead th{border-top:0;color:var(--soft);font-weight:600;white-space:nowrap}
tbody th{font-weight:400;min-width:8.5em;overflow-wrap:anywhere}
.number{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}
.badge{display:inline-block;padding:2px 10px;border-radius:12px;font-size:.9375rem;font-weight:600;vertical-align:3px;color:var(--card);background:var(--mark)}
.badge.green{background:var(--good)}
.badge.red{background:var(--bad)}
.timeline{list-style:none;margin:0;padding:0}
.timeline li{display:grid;grid-template-columns:9.6em minmax(0,1fr);gap:28px;padding-bottom:12px;position:relative}
.timeline time{text-align:right;color:var(--soft);font-variant-numeric:tabular-nums}
.timeline p{overflow-wrap:anywhere}
.timeline span{color:var(--soft);font-size:.875rem}
.timeline li::before{content:"";position:absolute;left:calc(9.6em + 13px);top:10px;bottom:-10px;border-left:2px solid var(--line)}
.timeline li:last-child::before{display:none}
.timeline li::after{content:"";position:absolute;left:calc(9.6em + 8px);top:6px;width:8px;height:8px;border-radius:50%;border:2px solid var(--mark);background:var(--card)}
.timeline .scan::after{background:var(--mark)}
.timeline .refund::after{border-color:var(--good)}
.timeline .gap{color:var(--bad);font-style:italic}
.timeline .gap::before{border-left:2px dashed var(--bad)}
.timeline .gap::after{display:none}
svg{display:block;width:100%;height:auto;margin-bottom:8px}
.cards .card:not(.wide) svg{max-width:480px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@media (max-width:760px){main{padding:14px}.broad{display:none}table{font-size:.8125rem}td,th{padding-right:8px}tbody th{min-width:6em}dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:6px}.narrow{display:block}h1{font-size:1.25rem}.timeline li{grid-template-columns:minmax(0,1fr);gap:0;padding-left:24px}.timeline time{text-align:left}.timeline li::before{left:5px}.timeline li::after{left:0}}
@media print{.long{max-height:none}:root{color-scheme:light;${LIGHT_COLOURS}${LIGHT};--back:#fff}main{padding:0;max-width:none}.card{break-inside:avoid}body{font-size:10.5pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return visible(text).replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
