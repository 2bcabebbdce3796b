import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Env, ended, succeeded, typed } from '../helpers/command-line.ts'
import { usePlatform } from '../helpers/platform.ts'
import { runIn } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import { spawnEnv, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { answering, runInTerminal } from '../helpers/terminal.ts'

const platform = usePlatform({ returns: 50 })
const env = (more: Env = {}) => spawnEnv(platform.env(more))

it('columns line up under wide characters and emoji', async () => {
  const names = ['鈴木 蓮', 'Zoë 👩‍👩‍👧‍👦 Ō', '🫠🫠', 'é', 'Plain']
  const returns = names.map((fullName, index) => ({
    id: `${index}`,
    customer: { fullName },
    status: 'CLOSED',
  }))
  const server = await scriptServer(() => ({
    body: pageOf(returns, 5),
  }))
  const { screen } = await runInTerminal(typed`returns list -q --columns customer,status`, {
    env: spawnEnvAt(server.baseUrl),
  })
  expect(screen).toHaveLength(6)
  for (const line of screen.slice(1)) expect(line).toContain('CLOSED')
})

it('--no-color and NO_COLOR turn off colours', async () => {
  const byFlag = await runInTerminal(typed`returns list --limit 5 --no-color`, { env: env() })
  const byVariable = await runInTerminal(typed`returns list --limit 5`, { env: env(), noColor: true })
  for (const { raw } of [byFlag, byVariable]) expect(raw).not.toContain('\u001b[3')
})

it('a spinner is shown during a wait, and removed afterwards', async () => {
  const server = await scriptServer([
    {
      delayMs: 1200,
      body: pageOf([{ id: '1', name: 'R#-1' }]),
    },
  ])
  const { raw, screen } = succeeded(
    await runInTerminal(typed`returns list -q --columns name`, {
      env: spawnEnvAt(server.baseUrl),
    }),
  )
  expect(raw).not.toContain('Reading returns')
  expect(screen).toEqual(['NAME', 'R#-1'])
  const second = await scriptServer([
    {
      delayMs: 1200,
      body: pageOf([{ id: '1', name: 'R#-1' }]),
    },
  ])
  const shown = await runInTerminal(typed`returns list --columns name`, {
    env: spawnEnvAt(second.baseUrl),
  })
  expect(shown.raw).toContain('Reading returns')
  expect(shown.screen.filter((line) => line.includes('Reading'))).toEqual([])
  expect(shown.screen).toContain('R#-1')
})

it('a terminal is asked for the token, which is not shown', async () => {
  const home = spawnEnv()
  const token = platform.token
  succeeded(await runIn(home)`profiles add local --base-url ${platform.baseUrl} --use`)
  const { code, raw } = await runInTerminal(['auth', 'login'], {
    env: home,
    columns: 400,
    onOutput: answering('Token', `${token}\r`),
  })
  expect(code, raw).toBe(0)
  expect(raw).not.toContain(token)
  expect(raw).toMatch('Signed in to local')
  expect(readFileSync(join(home.RMA_CONFIG_DIR, 'config.json'), 'utf8')).toContain(token)
})

it('Ctrl-C at the token prompt is exit 130', async () => {
  const home = spawnEnv()
  succeeded(await runIn(home)`profiles add local --base-url ${platform.baseUrl} --use`)
  ended(
    await runInTerminal(['auth', 'login'], {
      env: home,
      onOutput: answering('Token', '\u0003'),
    }),
    130,
  )
})

it('messages break between words, begin in colour, and end with what was done', async () => {
  const [{ name } = { name: '' }] = await platform.returns('status=PENDING&limit=1')
  const push = (status: string) =>
    runInTerminal(typed`tracking push ${name} --status ${status}`, { env: env(), columns: 80 })
  const refused = ended(await push('nowhere'), 2)
  expect(refused.raw).toContain('\u001b[31mError:\u001b[39m The tracking update')
  expect(refused.screen.join('\n')).toMatch(/PICK_UP_COMPLETED,\n {2}SHIPPING_IN_PROGRESS, /)
  const sent = succeeded(await push('on its way'))
  expect(sent.screen.at(-1)).toBe(`Done: SHIPPING_IN_PROGRESS is sent for ${name}`)
  expect(sent.raw).toContain('\u001b[32mDone:\u001b[39m')
})

const list = (argv: string, pager: Env) =>
  runInTerminal(typed`returns list ${argv.split(' ')}`, { env: env(pager), rows: 24 })
const bodyOf = (raw: string) => raw.split('\r\n').filter((line) => line.includes('R#-'))
const sed = 'sed s/^/paged:/'
const throughSed = { RMA_PAGER: sed }

it('a long result goes through RMA_PAGER, else PAGER, with the same colours and width', async () => {
  const plain = succeeded(await list('--limit 40 --no-pager', throughSed))
  const paged = succeeded(await list('--limit 40', throughSed))
  const { raw } = succeeded(await list('--limit 40', { PAGER: sed }))
  expect(plain.raw).toContain('\u001b[3')
  expect(bodyOf(plain.raw)).toHaveLength(40)
  for (const seen of [paged.raw, raw])
    expect(bodyOf(seen)).toEqual(bodyOf(plain.raw).map((line) => `paged:${line}`))
  expect(paged.screen.at(-1)).toBe('40 of 50; --all for the rest')
})

it.each([
  ['fits the screen', '--limit 20', throughSed],
  ['is NDJSON', '--limit 40 -o ndjson', throughSed],
  ['is wanted without one', '--limit 40', { RMA_PAGER: '', PAGER: 'sed s/^/paged:/' }],
  ['has a pager that is not there', '--limit 40', { RMA_PAGER: 'no-such-pager' }],
])('a long result needs no pager if it %s', async (_what, argv, pager) => {
  const { screen } = succeeded(await list(argv, pager))
  expect(screen.filter((line) => line.includes('R#-'))).not.toEqual([])
  expect(screen.join('\n')).not.toContain('paged:')
})

it.each(['false', 'sh -c "cat > /dev/null; exit 3"'])('a pager that fails is an error: %s', async (pager) => {
  const { screen } = ended(await list('--limit 40', { RMA_PAGER: pager }), 3)
  expect(screen.join('\n')).toMatch(
    /The pager failed with exit code [13]: .*Try: without a pager: --no-pager/s,
  )
})

it('a pager that leaves early ends the command with 0', async () => {
  const { screen } = succeeded(await list('--all -o json', { RMA_PAGER: 'head -2' }))
  expect(screen).toEqual(['{', '  "returns": ['])
})
