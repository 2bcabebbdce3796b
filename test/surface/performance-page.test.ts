import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { PAGES, pageWith, resultsText } from '../../bench/page.mjs'
import { root } from '../helpers/run-cli.ts'

const textOf = (path: string) => readFileSync(join(root, path), 'utf8')
const results = JSON.parse(textOf('bench/results.json'))

/** The tables are generated; `npx vitest run -u` updates them. */
it.each(PAGES)('%s has the figures of bench/results.json', async (page) => {
  await expect(pageWith(textOf(page), results)).toMatchFileSnapshot(`../../${page}`)
})

it('docs/performance.md is read in a minute', () => {
  expect(textOf('docs/performance.md').split('\n').length).toBeLessThanOrEqual(91)
})

it('bench/results.json has a row a line', () => {
  expect(textOf('bench/results.json')).toBe(resultsText(results))
})

it('a figure that misses its goal is marked, on whichever side of it', () => {
  const row = { what: 'a', count: 10, ms: { median: 1000 }, ratio: { median: 1.2, least: 1.1, most: 1.3 } }
  const goals = [
    ['ratio', '≤', 1.2],
    ['ratio', '≥', 1.3],
    ['perSecond', '<', 10],
  ]
  const table = pageWith('<!-- bench: push rest -->\nold\n\n## Next\n', {
    push: {
      date: '2026-01-01',
      machine: 'one',
      load: [1, 2],
      otherPercent: 4,
      stolenPercent: 2,
      rows: [{ ...row, goals }],
    },
  })
  expect(table.split('\n')).toEqual([
    '<!-- bench: push rest -->',
    '2026-01-01, one: load 1 → 2, others 4 %, stolen 2 %: **not quiet**.',
    'Not run yet: `rest`.',
    '',
    '| | measured | compared | goal |',
    '| --- | --- | --- | --- |',
    '| a | 10/s | 1.20× (1.10–1.30) | **missed: ≥ 1.3×, < 10/s** |',
    '',
    '## Next',
    '',
  ])
})
