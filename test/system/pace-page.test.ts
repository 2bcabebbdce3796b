import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { MODELS } from '../helpers/pace/cases.ts'
import { lineOf } from '../helpers/pace/table.ts'
import { isWhole } from '../helpers/whole.ts'

const PAGE = 'docs/pace.md'
const page = readFileSync(PAGE, 'utf8')
const TABLE = /(?<=\| Service \|.*\n\| --- .*\n)(\|.*\n)+/

/** Those with one way to state a wait, a tenth of the work, where not the whole page is tried. */
const tried = MODELS.filter(({ statings }) => isWhole || statings.length === 1)
const lines: string[] = []

it.each(tried)('$name: every row ends, as the page shows', { timeout: 120_000 }, async (model) => {
  const { text, unfinished } = await lineOf(model)
  lines.push(`${text}\n`)
  expect(unfinished).toBe(0)
  if (!isWhole) expect(page).toContain(`${text}\n`)
})

it('RMA_TESTS=whole and vitest -u write the page', async () => {
  const written = isWhole ? page.replace(TABLE, lines.join('')) : page
  await expect(written).toMatchFileSnapshot(`../../${PAGE}`)
})
