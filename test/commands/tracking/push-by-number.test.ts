import { appendFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { isInShard } from '../../../src/lib/services/tracking/job-rows.ts'
import type { Return } from '../../../src/lib/wire/returns.ts'
import { askAt } from '../../helpers/bending-platform.ts'
import { asTyped, ended, expectEnd, jsonOf, ndjson, succeeded, typed } from '../../helpers/command-line.ts'
import { newFile, newFolder, textFile } from '../../helpers/files.ts'
import { TEST_NOW, usePlatform } from '../../helpers/platform.ts'
import { freshHome } from '../../helpers/run-cli.ts'
import { refusal, scriptServer } from '../../helpers/script-server.ts'
import { times, valuesOf } from '../../helpers/values-of.ts'
import '../../../src/commands/jobs/prune.ts'
import '../../../src/commands/jobs/resume.ts'
import '../../../src/commands/jobs/retry.ts'
import '../../../src/commands/jobs/show.ts'
import '../../../src/commands/mirror/status.ts'
import '../../../src/commands/mirror/sync.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/returns/transportations.ts'
import '../../../src/commands/tracking/plan.ts'
import '../../../src/commands/tracking/push.ts'

const AS_READ = typed`--by tracking-number --map trackingNumber=Code --map trackingStatus=State`

const platform = usePlatform({ returns: 600 })

/** A platform with a mirror, and returns whose parcels are on their way. */
async function carrierExport() {
  const env = freshHome()
  const run = asTyped((argv) => platform.run(argv, { env }))
  const all: Return[] = jsonOf(await run`returns list --all --json`).returns
  const parcels = all.flatMap(({ name, shopCode, activeTransportation: active }) =>
    active?.status === 'REQUESTED'
      ? [{ name, shopCode: shopCode ?? '', code: `PARCEL-${name.slice(2)}` }]
      : [],
  )
  const file = (...rows: string[]) => {
    const path = newFile('export.csv', `Code,State\n${rows.join('\n')}\n`)
    return path
  }
  const [first, second, third] = parcels
  if (!first || !second || !third) throw new Error('too few parcels')
  const stateOf = async ({ name, shopCode }: { name: string; shopCode: string }) => {
    return jsonOf(
      succeeded(await run`returns transportations ${name} --shop ${shopCode} --json`),
    ).transportations.at(-1)
  }
  /** Gives the parcel of a return a number. */
  const renumber = async ({ name, shopCode }: { name: string; shopCode: string }, number: string) =>
    succeeded(
      await run`tracking push ${name} --shop ${shopCode} --status SHIPPING_IN_PROGRESS --number ${number}`,
    )
  for (const parcel of [first, second, third]) await renumber(parcel, parcel.code)
  const mirrors = join(env.RMA_DATA_DIR, 'mirrors')
  return { env, run, mirrors, first, second, third, file, stateOf, renumber }
}

it('a push by tracking number sends the rows of active transports and writes the others to unmatched.csv', async () => {
  const { env, run, first, second, third, file, stateOf, renumber } = await carrierExport()
  const path = file(
    `${first.code.toLowerCase()},SHIPPING_COMPLETED`,
    'OTHER-1,DELIVERED AT LAST',
    'DOUBLE,SHIPPING_COMPLETED',
  )
  const push = typed`tracking push -f ${path} ${AS_READ}`
  expectEnd(await run(push), 2, ['there is none yet; nothing was sent', 'rma mirror sync'])
  succeeded(await run`mirror sync --yes`)
  // The mirror has to learn these first.
  for (const parcel of [second, third]) await renumber(parcel, 'DOUBLE')
  expectEnd(await run`${push} --unknown refuse`, 2, [
    "2 of 3 tracking numbers can't be told to be of one return (1 of several returns); nothing was sent.",
    'OTHER-1 is the number of no active transport (row 3)',
    'DOUBLE is the number of several returns:',
  ])
  const plan = join(newFolder(), 'updates.plan')
  const planned = await run`tracking plan -f ${path} ${AS_READ} --out ${plan}`
  expectEnd(planned, 0, [`row 2: ${first.code} is of ${first.name}`, `${plan}.unmatched.csv`])
  const done = jsonOf(await run`${push} --json`)
  expect(done).toMatchObject({ total: 1, succeeded: 1, unmatched: 2 })
  const [header, ...lines] = textFile(done.unmatchedFile).trim().split('\r\n')
  expect(header).toBe('Code,State,_row,_code,_message')
  expect(lines).toEqual([
    'OTHER-1,DELIVERED AT LAST,3,UNKNOWN,OTHER-1 is the number of no active transport',
    expect.stringMatching(/^DOUBLE,SHIPPING_COMPLETED,4,AMBIGUOUS,/),
  ])
  // The platform's spelling of the number stays.
  expect(await stateOf(first)).toMatchObject({ status: 'SHIPPING_COMPLETED', carrierReference: first.code })
  expect(jsonOf(await run(push.concat('--json')))).toEqual({ ...done, alreadySentBy: done.jobId })
  appendFileSync(path, 'OTHER-2,SHIPPING_COMPLETED\n')
  const more = jsonOf(await run(push.concat('--json')))
  expect(more).toMatchObject({ succeeded: 1, unmatched: 3 })
  expect(textFile(more.unmatchedFile)).toContain('OTHER-2')
  expect(jsonOf(await run`jobs show ${more.jobId} --json`).unmatched).toBe(3)
  await platform.run(typed`jobs prune --older-than 0s`, { env, now: TEST_NOW + 86_400_000 })
  const { unmatchedFile: _, ...pruned } = { ...more, alreadySentBy: more.jobId }
  expect(jsonOf(await run(push.concat('--json')))).toEqual(pruned)
  const wrong = file(`${first.code},NOWHERE`, `${third.code},SHIPPING_COMPLETED`)
  const skipped = jsonOf(await run`tracking push -f ${wrong} ${AS_READ} --skip-invalid --json`)
  expect(skipped).toMatchObject({ total: 0, unmatched: 2 })
  expect(textFile(skipped.unmatchedFile)).toContain(`${first.code},NOWHERE,2,INVALID,State`)
})

it('a row is in the same shard whether its number is known on that machine or not', async () => {
  const rows = (isFound: boolean) =>
    times(20, (at) => ({
      raw: { row: at + 2, columns: [], cells: [] },
      update: isFound ? { shipmentId: `R#-${at}`, trackingStatus: 'REQUESTED' } : undefined,
      number: `1Z${isFound ? ' ' : ''}${at}`,
      problems: [],
      isRepeated: false,
    }))
  const inFirst = (isFound: boolean) => rows(isFound).map((row) => isInShard(row, { index: 1, of: 2 }))
  expect(inFirst(true)).toEqual(inFirst(false))
  expect(new Set(inFirst(true)).size).toBe(2)
})

it('each row without a return is in one shard, and the merged summary counts them all', async () => {
  const { run, first, file } = await carrierExport()
  succeeded(await run`mirror sync --yes`)
  const strangers = times(20, (at) => `OTHER-${at},SHIPPING_COMPLETED`)
  const path = file(`${first.code},SHIPPING_COMPLETED`, ...strangers)
  const shards = []
  for (const shard of ['1/2', '2/2'])
    shards.push(jsonOf(await run`tracking push -f ${path} ${AS_READ} --shard ${shard} --json`))
  const lines = shards.flatMap(({ unmatchedFile }) => textFile(unmatchedFile).trim().split('\r\n').slice(1))
  expect(lines.map((line) => line.split(',')[0]).sort()).toEqual(
    strangers.map((row) => row.split(',')[0]).sort(),
  )
  expect(valuesOf(shards, 'unmatched')).not.toContain(20)
  const merged = await run`jobs merge ${valuesOf(shards, 'jobId')} --json`
  expect(jsonOf(merged)).toMatchObject({ total: 1, succeeded: 1, unmatched: 20 })
})

it('a job keeps the returns that were found, and sends nothing to a transport with another number', async () => {
  const { run, first, second, file, mirrors, stateOf, renumber } = await carrierExport()
  succeeded(await run`mirror sync --yes`)
  const path = file(`${first.code},SHIPPING_COMPLETED`, `${second.code},SHIPPING_COMPLETED`)
  const plan = join(newFolder(), 'updates.plan')
  succeeded(await run`tracking plan -f ${path} ${AS_READ} --out ${plan}`)
  rmSync(mirrors, { recursive: true })
  // A dry run of the plan reads the returns back, too.
  const dry = await run`tracking push --plan ${plan} -n -o ndjson`
  expect(ndjson<{ body: { shipmentId: string } }>(dry.stdout).map(({ body }) => body.shipmentId)).toContain(
    second.name,
  )
  succeeded(await run`mirror sync --yes`)
  await renumber(first, 'NEW-NUMBER')
  expectEnd(await run`tracking push --plan ${plan}`, 6, ['1 shipment has moved since'])
  expectEnd(await run`tracking push -f ${path} ${AS_READ}`, 0, ['1 of 2 tracking numbers'])
  expect(await stateOf(first)).toMatchObject({
    status: 'SHIPPING_IN_PROGRESS',
    carrierReference: 'NEW-NUMBER',
  })
  expect(await stateOf(second)).toMatchObject({ status: 'SHIPPING_COMPLETED' })
})

it('mended rows of a job by tracking number go to the transport with the number, and to no other', async () => {
  const { env, first, second, file, stateOf, renumber } = await carrierExport()
  let expired = true
  const server = await scriptServer(async ({ method, url, text, headers }) => {
    if (method === 'POST' && expired) return refusal('AU03', 'expired', 401)
    return askAt(`${platform.baseUrl}${url}`, method, text, headers)
  })
  const runThere = asTyped((argv) => platform.run(argv, { env: { ...env, RMA_BASE_URL: server.baseUrl } }))
  succeeded(await runThere`mirror sync --yes`)
  const path = file(`${first.code},SHIPPING_COMPLETED`, `${second.code},SHIPPING_COMPLETED`)
  ended(await runThere`tracking push -f ${path} ${AS_READ}`, 4)
  expired = false
  await renumber(second, 'OTHER-NUMBER')
  const resumed = await runThere`jobs resume --last --json`
  const { jobId, failedFile } = JSON.parse(ended(resumed, 9).stdout)
  expect(textFile(failedFile)).toMatch(/,MOVED,/)
  expectEnd(await runThere`jobs retry ${jobId} --file ${failedFile}`, 9, ['MOVED'])
  expect(await stateOf(second)).toMatchObject({
    carrierReference: 'OTHER-NUMBER',
    status: 'SHIPPING_IN_PROGRESS',
  })
})

it('a carrier is spelled as in the mirror, and its beginning is sent as it was typed', async () => {
  const { run, first } = await carrierExport()
  succeeded(await run`mirror sync --yes`)
  const push = typed`tracking push ${first.name} --shop ${first.shopCode} --status SHIPPING_IN_PROGRESS -n`
  for (const [carrier, sent] of [
    ['seur', 'SEUR'],
    ['SEU', 'SEU'],
    ['New Carrier', 'New Carrier'],
  ]) {
    const { stdout } = succeeded(await run`${push} --carrier ${carrier} --json`)
    expect(stdout).toMatch(new RegExp(`"carrierName": ?"${sent}"`))
  }
})

it('a push by tracking number refuses a delivery dated after a failure of the same number', async () => {
  const { run, first, file, stateOf } = await carrierExport()
  succeeded(await run`mirror sync --yes`)
  const rows = [`${first.code},SHIPPING_COMPLETED`, `${first.code.toLowerCase()},SHIPPING_FAILED`]
  expectEnd(await run`tracking push -f ${file(...rows)} ${AS_READ}`, 2, ["can't follow row 3"])
  expect((await stateOf(first)).status).toBe('SHIPPING_IN_PROGRESS')
})
