import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, it } from 'vitest'
import { succeeded, typed } from '../helpers/command-line.ts'
import { freshHome, runCli } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'

/* Files written by editors and shells of other systems have the same meaning. */

const env = freshHome()
/** Updates without a date get the time of their run. */
const now = Date.now()
const folder = join(`${env.HOME}`, 'samples')

beforeAll(async () => {
  succeeded(await runCli(typed`samples ${folder}`, { env, now }))
})

const asHere = (text: string) => text.replaceAll('\r\n', '\n')
/** Windows line ends after a byte-order mark. */
const asOnWindows = (text: string) => `\uFEFF${asHere(text).replaceAll('\n', '\r\n')}`

it.each([
  ['updates.csv', 'tracking push --file FILE --dry-run --json'],
  ['ups.csv', 'tracking push --file FILE --mapping ups --dry-run --json'],
  ['requests.ndjson', 'labels create --from FILE --another --dry-run --json'],
  ['goods.csv', 'labels create --for LU105189 --another --goods FILE --dry-run --json'],
  ['request.json', 'methods calculate --from FILE --json'],
])('%s: rma %s', async (name, command) => {
  const sample = readFileSync(join(folder, name), 'utf8')
  const [path, other] = [join(folder, `here-${name}`), join(folder, `windows-${name}`)]
  writeFileSync(path, asHere(sample))
  writeFileSync(other, asOnWindows(sample))
  const run = (file: string) => runCli(command.replace('FILE', file).split(' '), { env, now })
  const [here, there] = [await run(path), await run(other)]
  expect(here.code, here.stderr).toBe(0)
  expect([there.code, there.stdout]).toEqual([0, here.stdout])
})

it('names on standard input, as a pipe of PowerShell hands them over', async () => {
  const argv = typed`returns get - -o csv --columns name --no-headers`
  expect(succeeded(await runCli(argv, { env, stdin: asOnWindows('LU105189\nR#-PC105197\n') })).stdout).toBe(
    'R#-LU105189\r\nR#-PC105197\r\n',
  )
})

it('a token in a file', async () => {
  const server = await scriptServer([{ body: pageOf([]) }])
  const file = join(folder, 'token')
  writeFileSync(file, asOnWindows('a.b.c\n'))
  await runCli(typed`returns list --base-url ${server.baseUrl} --token-file ${file}`, { env })
  expect(server.requests.map(({ headers }) => headers.authorization)).toEqual(['Bearer a.b.c'])
})
