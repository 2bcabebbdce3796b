import { escapeMarkup } from '../../wire/plain.ts'
import {
  DESCRIBED_OPERATIONS,
  type DescribedOperation,
  openApiDocument,
  type Parameter,
  type SchemaName,
} from './document.ts'
import style from './page.css'

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

export function openApiPage(server: string): string {
  const document = openApiDocument(server)
  const schemas: Record<string, Schema> = document.components.schemas
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeMarkup(document.info.title)}</title>
<style>${style}</style>
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
<h1>${escapeMarkup(document.info.title)}</h1>
<p>${escapeMarkup(document.info.description)}</p>
<dl><dt>Base URL</dt><dd><code>${escapeMarkup(server)}</code></dd>
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

function navigation(tag: string) {
  const items = DESCRIBED_OPERATIONS.filter((operation) => operation.tag === tag).map(
    ({ id, method, summary }) =>
      `<li><a href="#${id}"><span class="method ${method}">${method}</span>${escapeMarkup(summary)}</a></li>`,
  )
  return `<h2>${tag}</h2>\n<ul>${items.join('')}</ul>`
}

function article(operation: DescribedOperation, document: Document) {
  const { id, method, summary, description, parameters, request, response, errors } = operation
  const path = operation.path.replace(/:(\w+)/g, '{$1}')
  return `<article id="${id}">
<h2><span class="method ${method}">${method}</span> <code>${escapeMarkup(path)}</code></h2>
<p class="summary">${escapeMarkup(summary)}</p>
${description === undefined ? '' : `<p>${inline(description)}</p>`}
${parameters === undefined ? '' : `<h3>Parameters</h3>${parameterTable(parameters)}`}
${request === undefined ? '' : `<h3>Request</h3>${body(request, document)}`}
<h3>Answer</h3>${body(response, document)}
<p>Errors: ${[...errors, 401, 405, 429, 500].map((status) => `<code>${status}</code>`).join(' ')} with <a href="#schema-Error">Error</a></p>
</article>`
}

function parameterTable(parameters: readonly Parameter[]) {
  const rows = parameters.map(
    ({ name, in: location, description, required, schema }) =>
      `<tr><td><code>${name}</code>${required ? ' <b>required</b>' : ''}</td><td>${location}</td><td>${typeOf(schema)}</td><td>${inline(description)}</td></tr>`,
  )
  return `<div class="scroll" tabindex="0"><table><thead><tr><th>Name</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead><tbody>${rows.join('')}</tbody></table></div>`
}

function body(name: SchemaName, { components }: Document) {
  const schema: Schema | undefined = components.schemas[name]
  return `<p><a href="#schema-${name}">${name}</a></p>${schema ? `<details><summary>Fields</summary>${shape(schema)}</details>` : ''}`
}

function shape(schema: Schema): string {
  const { properties, required = [] } = fieldsOf(schema)
  if (properties === undefined) return `<p>${typeOf(schema)}</p>`
  const rows = Object.entries(properties).map(([name, field]) => {
    const inner = fieldsOf(field).properties === undefined ? '' : shape(field)
    return `<tr><td><code>${escapeMarkup(name)}</code>${required.includes(name) ? ' <b>required</b>' : ''}</td><td>${typeOf(field)}${inner}</td></tr>`
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
  if (schema.enum) return schema.enum.map((value) => `<code>${escapeMarkup(String(value))}</code>`).join(' ')
  const types = [schema.type ?? 'any value'].flat().filter((type) => type !== 'null')
  const notes = [
    minimum === undefined || minimum <= Number.MIN_SAFE_INTEGER ? '' : `from ${minimum}`,
    maximum === undefined || maximum >= Number.MAX_SAFE_INTEGER ? '' : `up to ${maximum}`,
    schema.default === undefined ? '' : `by default ${String(schema.default)}`,
    examples === undefined ? '' : `like ${examples.join(', ')}`,
  ].filter((note) => note !== '')
  return escapeMarkup([types.join(' or '), ...notes].join(', '))
}

function inline(text: string) {
  return escapeMarkup(text).replace(/`([^`]+)`/g, '<code>$1</code>')
}
