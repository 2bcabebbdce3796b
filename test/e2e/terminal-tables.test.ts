import { beforeAll, expect, test } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { spawnEnv } from '../helpers/spawn-cli.ts'
import { runInTerminal } from '../helpers/terminal.ts'

const env = spawnEnv()
const LIST = typed`returns list --limit 3 --quiet`

// The sandbox's data are made once.
beforeAll(async () => {
  await runInTerminal(LIST, { env })
})

test.each([
  [60, ['NAME', 'STATUS', 'CUSTOMER']],
  [80, ['NAME', 'STATUS', 'CUSTOMER', 'REFUND']],
  [100, ['NAME', 'STATUS', 'CREATED', 'CUSTOMER', 'REFUND']],
  [140, ['NAME', 'STATUS', 'CREATED', 'CUSTOMER', 'ITEMS', 'REFUND', 'TRANSPORT', 'CARRIER']],
])(
  'a list at %i columns: names whole, statuses in words, what is missing is named',
  async (columns, wanted) => {
    const { code, screen } = await runInTerminal(LIST.slice(0, -1), { columns, env })
    const lines = screen.filter((line) => line.startsWith('R#-'))
    const headers = screen.find((line) => line.startsWith('NAME'))?.split(/ {2,}/)
    expect([code, lines.length, headers?.slice(0, 2)]).toEqual([0, 3, ['NAME', 'STATUS']])
    for (const header of wanted) expect(headers).toContain(header)
    for (const line of lines) expect(line).toMatch(/^R#-[\w-]+ {2,}[a-z][a-z ,]+ {2}/)
    expect(screen.join('\n')).toMatch(/\n3 of \d+; --all for the rest$/)
    expect(screen.some((line) => line.startsWith('Not shown at this width: '))).toBe(columns < 140)
  },
)

test('below 60 columns a record is a block of lines', async () => {
  const { screen } = await runInTerminal(LIST, { columns: 59, env })
  expect(screen.filter((line) => line.startsWith('NAME       R#-'))).toHaveLength(3)
  expect(screen.filter((line) => line === '')).toHaveLength(2)
})
