import { expect, it } from 'vitest'
import { asTyped, succeeded } from '../../helpers/command-line.ts'
import { homeAt, runIn } from '../../helpers/run-cli.ts'
import { scriptServer } from '../../helpers/script-server.ts'
import '../../../src/commands/returns/list.ts'

const COMPACT = '{"id":"1","name":"R#-1","x":[12.05,{"y":"ñ \\n"}]}'
const OTHERS = [
  ['{\n  "id": "2",\r\n\t"name": "R#-2" }', '{"id":"2","name":"R#-2"}'],
  ['{"id":"3","n":12345678901234567890,"m":12.50}', '{"id":"3","n":12345678901234567890,"m":12.5}'],
  ['{"id":"0","id":"4","a":"\\/\\u00e9\u009b"}', '{"id":"4","a":"/é\\u009b"}'],
]
const PAGES = [
  [COMPACT, ...OTHERS.map(([sent]) => sent)],
  [COMPACT, '{"id":"5"}'],
]

const listed = asTyped(async (flags) => {
  const { baseUrl } = await scriptServer(({ query }) => {
    const page = Number(query.get('page') ?? 1)
    const body = `{"returns":[${PAGES[page - 1]?.join(' ,\n')}],"pageInfo":{"totalRecords":6,"totalPages":2}}`
    return { body, headers: { 'content-type': 'application/json' } }
  })
  const env = homeAt(baseUrl)
  const { stdout, stderr } = succeeded(await runIn(env)`returns list --all ${flags}`)
  return { stdout, stderr }
})

it('records are printed one per line, once each, and safe for terminals', async () => {
  const { stdout, stderr } = await listed`-o ndjson`
  expect(stdout.split('\n')).toEqual([COMPACT, ...OTHERS.map(([, printed]) => printed), '{"id":"5"}', ''])
  expect(stderr).toMatch('1 came twice and was dropped')
  expect(stderr).toMatch('Warning: 5 returns lack shopCode')
})

it.each([
  ['.returns[].id', '1\n2\n3\n4\n5\n'],
  ['[.returns[].id]', '["1","2","3","4","5"]\n'],
  ['.returns | map(.n) | .[2]', '12345678901234567890\n'],
  ['.returns | length', '5\n'],
  ['.returns[4], .pageInfo.totalRecords', '{"id":"5"}\n6\n'],
])('records pass through jq: %s', async (expression, stdout) => {
  expect((await listed`--jq ${expression}`).stdout).toBe(stdout)
})
