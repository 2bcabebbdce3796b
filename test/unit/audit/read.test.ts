import {
  appendFileSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { AuditLog, lineHash } from '../../../src/lib/audit/log.ts'
import { verifyAudit } from '../../../src/lib/audit/read.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { times } from '../../helpers/values-of.ts'

const SENT = {
  type: 'sent',
  command: 'tracking push',
  profile: 'live',
  origin: 'https://returns.example',
  operation: 'POST /shipping_trackings',
  shipmentId: 'R#-1',
} as const
const ENDED = { type: 'ended', of: 1, outcome: 'succeeded' } as const

let dir: string
beforeEach(() => {
  dir = newFolder()
})

/** A run of so many lines. */
async function write(lines: number, maxFileBytes?: number) {
  const log = await AuditLog.open(dir, maxFileBytes)
  for (let seq = 1; seq <= lines; seq++)
    await log.append(seq, seq % 2 === 1 ? SENT : { ...ENDED, of: seq - 1 })
  log.close()
}

const logs = () => readdirSync(dir).filter((name) => name.endsWith('.ndjson'))
const pathOf = (number = 0) => join(dir, logs()[number] ?? '')
const linesOf = (number = 0) => textFile(pathOf(number)).trimEnd().split('\n')
const replaceLines = (lines: readonly string[], number = 0) =>
  writeFileSync(pathOf(number), lines.map((line) => `${line}\n`).join(''))

async function verified() {
  const { broken, ...counts } = await verifyAudit(dir)
  return { broken: broken.map(({ file, line }) => [file, line]), first: broken[0]?.message, counts }
}

const broken = async () => (await verified()).broken

/** Asserts at which line of the first file alone the log is broken, and why. */
const expectBroken = async (line: number, first: string) =>
  expect(await verified()).toMatchObject({ broken: [[logs()[0], line]], first })

it('an untouched log is whole, of any number of runs that wrote at once, and readable by its owner only', async () => {
  await Promise.all([write(6), write(5), write(1)])
  expect(await verified()).toMatchObject({ broken: [], counts: { files: 1, lines: 12, chains: 3 } })
  expect(readdirSync(dir).map((name) => statSync(join(dir, name)).mode & 0o777)).toEqual([0o600, 0o600])
})

it('an empty log verifies', async () => {
  expect(await verified()).toMatchObject({ broken: [], counts: { files: 0, lines: 0, chains: 0 } })
})

it('a log carries the chain of a run over to the next file', async () => {
  await write(7, 1000)
  expect(logs().length).toBeGreaterThan(1)
  expect(JSON.parse(linesOf(1)[0] ?? '').prev).toBe(JSON.parse(linesOf(0).at(-1) ?? '').hash)
  expect(await verified()).toMatchObject({
    broken: [],
    counts: { files: logs().length, lines: 7, chains: 1 },
  })
})

it('simultaneous lines share syncs, in the order of their numbers', async () => {
  const log = await AuditLog.open(dir)
  const numbers = await Promise.all(times(50, (time) => log.append(time, SENT)))
  log.close()
  expect(numbers).toEqual(times(50, (index) => index + 1))
  expect(await broken()).toEqual([])
})

it('a line cut by a crash does not break the log, and the next run starts a new line', async () => {
  await write(2)
  appendFileSync(pathOf(), linesOf()[1]?.replace('"seq":2', '"seq":3').slice(0, 80) ?? '')
  expect(await broken()).toEqual([])
  await write(2)
  expect(await verified()).toMatchObject({ broken: [], counts: { lines: 5, chains: 2 } })
})

it('a log verifies although its process ended before it wrote the index', async () => {
  await write(3)
  const index = join(dir, readdirSync(dir).find((name) => name.endsWith('.index')) ?? '')
  writeFileSync(index, textFile(index).split('\n').slice(0, 2).join('\n'))
  expect(await broken()).toEqual([])
})

it('a log shows each changed byte of a line, at that line', async () => {
  await write(3)
  const before = readFileSync(pathOf())
  const [start, end] = [before.indexOf('\n') + 1, before.indexOf('\n', before.indexOf('\n') + 1)]
  const name = logs()[0]
  for (let at = start; at < end; at++) {
    const changed = Buffer.from(before)
    changed[at] = before[at] === 0x37 ? 0x38 : 0x37
    writeFileSync(pathOf(), changed)
    const { broken } = await verified()
    expect(broken[0]?.[0], `byte ${at}`).toBe(name)
    // A run or a number that is another one shows where the line is missing.
    expect([2, 3], `byte ${at}`).toContain(broken[0]?.[1])
  }
})

it('a line that rma did not write is reported', async () => {
  await write(2)
  appendFileSync(pathOf(), '{"x":1\n')
  await write(1)
  await expectBroken(3, 'the line was not written by rma')
})

it('a removed line is reported at the next one', async () => {
  await write(4)
  replaceLines(linesOf().toSpliced(1, 1))
  await expectBroken(2, '1 line of its run is missing before it')
})

it.each([
  [1, '1 line of a run is missing after it'],
  [3, '3 lines of a run are missing after it'],
])('%i removed last lines are reported at the line before them', async (count, first) => {
  await write(4)
  replaceLines(linesOf().slice(0, -count))
  await expectBroken(4 - count, first)
})

it('a log shows a removed run and an emptied file', async () => {
  await write(2)
  truncateSync(pathOf())
  expect(await verified()).toMatchObject({ broken: [[logs()[0], null]] })
})

it('reordered and repeated lines are reported', async () => {
  await write(3)
  const [one = '', two = '', three = ''] = linesOf()
  for (const [order, place] of [
    [[one, three, two], 2],
    [[one, two, two, three], 3],
  ] as const) {
    replaceLines(order)
    expect((await broken())[0]).toEqual([logs()[0], place])
  }
})

it('a line replaced together with its hash is reported by the next line or the index', async () => {
  await write(2)
  const [one = '', two = ''] = linesOf()
  replaceLines([forged(one), two])
  expect((await broken())[0]).toEqual([logs()[0], 2])
  replaceLines([one, forged(two)])
  expect((await broken())[0]).toEqual([logs()[0], 2])
})

it.each([0, 1, -1])('a log shows a removed file by its name: number %i of several', async (at) => {
  await write(7, 1000)
  const name = logs().at(at) ?? ''
  rmSync(join(dir, name))
  expect((await broken())[0]).toEqual([name, null])
})

it('a log shows a removed and an emptied index', async () => {
  await write(2)
  const name = readdirSync(dir).find((one) => one.endsWith('.index')) ?? ''
  truncateSync(join(dir, name))
  expect(await broken()).toEqual([[name, null]])
  rmSync(join(dir, name))
  expect(await broken()).toEqual([[name, null]])
})

it('a file that rma did not write is reported by its name', async () => {
  await write(2)
  writeFileSync(join(dir, 'x.ndjson'), '')
  expect(await verified()).toMatchObject({
    broken: [['x.ndjson', null]],
    first: 'it was not written by rma',
  })
})

/** The line with another time, and the hash that goes with it. */
function forged(line: string) {
  const { hash: _, ...link } = JSON.parse(line)
  const text = JSON.stringify({ ...link, time: '2020-01-01T00:00:00.000Z' })
  return `${text.slice(0, -1)},"hash":"${lineHash(text)}"}`
}
