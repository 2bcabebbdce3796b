import { Validator } from '@seriousme/openapi-schema-validator'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../../src/lib/sandbox/http/app.ts'
import { DESCRIBED_OPERATIONS, openApiDocument } from '../../../../src/lib/sandbox/openapi/document.ts'
import { openApiPage } from '../../../../src/lib/sandbox/openapi/page.ts'

const SERVER = 'http://127.0.0.1:4010/integration/v1'
const document = openApiDocument(SERVER)
const named = ({ method, path }: { method: string; path: string }) => `${method} ${path}`

it('the OpenAPI document is valid by an independent validator, which finds a broken one', async () => {
  const validator = new Validator()
  expect(await validator.validate(structuredClone(document))).toEqual({ valid: true })
  expect(validator.version).toBe('3.1')
  expect((await new Validator().validate({ ...document, paths: { returns: {} } })).valid).toBe(false)
})

it('the OpenAPI document describes every operation that there is, and no other', () => {
  expect(DESCRIBED_OPERATIONS.map(named).sort()).toEqual(OPERATIONS.map(named).sort())
})

it('the OpenAPI document gives the type of every field that may come as text', () => {
  const text = JSON.stringify(document.components.schemas)
  expect(text).not.toContain('{}},"required":["{')
  expect(document.components.schemas).toMatchObject({
    Return: {
      properties: { totalReturnFee: { type: 'number' }, status: {} },
      required: expect.arrayContaining(['shopCode', 'totalReturnFee']),
    },
    ReturnList: { properties: { returns: { items: { $ref: '#/components/schemas/Return' } } } },
    Error: { properties: { errors: {} } },
  })
})

it('the OpenAPI document has no dangling references', () => {
  const refs = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(
    ([, name]) => name,
  )
  expect(refs.length).toBeGreaterThan(20)
  expect(refs.filter((name) => name === undefined || !(name in document.components.schemas))).toEqual([])
})

const page = openApiPage(SERVER)

it('the page shows every operation and has no dead links', () => {
  for (const { id, summary } of DESCRIBED_OPERATIONS) {
    expect(page).toContain(`<article id="${id}">`)
    expect(page).toContain(summary)
  }
  const links = [...page.matchAll(/href="#([^"]+)"/g)].map(([, target]) => target)
  for (const target of new Set(links)) expect(page).toContain(`id="${target}"`)
})

it('the page has a table in the row of an object, and only there', () => {
  const rows = page.split('<tr>')
  expect(rows.filter((row) => /<td>[^<]*<div class="scroll"/.test(row)).length).toBeGreaterThan(10)
  expect(rows.filter((row) => /<td>[^<]+<p>(?!A list of:)/.test(row))).toEqual([])
})

it('the page loads nothing from elsewhere', () => {
  expect(page).not.toMatch(/<script|\bsrc=|url\(|@import|<link/)
})
