import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openPager, throughPager, type Waiting } from '../../../src/lib/output/pager.ts'
import { newFolder, textFile } from '../../helpers/files.ts'

/** Writes texts through a pager on a screen of 3 rows and 10 columns. `!` marks those for standard error. */
async function page(texts: readonly string[], hasPager = true) {
  const shown: string[] = []
  const input = new PassThrough()
  const waiting: Waiting = []
  let take: ((text: string) => Promise<void>) | undefined
  let isPaged = false
  let opened = 0
  const err = { write: async (line: string) => void shown.push(line) }
  const out = {
    columns: 10,
    push: async () => {},
    divert: (given: typeof take) => {
      take = given
    },
    useStream: (stream?: unknown) => {
      isPaged = stream !== undefined
    },
    write: async (line: string) => {
      if (take) await take(line)
      else if (isPaged) input.write(line)
      else shown.push(line)
    },
  }
  const write = async () => {
    for (const one of texts) {
      if (one.startsWith('!')) waiting.push([err, one])
      else await out.write(one)
    }
  }
  const open = () => {
    opened += 1
    return hasPager ? { command: 'less', input, closed: Promise.resolve(0) } : undefined
  }
  await throughPager(out, { rows: 3, waiting }, write, open)
  input.end()
  return { shown, paged: await text(input), opened }
}

it.each([
  ['fills the screen', ['1\n2\n', '!m\n', '3\n'], { shown: ['1\n2\n', '!m\n', '3\n'], paged: '', opened: 0 }],
  [
    'is longer than the screen',
    ['!m\n', '1\n2\n3\n', '4\n', '5\n'],
    { shown: ['!m\n'], paged: '1\n2\n3\n4\n5\n', opened: 1 },
  ],
  [
    'has lines that wrap and empty ones',
    [`${'x'.repeat(21)}\n`, '\n'],
    { shown: [], paged: `${'x'.repeat(21)}\n\n`, opened: 1 },
  ],
  [
    'fits without its colours',
    [`\x1b[31m${'x'.repeat(10)}\x1b[39m\n\n\n`],
    { shown: [`\x1b[31m${'x'.repeat(10)}\x1b[39m\n\n\n`], paged: '', opened: 0 },
  ],
])('output that %s goes where it can be read, in its order with messages', async (_, texts, expected) => {
  expect(await page(texts)).toEqual(expected)
})

it('output longer than the screen is written at once where no pager starts', async () => {
  const texts = ['!m\n', '1\n2\n3\n4\n', '5\n']
  expect(await page(texts, false)).toEqual({ shown: texts, paged: '', opened: 1 })
})

it('a pager gets the environment without secrets, and shows colours', async () => {
  const file = join(newFolder(), 'shown')
  const closings: Promise<unknown>[] = []
  const env = { PATH: process.env.PATH, PAGER: 'no-such-pager', RMA_TOKEN: 'x', RMA_DATABASE: 'x' }
  const open = (RMA_PAGER?: string) =>
    openPager({ ...env, ...(RMA_PAGER === undefined ? {} : { RMA_PAGER }) }, (closed) =>
      closings.push(closed),
    )
  expect([open(), open(''), open('/no/such/pager -R'), closings]).toEqual([
    undefined,
    undefined,
    undefined,
    [],
  ])
  const pager = open(`env > '${file}'; cat >> '${file}'`)
  pager?.input.end('the output\n')
  await pager?.closed
  expect(closings).toEqual([pager?.closed])
  const shown = textFile(file)
  expect(shown).toMatch(/^LESS=FRX$/m)
  expect(shown).toMatch(/the output\n$/)
  expect(shown).not.toMatch(/^RMA_(TOKEN|DATABASE)=/m)
})
