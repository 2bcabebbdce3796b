import { expect, test } from 'vitest'
import { typed } from '../../helpers/command-line.ts'
import { usePlatform } from '../../helpers/platform.ts'

const platform = usePlatform({ returns: 20 })
const LIST = typed`returns list --limit 3`

test.each([
  [60, ['NAME', 'STATUS', 'CUSTOMER']],
  [80, ['NAME', 'STATUS', 'CUSTOMER', 'REFUND']],
  [100, ['NAME', 'STATUS', 'CREATED', 'CUSTOMER', 'REFUND']],
  [140, ['NAME', 'STATUS', 'CREATED', 'CUSTOMER', 'ITEMS', 'REFUND', 'TRANSPORT', 'CARRIER']],
])(
  'a list at %i columns: names whole, statuses in words, what is missing is named',
  async (columns, wanted) => {
    const { code, stdout, stderr } = await platform.run(LIST, { columns })
    const screen = stdout.split('\n')
    const lines = screen.filter((line) => line.startsWith('R#-'))
    const headers = screen[0]?.split(/ {2,}/)
    expect([code, lines.length, headers?.slice(0, 2)]).toEqual([0, 3, ['NAME', 'STATUS']])
    for (const header of wanted) expect(headers).toContain(header)
    for (const line of lines) expect(line).toMatch(/^R#-[\w-]+ {2,}[a-z][a-z ,]+ {2}/)
    expect(stderr).toMatch(/^3 of \d+; --all for the rest\n$/m)
    expect(/^Not shown at this width: /m.test(stderr)).toBe(columns < 140)
  },
)

test('below 60 columns a record is a block of lines', async () => {
  const { stdout } = await platform.run(typed`${LIST} --quiet`, { columns: 59 })
  const screen = stdout.trimEnd().split('\n')
  expect(screen.filter((line) => line.startsWith('NAME       R#-'))).toHaveLength(3)
  expect(screen.filter((line) => line === '')).toHaveLength(2)
})
