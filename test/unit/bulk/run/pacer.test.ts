import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MODELS } from '../../../helpers/pace/cases.ts'
import { lineOf } from '../../../helpers/pace/table.ts'

const page = readFileSync('docs/pace.md', 'utf8').split('\n')

it.each(MODELS)('$name: as docs/pace.md says', { timeout: 60_000 }, async (model) => {
  const { text, unfinished } = await lineOf(model)
  expect(unfinished).toBe(0)
  expect(page).toContain(text)
})
