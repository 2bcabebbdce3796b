import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MODELS } from '../helpers/pace/cases.ts'
import { lineOf } from '../helpers/pace/table.ts'

const PAGE = 'docs/pace.md'
const page = readFileSync(PAGE, 'utf8')
const TABLE = /(?<=\| Service \|.*\n\| --- .*\n)(\|.*\n)+/

const lines: string[] = []

it.each(MODELS)('$name: every row ends', { timeout: 120_000 }, async (model) => {
  const { text, unfinished } = await lineOf(model)
  lines.push(`${text}\n`)
  expect(unfinished).toBe(0)
})

it('gave what the page shows; vitest -u writes it', async () => {
  await expect(page.replace(TABLE, lines.join(''))).toMatchFileSnapshot(`../../${PAGE}`)
})
