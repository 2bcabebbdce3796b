import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { type Env, ended, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { mirrorHome } from '../../helpers/mirror-home.ts'
import { freshHome, homeAt, runCli, runIn } from '../../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../../helpers/script-server.ts'
import { startSandbox } from '../../helpers/start-sandbox.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/mirror/status.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/sandbox/reset.ts'
import '../../../src/commands/search.ts'
import '../../../src/commands/tracking/push.ts'

const byId = (one: { id?: unknown }, other: { id?: unknown }) => Number(one.id) - Number(other.id)

it('sync copies nothing before a yes, and tells how many people are affected', async () => {
  const { env, run, folder, held, listed, status } = await mirrorHome()
  const refused = await run`mirror sync`
  expect(ended(refused, 2).stdout).toBe('')
  expect(refused.stderr).toMatch(/customers of 60 returns into \S+mirrors\S+, and there is no terminal/)
  expect(refused.stderr).toMatch('Try: rma mirror sync --yes')
  // The place of the call, as typed, goes with the command.
  const place = ['--base-url', env.RMA_BASE_URL ?? '']
  const searched = await run`search x ${place}`
  expect(searched.stderr).toContain(`Try: rma mirror sync --yes ${place.join(' ')}\n`)
  expect((await run`search x --offline ${place}`).stderr).toContain(
    `Try: rma mirror sync ${place.join(' ')}\n`,
  )
  const rejected = await run(typed`returns list ${place}`, { env: { RMA_TOKEN: 'a.b.c' } })
  expectEnd(rejected, 4, [`auth status ${place.join(' ')}\nTry: the token comes from RMA_TOKEN`])
  expect(await held()).toEqual([])
  expect(jsonOf(succeeded(await run`mirror sync --yes --json`))).toEqual(
    expect.objectContaining({ kind: 'full', added: 60, held: 60, platformTotal: 60, isComplete: true }),
  )
  // Agreed once is agreed.
  expect((await run`mirror sync`).stdout).toMatch(/^Returns +60 of 60, complete\n/)
  const kept = (await listed()).map(({ customerIban: _, accountHolderName: __, ...rest }) => rest)
  expect((await held()).sort(byId)).toEqual(kept.sort(byId))
  expect(await status()).toMatchObject({ returns: 60, isComplete: true, choices: { bankDetails: false } })
  expect(readdirSync(folder).filter((name) => name.endsWith('.db'))).toHaveLength(1)
})

it('sync keeps returns whose refunds and transports the platform answers with 404', async () => {
  const returns = ['1', '2'].map((id) => ({
    id,
    name: `R#-${id}`,
    shopCode: 'S',
    createdAt: '2026-11-20 10:00:00Z',
    updatedAt: new Date().toISOString(),
  }))
  const { baseUrl } = await scriptServer(({ path, query }) => {
    if (path !== '/returns') return { status: 404 }
    return { body: pageOf(query.get('page') === '1' || !query.has('page') ? returns : [], 2) }
  })
  const run = (words: string[]) => runIn(env)`mirror sync --yes --json ${words}`
  const env = homeAt(baseUrl)
  for (const words of [typed`--with transports,refunds`, []])
    expect(jsonOf(succeeded(await run(words)))).toMatchObject({ held: 2, isComplete: true })
})

it('a return whose details the platform refuses does not hold up the others, and an outage ends the sync soon', async () => {
  const returns = times(100, (id) => ({
    id: `${id}`,
    name: `R#-${id}`,
    shopCode: 'S',
    createdAt: '2026-11-20 10:00:00Z',
    updatedAt: new Date().toISOString(),
  }))
  const status: Record<string, number> = { '/returns/8/transportations': 405 }
  for (let id = 0; id < 100; id += 4) status[`/returns/${id}/refunds`] = 500
  let isDown = false
  const { baseUrl, requests } = await scriptServer(({ path, query }) => {
    if (path !== '/returns') return isDown ? { status: 503 } : { status: status[path] ?? 404 }
    return { body: pageOf(query.get('page') === '1' || !query.has('page') ? returns : [], 100) }
  })
  const run = runIn(homeAt(baseUrl))
  const first = succeeded(await run`mirror sync --yes --json --retries 0`)
  expect(jsonOf(first)).toMatchObject({ held: 100, detailed: 75 })
  expect(first.stderr).toMatch(/Copied, but the platform refuses the transports or refunds of 25 returns/)
  succeeded(await run`mirror sync --retries 0`)
  isDown = true
  for (const one of returns) one.shopCode = 'T'
  const before = requests.length
  ended(await run`mirror sync --full --retries 0`, 7)
  expect(requests.length - before).toBeLessThan(150)
})

it('sync tells both counts if the platform repeats one page', async () => {
  const { listed } = await mirrorHome()
  const body = pageOf(await listed(), 1000)
  const { baseUrl } = await scriptServer(() => ({ body }))
  expectEnd(await runIn(homeAt(baseUrl))`mirror sync --yes --with none`, 0, [
    '60 returns are here, the platform counts 1000.',
  ])
})

it('sync copies changes with transports and refunds, and drops the old data of a reset', async () => {
  const { run, atPlatform, held, listed } = await mirrorHome()
  await run`mirror sync --yes --with transports,refunds`
  const [open] = (await held()).filter(({ activeTransportation: one }) => one?.status === 'REQUESTED')
  await run`tracking push ${String(open?.name)} --status SHIPPING_IN_PROGRESS --shop ${open?.shopCode}`
  expect(jsonOf(await run`mirror sync --json`)).toMatchObject({
    kind: 'changes',
    added: 0,
    changed: 1,
    detailed: 1,
    isComplete: true,
  })
  expect((await held()).find(({ id }) => id === open?.id)?.status).toBe('RECEPTION_IN_PROGRESS')
  await atPlatform('sandbox', 'reset', '--returns', '20', '--yes')
  const again = jsonOf(await run`mirror sync --json`)
  expect(again).toMatchObject({ kind: 'full', added: 20, held: 20, isComplete: true })
  expect(valuesOf(await held(), 'id').sort()).toEqual(valuesOf(await listed(), 'id').sort())
})

it('sync keeps a mirror for each sandbox at one address, at most three', async () => {
  const homes = [freshHome(), freshHome()]
  const env = freshHome()
  const turn = async (home: Env, ...argv: string[]) => {
    const sandbox = await startSandbox(home, '--returns', '9', ...port())
    Object.assign(env, { RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token })
    const turned = await runCli(argv, { env })
    await sandbox.stop()
    return jsonOf(turned)
  }
  const port = () => (env.RMA_BASE_URL ? typed`--port ${new URL(env.RMA_BASE_URL).port}` : [])
  const sync = typed`mirror sync --json --with none`
  const [one = {}, other = {}] = homes
  expect(await turn(one, ...sync, '--yes', '--without', 'origin')).toMatchObject({ kind: 'full', added: 9 })
  expect(await turn(other, ...sync)).toMatchObject({ kind: 'full', added: 9 })
  expect(await turn(one, ...sync)).toMatchObject({ kind: 'changes', added: 0, held: 9, isComplete: true })
  expect(await turn(other, ...sync)).toMatchObject({ kind: 'changes', added: 0, held: 9, isComplete: true })
  expect(await turn(one, 'search', 'zaragoza', '--json')).toMatchObject({ returns: expect.any(Array) })
  expect(jsonOf(await runIn(env)`mirror status --json`)).toMatchObject({
    returns: 9,
    choices: { without: ['origin'] },
  })
  for (const home of [freshHome(), freshHome()]) {
    expect(await turn(home, ...sync)).toMatchObject({ kind: 'full', added: 9, held: 9 })
  }
  const names = readdirSync(`${env.RMA_DATA_DIR}/mirrors`)
  expect(names.filter((name) => name.endsWith('.db'))).toHaveLength(3)
})

it('sync copies bank details and excluded fields only when asked to', async () => {
  const { run, held, listed, bytes } = await mirrorHome()
  const originals = await listed()
  const [iban = 'none'] = originals.flatMap(({ customerIban }) => customerIban ?? [])
  const phone = String(originals.find(({ customer }) => customer.phone)?.customer.phone)
  await run`mirror sync --yes`
  expect([bytes().includes(iban), bytes().includes(phone)]).toEqual([false, true])
  await run`mirror sync --without customer.phone,origin`
  expect(bytes().includes(phone)).toBe(false)
  expect((await held()).filter((one) => one.origin || one.customer.phone)).toEqual([])
  // Later syncs leave it out as well.
  await run`mirror sync --full`
  expect(bytes().includes(phone)).toBe(false)
  await run`mirror sync --bank-details --without ''`
  expect([bytes().includes(iban), bytes().includes(phone)]).toEqual([true, true])
  expect((await held()).sort(byId)).toEqual(originals.sort(byId))
})

it('--keep copies only younger returns, and still counts as complete', async () => {
  const { run, held, listed } = await mirrorHome()
  const synced = await run`mirror sync --yes --keep 60d --with none --json`
  const younger = (await listed()).filter(
    ({ createdAt }) => Date.parse(`${createdAt}`.replace(' ', 'T')) > Date.now() - 60 * 86_400_000,
  )
  expect(younger.length).toBeLessThan(60)
  expect(jsonOf(synced)).toMatchObject({ held: younger.length, isComplete: true, detailed: 0 })
  expect(valuesOf((await held()).sort(byId), 'id')).toEqual(valuesOf(younger.sort(byId), 'id'))
})

it('a shorter --keep leaves nothing of older returns in the files', async () => {
  const { run, bytes, listed } = await mirrorHome()
  await run`mirror sync --yes --with none`
  expect(jsonOf(succeeded(await run`mirror sync --keep 30d --json`)).removed).toBeGreaterThan(10)
  const since = Date.now() - 32 * 86_400_000
  const isOld = ({ createdAt }: { createdAt?: string | null }) =>
    Date.parse(`${createdAt}`.replace(' ', 'T')) < since
  const all = await listed()
  const young = JSON.stringify(all.filter((one) => !isOld(one)))
  const people = all.filter(isOld).map(({ customer }) => customer?.email ?? '')
  const left = people.filter((email) => bytes().includes(email) && !young.includes(email))
  expect([people.length > 10, left]).toEqual([true, []])
})

it.each([
  ['is not a database', (file: string) => writeFileSync(file, 'not a database'.repeat(100))],
  [
    'was made by a newer version',
    (file: string) => {
      const db = new Libsql(file)
      db.exec("UPDATE meta SET value = '99' WHERE name = 'schema'")
      db.close()
    },
  ],
  [
    'has a damaged page',
    (file: string) => {
      const bytes = readFileSync(file)
      // All pages but the first, which says what tables there are, and their roots.
      writeFileSync(file, bytes.fill(0xaa, Math.floor(bytes.length / 3), bytes.length - 8192))
    },
  ],
  [
    'holds text that is not valid UTF-8',
    (file: string) => {
      writeFileSync(file, readFileSync(file, 'latin1').replaceAll('"email"', '"e\xffail"'), 'latin1')
    },
  ],
  [
    'holds an identifier that is none',
    (file: string) => {
      const db = new Libsql(file)
      db.exec("INSERT INTO identifiers VALUES (CAST(x'41ff' AS TEXT), '1')")
      db.close()
    },
  ],
])('sync moves aside a file that %s, and asks again', async (_what, spoil) => {
  const { run, file, held } = await mirrorHome()
  await run`mirror sync --yes`
  const path = file()
  spoil(path)
  const asked = ended(await run`mirror sync`, 2)
  expect(asked.stderr).toMatch(
    /Warning: The mirror could not be read .* it is now \S+\.damaged\. A sync copies returns anew/,
  )
  expect(existsSync(`${path}.damaged`)).toBe(true)
  succeeded(await run`mirror sync --yes`)
  expect(await held()).toHaveLength(60)
})

it('a sync of the built-in sandbox asks no question', async () => {
  const run = runIn()
  await run`sandbox reset --returns 5 --yes`
  expect(succeeded(await run`mirror sync`).stdout).toEqual(
    expect.stringMatching(/^Returns +5 of 5, complete\n/),
  )
})

it.each([
  [typed`--with transport`, /--with: "transport" is not one of .*\nTry: --with transports/],
  [typed`--without name`, /a mirror can't do without name/],
  [typed`--keep 5h`, /--keep: "5h" is less than a day/],
  [typed`--database postgres://me:secret@db.example.com/x`, /--database takes no password.*PGPASSWORD/s],
  [typed`--database mysql://db.example.com/x`, /--database: .* must start with postgres:/],
])('mirror sync refuses %j', async (flags, expected) => {
  const env = freshHome()
  const { stderr } = ended(await runIn(env)`mirror sync ${flags}`, 2)
  expect(stderr).toEqual(expect.stringMatching(expected))
  expect(stderr).not.toContain('secret')
  expect(existsSync(`${env.RMA_DATA_DIR}/mirrors`)).toBe(false)
})

it('Ctrl-C tells how to continue a sync', async () => {
  const interrupt = new AbortController()
  const server = await scriptServer(() => {
    interrupt.abort()
    return { fault: 'hang' }
  })
  expectEnd(
    await runCli(typed`mirror sync --yes`, {
      env: homeAt(server.baseUrl),
      interrupt: interrupt.signal,
    }),
    130,
    'Error: Interrupted.\nTry: what was copied is kept: the same command goes on\n',
  )
})

it('an unreachable database is reported without its password', async () => {
  const env = { ...freshHome(), RMA_DATABASE: 'postgres://me:secret@127.0.0.1:1/x' }
  const { stderr } = ended(await runIn(env)`mirror sync`, 7)
  expect(stderr).toEqual(expect.stringContaining("postgres://me@127.0.0.1:1/x can't be reached"))
  expect(stderr).not.toContain('secret')
})
