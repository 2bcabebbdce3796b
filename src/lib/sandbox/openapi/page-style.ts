export const DOCUMENT_STYLE = `
:root { color-scheme: light dark; --ink: light-dark(#1c2430, #e6eaf0); --soft: light-dark(#5a6575, #9aa7b8);
  --paper: light-dark(#ffffff, #14181f); --panel: light-dark(#f4f6f9, #1b212b); --line: light-dark(#dde3ea, #2c3542);
  --link: light-dark(#0a58ca, #7db3ff); --get: light-dark(#0b6b3a, #6fd6a0); --post: light-dark(#8a4b00, #f0b35f);
  --put: light-dark(#5b2fb0, #bfa2ff); }
* { box-sizing: border-box }
html { scroll-padding-top: 1rem }
body { margin: 0; display: grid; grid-template-columns: 20rem minmax(0, 1fr); color: var(--ink); background: var(--paper);
  font: 16px/1.55 system-ui, sans-serif }
nav { position: sticky; top: 0; height: 100vh; overflow-y: auto; padding: 1.5rem 1.25rem; background: var(--panel);
  border-right: 1px solid var(--line); font-size: .9rem }
nav .name { font-weight: 700; font-size: 1.05rem; margin: 0 0 1rem }
nav h2 { font-size: .75rem; text-transform: uppercase; letter-spacing: .06em; color: var(--soft); margin: 1.25rem 0 .4rem }
nav ul { list-style: none; margin: 0; padding: 0 }
nav li a { display: flex; padding: .3rem 0; color: inherit; text-decoration: none }
nav li a:hover, nav li a:focus-visible { color: var(--link) }
main { padding: 2.5rem clamp(1rem, 4vw, 4rem); max-width: 64rem }
h1 { font-size: 1.9rem; line-height: 1.2; margin: 0 0 .5rem }
a { color: var(--link) }
code { font: .88em ui-monospace, monospace; background: var(--panel); border: 1px solid var(--line); border-radius: 4px;
  padding: .05em .3em; overflow-wrap: anywhere }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.25rem }
dt { color: var(--soft) } dd { margin: 0 }
article, section { border-top: 1px solid var(--line); padding: 1.25rem 0; }
article h2 { font-size: 1.15rem; margin: 0 } article h2 code { border: 0; background: none; font-size: 1em }
.part { margin-top: 3rem } .summary { font-size: 1.05rem; margin: .35rem 0 }
h3 { font-size: .95rem; margin: 1.1rem 0 .35rem }
.method { display: inline-block; min-width: 3.2em; font: 700 .72rem/1.6 ui-monospace, monospace; margin-right: .5em }
.GET { color: var(--get) } .POST { color: var(--post) } .PUT { color: var(--put) }
.scroll { overflow-x: auto }
table { border-collapse: collapse; width: 100%; font-size: .9rem } th { text-align: left; color: var(--soft); font-weight: 500 }
th, td { padding: .4rem .75rem .4rem 0; border-bottom: 1px solid var(--line); vertical-align: top }
td:first-child { white-space: nowrap } td table { margin: .4rem 0 0; } td td { padding-left: .25rem }
b { font-size: .75rem; font-weight: 600; color: var(--post) }
summary { cursor: pointer; color: var(--link) }
@media (max-width: 50rem) { body { display: block } nav { position: static; height: auto; border: 0 } main { padding: 1.5rem 1rem }
  dl { grid-template-columns: 1fr } dd { margin-bottom: .5rem } }
@media print { nav { display: none } body { display: block } details > * { display: block } }
`
