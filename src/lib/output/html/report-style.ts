import { baseStyle, LIGHT_COLOURS } from './base-style.ts'

const LIGHT = `;--mark:#0b57d0;--mark-2:#b3470b;--bad:#8c2f12;--bad-back:#fdeee8`
const DARK = `;--mark:#8ab4f8;--mark-2:#ffb870;--bad:#ffb199;--bad-back:#2b1c18`

/** Style of pages with tables and charts. */
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
.date{white-space:nowrap}
tr.gap td{color:var(--bad);font-style:italic}
svg{display:block;width:100%;height:auto;margin-bottom:8px}
.cards .card:not(.wide) svg{max-width:480px}
svg text{font:12px system-ui,-apple-system,"Segoe UI",Roboto,sans-serif}
@media (max-width:760px){main{padding:14px}.broad{display:none}table{font-size:.8125rem}td,th{padding-right:8px}tbody th{min-width:6em}dl{grid-template-columns:minmax(0,1fr);gap:0}dd{margin-bottom:6px}.narrow{display:block}h1{font-size:1.25rem}.timeline td{display:block;border-top:0;padding:0}.timeline td:nth-child(2),.timeline td:nth-child(3){display:inline;padding-right:6px}.timeline thead{display:none}.timeline tr{display:block;border-top:1px solid var(--line);padding:6px 0}}
@media print{.long{max-height:none}:root{color-scheme:light;${LIGHT_COLOURS}${LIGHT};--back:#fff}main{padding:0;max-width:none}.card{break-inside:avoid}body{font-size:10.5pt}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}}
`
