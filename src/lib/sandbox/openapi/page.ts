import {
  DESCRIBED_OPERATIONS,
  type DescribedOperation,
  type openApiDocument,
  type Parameter,
  type SchemaName,
} from './document.ts'

const DOCUMENT_STYLE = `
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

type Document = ReturnType<typeof openApiDocument>

interface Schema {
  $ref?: string
  type?: string | readonly string[]
  enum?: readonly unknown[]
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  items?: Schema
  anyOf?: readonly Schema[]
  examples?: readonly unknown[]
  minimum?: number
  maximum?: number
  default?: unknown
}

export function openApiPage(document: Document): string {
  const schemas: Record<string, Schema> = document.components.schemas
  const base = document.servers.map(({ url }) => url).join(' ')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escaped(document.info.title)}</title>
<style>${DOCUMENT_STYLE}</style>
</head>
<body>
<nav aria-label="Operations">
<p class="name">Platform sandbox</p>
${document.tags.map(({ name }) => navigation(name)).join('\n')}
<h2>Schemas</h2>
<ul>${Object.keys(schemas)
    .map((name) => `<li><a href="#schema-${name}">${name}</a></li>`)
    .join('')}</ul>
</nav>
<main>
<header>
<h1>${escaped(document.info.title)}</h1>
<p>${escaped(document.info.description)}</p>
<dl><dt>Base URL</dt><dd><code>${escaped(base)}</code></dd>
<dt>Authentication</dt><dd><code>Authorization: Bearer TOKEN</code>; <code>rma sandbox token</code> prints one</dd>
<dt>Document</dt><dd><a href="/openapi.json">openapi.json</a> (OpenAPI ${document.openapi})</dd></dl>
</header>
${DESCRIBED_OPERATIONS.map((operation) => article(operation, document)).join('\n')}
<h2 class="part">Schemas</h2>
${Object.entries(schemas)
  .map(([name, schema]) => `<section id="schema-${name}"><h3>${name}</h3>${shape(schema)}</section>`)
  .join('\n')}
</main>
</body>
</html>
`
}

function navigation(tag: string): string {
  const items = DESCRIBED_OPERATIONS.filter((operation) => operation.tag === tag).map(
    ({ id, method, summary }) =>
      `<li><a href="#${id}"><span class="method ${method}">${method}</span>${escaped(summary)}</a></li>`,
  )
  return `<h2>${tag}</h2>\n<ul>${items.join('')}</ul>`
}

function article(operation: DescribedOperation, document: Document): string {
  const { id, method, summary, description, parameters, request, response, errors } = operation
  const path = operation.path.replace(/:(\w+)/g, '{$1}')
  return `<article id="${id}">
<h2><span class="method ${method}">${method}</span> <code>${escaped(path)}</code></h2>
<p class="summary">${escaped(summary)}</p>
${description === undefined ? '' : `<p>${inline(description)}</p>`}
${parameters === undefined ? '' : `<h3>Parameters</h3>${parameterTable(parameters)}`}
${request === undefined ? '' : `<h3>Request</h3>${body(request, document)}`}
<h3>Answer</h3>${body(response, document)}
<p>Errors: ${[...errors, 401, 405, 429, 500].map((status) => `<code>${status}</code>`).join(' ')} with <a href="#schema-Error">Error</a></p>
</article>`
}

function parameterTable(parameters: readonly Parameter[]): string {
  const rows = parameters.map(
    ({ name, in: place, description, required, schema }) =>
      `<tr><td><code>${name}</code>${required ? ' <b>required</b>' : ''}</td><td>${place}</td><td>${typeOf(schema)}</td><td>${inline(description)}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function body(name: SchemaName, { components }: Document): string {
  const schema: Schema | undefined = components.schemas[name]
  return `<p><a href="#schema-${name}">${name}</a></p>${schema ? `<details><summary>Fields</summary>${shape(schema)}</details>` : ''}`
}

function shape(schema: Schema): string {
  const { properties, required = [] } = fieldsOf(schema)
  if (properties === undefined) return `<p>${typeOf(schema)}</p>`
  const rows = Object.entries(properties).map(([name, field]) => {
    const inner = fieldsOf(field).properties === undefined ? '' : shape(field)
    return `<tr><td><code>${escaped(name)}</code>${required.includes(name) ? ' <b>required</b>' : ''}</td><td>${typeOf(field)}${inner}</td></tr>`
  })
  const list = schema.type === 'array' ? '<p>A list of:</p>' : ''
  return `${list}<div class="scroll" tabindex="0"><table><tbody>${rows.join('')}</tbody></table></div>`
}

function fieldsOf(schema: Schema): Schema {
  if (schema.items) return fieldsOf(schema.items)
  return schema.anyOf?.map(fieldsOf).find(({ properties }) => properties !== undefined) ?? schema
}

function typeOf(schema: Schema): string {
  const { $ref, items, anyOf, minimum, maximum, examples } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `<a href="#schema-${name}">${name}</a>`
  }
  if (items) return `list of ${typeOf(items)}`
  if (anyOf)
    return anyOf
      .map(typeOf)
      .filter((type) => type !== 'null')
      .join(' or ')
  if (schema.enum) return schema.enum.map((value) => `<code>${escaped(String(value))}</code>`).join(' ')
  const types = [schema.type ?? 'any value'].flat().filter((type) => type !== 'null')
  const notes = [
    minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : `from ${minimum}`,
    maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `up to ${maximum}`,
    schema.default === undefined ? '' : `by default ${String(schema.default)}`,
    examples === undefined ? '' : `like ${examples.join(', ')}`,
  ].filter((note) => note !== '')
  return escaped([types.join(' or '), ...notes].join(', '))
}

function inline(text: string): string {
  return escaped(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
