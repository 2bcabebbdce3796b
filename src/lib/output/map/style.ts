import { baseStyle, LIGHT_COLOURS } from '../html/base-style.ts'

const LIGHT = `;--map:#e9eef4;--ring:#aebccb;--mark:#0b57d0;--on-mark:#fff;--shut:#fff;--on-shut:#3c4652;--good:#10602f;--bad:#8c2f12;--pick:#b3470b;--here:#a3123a`
const DARK = `;--map:#161c24;--ring:#445365;--mark:#8ab4f8;--on-mark:#0a1628;--shut:#1a2028;--on-shut:#c6d0db;--good:#8fd6a6;--bad:#ffb199;--pick:#ffb870;--here:#ff8fab`

/** Style of the page; its hash is in the page's policy. */
export const MAP_STYLE = `
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
.scale{fill:none;stroke:var(--text);stroke-width:2}
.north path{fill:var(--text)}
.here circle{fill:var(--map);stroke:var(--here);stroke-width:3}
.here path{stroke:var(--here);stroke-width:2}
.leader{stroke:var(--soft);stroke-width:1}
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
