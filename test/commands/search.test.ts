import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { foldText, reversed } from '../../src/lib/mirror/search/fold.ts'
import type { Return } from '../../src/lib/wire/returns.ts'
import { asTyped, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { mirrorHome } from '../helpers/mirror-home.ts'
import { freshHome, homeAt, runCli, runIn } from '../helpers/run-cli.ts'
import '../../src/commands/mirror/forget.ts'
import '../../src/commands/mirror/sync.ts'
import '../../src/commands/returns/get.ts'
import '../../src/commands/sandbox/reset.ts'
import '../../src/commands/search.ts'
import '../../src/commands/tracking/push.ts'

it('a search shows the best hit first, with what matched, in words and as data', async () => {
  const { run, listed } = await mirrorHome()
  await run`mirror sync --yes`
  const [newest] = await listed()
  const { name, customer } = newest ?? {}
  const folded = foldText(customer?.fullName ?? '')
  const { stdout } = expectEnd(await run`search ${folded.split(' ')}`, 0, '')
  const [header, first] = stdout.split('\n')
  expect(header).toMatch(/^NAME +STATUS +CREATED +CUSTOMER +ORDER +MATCHED/)
  expect(first).toMatch(new RegExp(`^${name} .* ${customer?.fullName} +\\S+$`))
  const { returns } = jsonOf(await run`search ${folded} --json`)
  expect(returns[0]).toEqual({
    ...newest,
    matched: [{ field: 'customer.fullName', value: customer?.fullName }],
    missing: [],
  })
  const lines = (await run`search ${folded} -o ndjson --limit 1`).stdout
  expect(JSON.parse(lines)).toEqual(returns[0])
  const csv = await run`search ${folded} -o csv --columns name,matched --limit 1`
  expect(csv.stdout).toBe(`name,matched\r\n${name},customer ${customer?.fullName}\r\n`)
})

it('a search shows the card of a single hit, from the platform or offline from the mirror', async () => {
  const { run, listed } = await mirrorHome()
  await run`mirror sync --yes --with transports,refunds`
  const [newest] = await listed()
  const name = newest?.name ?? ''
  const got = succeeded(await run`returns get ${name}`).stdout
  expect(got).toMatch(/^Where {2}/)
  expect(succeeded(await run`search ${name}`).stdout).toBe(got)
  expect(succeeded(await run`search ${name} --offline`).stdout).toBe(got)
  expect(jsonOf(await run`search ${name} --json`).returns).toHaveLength(1)
  expect((await run`search ${name} --columns name`).stdout).toBe(`NAME\n${name}\n`)
})

it('a search warns of a return that is not on the platform any more', async () => {
  const { run, listed, file } = await mirrorHome()
  await run`mirror sync --yes --with transports,refunds`
  const [{ name = '', id = '' } = {}] = await listed()
  // The copy of a return that the platform never had.
  const db = new Libsql(file())
  for (const column of ['id', 'document'])
    db.exec(`update returns set ${column} = replace(${column}, '${id}', '99${id}') where name = '${name}'`)
  db.exec(`update search_entries set return_id = '99${id}' where return_id = '${id}'`)
  db.close()
  expectEnd(await run`search ${name}`, 0, [
    `${name} is not on the platform any more: this is the mirror's copy.`,
  ])
})

it('a search shows no scan or refund copied before the return changed', async () => {
  const { run, atPlatform, listed } = await mirrorHome()
  await run`mirror sync --yes --with transports,refunds`
  const { name, shopCode } = (await listed()).find(({ status }) => status === 'PENDING') ?? {}
  succeeded(await atPlatform(...typed`tracking push ${name} --status SHIPPING_COMPLETED --shop ${shopCode}`))
  const found = succeeded(await run`search ${name}`).stdout
  expect(found).toBe(succeeded(await run`returns get ${name}`).stdout)
  expect(found).toMatch(/^Where {2}Arrived at the shop, last scan/)
})

it('a search shows later writes of this machine; those of others only with one hit or none', async () => {
  const { run, atPlatform, listed } = await mirrorHome()
  await run`mirror sync --yes`
  const { id, name, shopCode } = (await listed()).find(({ status }) => status === 'PENDING') ?? {}
  const push = (status: string, code: string) =>
    typed`tracking push ${name} --status ${status} --number ${code} --shop ${shopCode}`
  const statusInList = async () => {
    const { returns } = jsonOf(await run`search example --limit 60 --json`)
    return returns.find((record: Return) => record.id === id).status
  }
  expect(await statusInList()).toBe('PENDING')
  succeeded(await run(push('SHIPPING_IN_PROGRESS', 'AB123456789GB')))
  expect(await statusInList()).toBe('RECEPTION_IN_PROGRESS')
  succeeded(await atPlatform(...push('SHIPPING_COMPLETED', 'CD123456789GB')))
  const found = succeeded(await run`search CD123456789GB`).stdout
  expect(found).toMatch(/^Where {2}Arrived at the shop, last scan/)
  expect(found).toContain(name)
})

it('a search shows no return of a sandbox that has just been reset', async () => {
  const run = runIn()
  const names = async () =>
    jsonOf(await run`search example --limit 60 --json`).returns.map(
      ({ customer }: Return) => customer?.fullName,
    )
  succeeded(await run`sandbox reset --returns 20 --yes`)
  const before = await names()
  succeeded(await run`sandbox reset --returns 20 --seed 9 --yes`)
  const after = await names()
  expect([before.length, after.length]).toEqual([20, 20])
  expect(after).not.toEqual(before)
})

it('a search waits for the first copy of a sandbox that was reset since the last one', async () => {
  const run = runIn(freshHome())
  succeeded(await run`sandbox reset --returns 20 --yes`)
  succeeded(await run`mirror sync --with none`)
  succeeded(await run`sandbox reset --returns 600 --yes`)
  succeeded(await run`sandbox faults --add ${'GET /returns*'} --kind late --with delayMs=900`)
  const found = succeeded(await run`search example --limit 1000 --json`)
  expect(jsonOf(found).returns).toHaveLength(600)
  expect(found.stderr).not.toContain('Warning')
})

it('a search updates the mirror first, unless told not to, and filters', async () => {
  const { run, atPlatform, listed } = await mirrorHome()
  await run`mirror sync --yes`
  const pending = (await listed()).find(({ status }) => status === 'PENDING')
  const statusOf = asTyped(async (more) =>
    (await run(typed`search ${pending?.name} --jq .returns[0].status ${more}`, { now })).stdout.trim(),
  )
  let now = Date.now()
  const push = typed`tracking push ${pending?.name} --status SHIPPING_COMPLETED --shop ${pending?.shopCode}`
  succeeded(await atPlatform(...push))
  now += 61_000
  expect(await statusOf`--offline`).toBe('PENDING')
  expect(await statusOf``).toBe('RECEPTION_COMPLETED')
  expect(await statusOf`--status pending`).toBe('null')
  expect(await statusOf`--created-from 2000-01-01 --updated-from 1d`).toBe('RECEPTION_COMPLETED')
  const carrier = `${pending?.activeTransportation?.carrierCode}`
  const words = typed`--status ${'on its way'} --carrier ${carrier.toLowerCase()} --dry-run --json`
  expect(jsonOf(await run`tracking push ${pending?.name} ${words}`).body).toMatchObject({
    carrierName: carrier,
    trackingStatus: 'SHIPPING_IN_PROGRESS',
  })
  const unknown = await run(typed`search ${pending?.name} --status on-hold --json`, { now })
  expect([unknown.code, jsonOf(unknown).returns]).toEqual([0, []])
  expect(unknown.stderr).toMatch(
    /^Warning: --status: "on-hold" is not a status of a return that is known here/,
  )
})

it('a search names what to try without matches, what is missing, and that there is more', async () => {
  const { run, env, listed } = await mirrorHome()
  await run`mirror sync --yes`
  const none = await run`search xyzzy`
  expect([none.code, none.stdout, none.stderr]).toEqual([
    0,
    '',
    expect.stringMatching(/^No returns match\nTry: fewer words: .*\nTry: rma mirror status: .*\n$/),
  ])
  expect((await run`search xyzzy --base-url ${env.RMA_BASE_URL}`).stderr).toContain(
    `Try: rma mirror status --base-url ${env.RMA_BASE_URL}: what was copied`,
  )
  expect((await run`search xyzzy --status closed`).stderr).toMatch(
    /^No returns match\nTry: without the filters\n/,
  )
  const [newest] = await listed()
  const partly = await run`search xyzzy ${newest?.customer?.email}`
  expect([partly.stdout, partly.stderr]).toEqual([
    expect.stringContaining(`${newest?.name}`),
    'Warning: No return matches "xyzzy" as well: these match the rest.\n',
  ])
  const json = jsonOf(await run`search xyzzy ${newest?.customer?.email} -q --json`)
  expect(json.returns[0]).toMatchObject({ name: newest?.name, missing: ['xyzzy'] })
  const many = await run`search example --limit 3`
  expect([many.stdout.trim().split('\n').length, many.stderr]).toEqual([
    4,
    'The best 3; --limit 15 for more\n',
  ])
})

it('the mirror files keep no word of a forgotten person', async () => {
  const { run, held, bytes } = await mirrorHome()
  await run`mirror sync --yes`
  const customers = (await held()).map(({ customer }) => customer)
  // The index leaves out how a term begins where the one before begins the same.
  const isAlone = (phone: unknown) =>
    customers.every(
      (other) => other?.phone === phone || !`${other?.phone}`.startsWith(`${phone}`.slice(0, -2)),
    )
  const { email = '', phone } = customers.find((customer) => isAlone(customer?.phone)) ?? {}
  const word = email.split('@')[0]?.split('.')[1] ?? ''
  const traces = [word, reversed(`${phone}`.slice(1)).slice(2)]
  expect(traces.map((trace) => bytes().includes(trace))).toEqual([true, true])
  await run`mirror forget --email ${email}`
  expect(traces.map((trace) => bytes().includes(trace))).toEqual([false, false])
  expect((await run`search ${word} --json`).stdout).toContain('"returns": []')
})

it('a search without a mirror and offline says how to get one; one without a text says so', async () => {
  const env = freshHome()
  const offline = await runIn(env)`search ana --offline`
  expectEnd(offline, 5, ['Try: rma mirror sync'])
  const nothing = await runCli(['search'], { env })
  expectEnd(nothing, 2, /text/i)
})

it('a search without text is refused before anything is copied or sent', async () => {
  const env = homeAt('http://127.0.0.1:9')
  expectEnd(await runIn(env)`search '' ' ' --status PENDING`, 2, [
    'Nothing was given to search for.\nTry: rma search',
  ])
})
