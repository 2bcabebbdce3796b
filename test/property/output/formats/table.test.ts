import fc from 'fast-check'
import { expect, test } from 'vitest'
import { columnsOf } from '../../../../src/lib/output/columns.ts'
import { createRenderer } from '../../../../src/lib/output/renderer.ts'
import type { View } from '../../../../src/lib/output/view.ts'
import { pudosView } from '../../../../src/lib/services/pudos/search.result.ts'
import { memoryStreams } from '../../../helpers/memory-streams.ts'
import { valuesOf } from '../../../helpers/values-of.ts'

declare global {
  interface ImportMeta {
    glob(patterns: string[]): Record<string, () => Promise<Record<string, unknown>>>
  }
}

const FILES = import.meta.glob([
  '../../../../src/lib/**/*.result.ts',
  '../../../../src/lib/services/alias/aliases.ts',
  '../../../../src/lib/cli/help/reference.ts',
])

type AnyView = View<Record<string, string>>

async function allViews() {
  const modules = await Promise.all(Object.values(FILES).map(async (load) => Object.entries(await load())))
  const views = modules.flat().filter(([name]) => name.endsWith('View') && name !== 'pudosView')
  return [...views, ['pudosView', pudosView(new WeakMap(), true)]] as [string, AnyView][]
}

/** Shows a text instead of what each column takes from a record. */
function withTexts(view: AnyView) {
  const columns = columnsOf(view).map(({ shown: _, words: __, ...column }) => ({
    ...column,
    value: (record: Record<string, string>) => record[column.name],
  }))
  return { ...view, columns }
}

const word = fc.stringMatching(/^[a-z]{1,12}$/)
const data = fc.stringMatching(
  /^(?:[A-Z]{0,3}-?[0-9]{1,9}|[0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{1,4}\.[0-9]{2}|[A-Z]{2,6}_[A-Z]{2,6})$/,
)
const cell = fc.array(fc.oneof(word, data), { maxLength: 6 }).map((words) => words.join(' '))

/** Two headers in one line are a table's; blocks of lines may be wider than the terminal. */
function headersIn(line = '', view: AnyView) {
  const headers = valuesOf(columnsOf(view), 'header')
  return line
    .trim()
    .split(/ {2,}/)
    .every((word) => headers.includes(word))
    ? line.trim()
    : ''
}

test('no view cuts a number, a date, an amount or a code at 60 to 140 columns', async () => {
  const views = await allViews()
  expect(views.length).toBeGreaterThan(35)
  for (const [, found] of views) {
    const view = withTexts(found)
    const record = fc.record(Object.fromEntries(columnsOf(view).map(({ name }) => [name, cell])))
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { minLength: 1, maxLength: 3 }),
        fc.integer({ min: 60, max: 140 }),
        async (items, width) => {
          const { streams, written } = memoryStreams({ columns: width, noColor: true })
          await createRenderer({ streams, format: 'table', headers: true, timeZone: 'UTC' }).render({
            kind: 'list',
            items,
            view,
          })
          const { out, err } = await written()
          const shown = new Set(out.split(/\s+/))
          const leftOut = /width: (.*);/.exec(err.replaceAll(/\n */g, ' '))?.[1]?.split(', ') ?? []
          const lost = items.flatMap((item) =>
            Object.entries(item)
              .filter(([name]) => !leftOut.includes(name))
              .flatMap(([, text]) => text.split(' ').filter((one) => /\d|_/.test(one) && !shown.has(one))),
          )
          expect(lost).toEqual([])
          const lines = out.split('\n')
          const isTable = view.columns.length === 1 || /\S {2}\S/.test(headersIn(lines[0], view))
          if (isTable) expect(Math.max(...lines.map((line) => line.length))).toBeLessThanOrEqual(width)
        },
      ),
      { numRuns: 10 },
    )
  }
})
