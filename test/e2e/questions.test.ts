import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { ended, expectEnd, type Home, succeeded, typed } from '../helpers/command-line.ts'
import { labelRequest } from '../helpers/label-service.ts'
import { usePlatform } from '../helpers/platform.ts'
import { root, runCli, runIn } from '../helpers/run-cli.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { runInTerminal } from '../helpers/terminal.ts'
import '../../src/commands/jobs/resume.ts'
import '../../src/commands/labels/create.ts'
import '../../src/commands/labels/update.ts'
import '../../src/commands/mappings/init.ts'
import '../../src/commands/profiles/set.ts'
import '../../src/commands/sandbox/reset.ts'
import '../../src/commands/tracking/push.ts'
import { jsonFile } from '../helpers/files.ts'
import { times } from '../helpers/values-of.ts'

/* A question is asked on a terminal only, once, and nothing draws over it. Every command that asks is here. */

const platform = usePlatform({ returns: 50 })
let home: Home
/** Name of a return. */
let shipment: string

beforeAll(async () => {
  home = spawnEnv({ RMA_TOKEN: platform.token, RMA_TIME_ZONE: 'UTC' })
  const url = typed`--base-url ${platform.baseUrl}`
  const production = ['--environment', 'production', '--shop', platform.sandbox.shops()[0]?.code ?? '']
  await runIn(home)`profiles add live ${production} ${url} --use`
  await runIn(home)`profiles add spare ${url}`
  await runIn(home)`profiles set mock --protected`
  writeFileSync(at('rows.csv'), 'shipmentId,trackingStatus\nR#-NOWHERE,SHIPPING_IN_PROGRESS\n')
  const request = labelRequest('ASKED', { carrierServiceCode: 'SBX_STANDARD' })
  writeFileSync(at('label.json'), JSON.stringify(request))
  shipment = (await platform.returns('limit=1'))[0]?.name ?? ''
  // A job with a row that failed, to go on with.
  ended(await runIn(home)`tracking push --file ${at('rows.csv')} --yes`, 9)
})

const at = (name: string) => join(home.HOME, name)

/** Types one answer to each question in turn, and returns the text that a terminal shows. */
async function answer(argv: string[], ...answers: string[]) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true })
  let raw = ''
  let asked = 0
  const write = (chunk: unknown, _encoding: string, done: () => void) => {
    raw += chunk
    if ((raw.match(/\[y\/N\] |Enter leaves it open\): |or Enter: /g) ?? []).length > asked) {
      stdin.write(answers[asked] ?? '\r')
      asked += 1
    }
    done()
  }
  const terminal = Object.assign(new Writable({ decodeStrings: false, write }), { isTTY: true, columns: 200 })
  const streams = { stdin, stdout: terminal, stderr: terminal }
  const { code } = await runCli(argv, { env: home, streams })
  const screen = stripVTControlCharacters(raw).trimEnd()
  return { code, stdout: screen, stderr: '', asked, screen }
}

const single = typed`--status SHIPPING_IN_PROGRESS --carrier DHL --number JD01`
const asking: Record<string, () => string[]> = {
  'tracking push': () => ['tracking', 'push', shipment, ...single],
  'tracking push --file': () => typed`tracking push --file ${at('rows.csv')}`,
  'jobs resume': () => typed`jobs resume --last`,
  'jobs retry': () => typed`jobs retry --last`,
  'labels create': () => typed`labels create --from ${at('label.json')} --out ${at('out')}`,
  'labels update': () => typed`labels update ${shipment} --tracking-code NEW1`,
  api: () => typed`api POST /shipping_labels -f a=b`,
  'conformance --write': () => typed`conformance --write`,
  'profiles remove': () => ['profiles', 'remove', 'spare'],
  'sandbox reset': () => typed`sandbox reset --returns 10`,
}

/** They ask in ways of their own: desk.test.ts, doctor.test.ts, mappings.test.ts, mirror-question.test.ts. */
const ASKING_ELSEWHERE = ['desk', 'doctor', 'mirror forget', 'mirror sync', 'tracking plan']

it('every command with --yes is tested here', () => {
  const { surface } = jsonFile(join(root, 'test/surface/surface.json'))
  const taking = Object.entries<{ flags: string[] }>(surface)
    .filter(([, { flags }]) => flags.includes('-y, --yes'))
    .map(([command]) => command)
  const here = Object.keys(asking).map((name) => name.replace(/ --.*/, ''))
  expect([...new Set([...here, ...ASKING_ELSEWHERE])].sort()).toEqual(taking.sort())
})

describe.each(Object.entries(asking))('%s', (_name, argv) => {
  it('a write asks once, and accepts a no', async () => {
    const { code, asked, screen } = await answer(argv(), 'n\r')
    expect([code, asked], screen).toEqual([2, 1])
    expect(screen).toMatch(/\nError: Not confirmed: nothing was (sent|changed)\.$/)
  })

  it('a command without a terminal asks nobody', async () => {
    const { code, stdout, stderr } = await runCli(argv(), { env: home, stdin: 'y\ny\n' })
    expect(stderr).not.toContain('[y/N]')
    // Only the removed profile is unprotected.
    expect([code, stdout === '']).toEqual(argv()[0] === 'profiles' ? [0, false] : [2, true])
    if (code === 2) expect(stderr).toMatch('protected, and there is no terminal to ask on.\nTry: --yes')
    else await runIn(home)`profiles add spare --base-url ${platform.baseUrl}`
  })
})

it.each([
  ['Ctrl-C', '\u0003', 130, /Interrupted, nothing was changed/],
  ['the end of input', '\u0004', 2, /Not confirmed/],
  ['nothing', '\r', 2, /Not confirmed/],
])('%s does not count as a yes', async (_name, keys, exitCode, said) => {
  const { code, screen } = await answer(['profiles', 'remove', 'spare'], keys)
  expect([code, screen.split('\n').at(-1)]).toEqual([exitCode, expect.stringMatching(said)])
  succeeded(await runIn(home)`profiles show spare`)
})

it('labels of returns chosen by filters are confirmed under any profile', async () => {
  const chosen = typed`labels create --status PENDING --hs-code 610910 --skip-invalid`
  const no = ended(await answer([...chosen, '--profile', 'spare', '--out', at('chosen')], 'n\r'), 2)
  expect(no.screen).toMatch(/^1 exists, none is to be bought\. Save 1\? \[y\/N\]/m)
  expect(existsSync(at('chosen'))).toBe(false)
})

it('a purchase says how many labels exist and how many are bought', async () => {
  const request = jsonFile(at('label.json'))
  const rows = ['A1', 'A2', 'A3'].map((id) => JSON.stringify({ ...request, clientShipmentId: id }))
  writeFileSync(at('first.json'), rows[0] ?? '')
  writeFileSync(at('all.ndjson'), rows.join('\n'))
  succeeded(await runIn(home)`labels create --from ${at('first.json')} --out ${at('out')} --yes`)
  const all = await answer(typed`labels create --from ${at('all.ndjson')} --out ${at('out')}`, 'n\r')
  expect(all.screen).toMatch(
    /^1 exists, 2 are to be bought\. Buy 2 under the protected profile live\? \[y\/N\]/m,
  )
  const more = await answer(
    typed`labels create --from ${at('all.ndjson')} --another --out ${at('out')}`,
    'n\r',
  )
  expect(more.screen).toMatch(/^1 exists, 3 more are to be bought\. Buy 3 /m)
})

it('a yes removes the profile and resets the sandbox', async () => {
  succeeded(await answer(['profiles', 'remove', 'spare'], 'y\r'))
  ended(await runIn(home)`profiles show spare`, 3)
  const reset = succeeded(await answer(typed`sandbox reset --returns 10`, 'yes\r'))
  expect(reset.screen).toMatch(/\nThe sandbox has fresh demo data\.$/)
})

it('a job whose first 200 rows failed asks whether to go on: no is exit 9, yes sends the rest', async () => {
  const rows = times(230, (at) => `R#-NOWHERE${at},SHIPPING_IN_PROGRESS`)
  writeFileSync(at('many.csv'), ['shipmentId,trackingStatus', ...rows].join('\n'))
  const push = typed`tracking push --file ${at('many.csv')} --yes --again`
  const no = ended(await answer(push, 'n\r'), 9)
  expect(no.screen).toMatch(/All of the first 20\d rows failed \(.+\)\. Send the other/)
  expect(no.screen).toContain('rma jobs resume')
  const yes = await answer(push, 'y\r')
  expect([yes.code, yes.screen]).toEqual([9, expect.stringContaining('230 of 230 rows failed')])
})

it('sandbox reset asks nothing with --yes', async () => {
  const { code, asked, screen } = await answer(typed`-y sandbox reset --returns 10`)
  expect([code, asked], screen).toEqual([0, 0])
})

const open =
  'Barcode,Free text,Where,Date\n1,1001,OUT,11/12/2026 09:30\n2,1002,DLV,12/12/2026 17:05\n3,1003,XXX,12/12/2026 17:06'

it('mappings init asks one question after another, and each answer leads to the next', async () => {
  writeFileSync(at('open.csv'), open)
  const { code, screen } = await answer(
    typed`mappings init ${at('open.csv')}`,
    // A number, a word in any case, a slip that is asked again, and Enter alone.
    ...['1\r', 'where\r', '99\r', '4\r', 'shipping_completed\r', '\r', '2\r'],
  )
  expect(code, screen).toBe(0)
  expect(screen).toContain(`can't tell the status "XXX": --status XXX=STATUS`)
  const file = join(home.RMA_CONFIG_DIR, 'mappings', 'open.json')
  expect(jsonFile(file)).toMatchObject({
    columns: { shipmentId: 'Free text', trackingStatus: 'Where', trackingDate: 'Date' },
    statuses: { OUT: 'SHIPPING_IN_PROGRESS', DLV: 'SHIPPING_COMPLETED' },
    date: { format: 'MM/DD/YYYY HH:mm' },
  })
})

it('mappings init finds rows by their tracking numbers where no column names the return', async () => {
  writeFileSync(at('coded.csv'), open)
  const argv = typed`mappings init ${at('coded.csv')} --status XXX=SHIPPING_FAILED --date-format ${'DD/MM/YYYY HH:mm'}`
  const { code, screen } = await answer(argv, '3\r', 'where\r', '4\r', '5\r')
  expect(code, screen).toBe(0)
  expect(screen).toContain('3  none: rows are found by their tracking numbers')
  const file = join(home.RMA_CONFIG_DIR ?? '', 'mappings', 'coded.json')
  expect(jsonFile(file)).toMatchObject({ columns: { trackingNumber: 'Barcode' }, by: 'tracking-number' })
})

it('mappings init writes nothing after Ctrl-C, and asks nothing without a terminal', async () => {
  writeFileSync(at('shut.csv'), open)
  const { screen } = ended(await answer(typed`mappings init ${at('shut.csv')}`, '\u0003'), 130)
  expect(screen).toMatch(/nothing was written.*$/)
  const piped = await runCli(typed`mappings init ${at('shut.csv')}`, { env: home, stdin: '1\n1\n' })
  expectEnd(piped, 2, ['--map shipmentId=COLUMN'])
  ended(await runIn(home)`mappings show shut`, 5)
})

/** Several redraws of a spinner, and its delay before the first. */
const WATCHED_MS = 600

it.each([
  // These show progress before they ask.
  ['tracking push --file', 'n\r', 2],
  ['labels create', 'n\r', 2],
  ['labels update', 'n\r', 2],
  ['auth login', '\u0003', 130],
  ['auth login', '\u0004', 130],
])('nothing is drawn over the question of %s, answered with %j', async (name, keys, exitCode) => {
  const argv = asking[name]?.() ?? name.split(' ')
  let asked: string | undefined
  let drawn = ''
  let latest = ''
  const run = await runInTerminal(argv, {
    env: home,
    columns: 200,
    onOutput: (raw, type) => {
      latest = raw
      if (asked !== undefined || !/\[y\/N\] |Token/.test(raw)) return
      asked = raw
      setTimeout(() => {
        drawn = latest.slice(raw.length)
        type(keys)
      }, WATCHED_MS)
    },
  })
  expect(asked, run.raw).toBeDefined()
  expect(drawn.replaceAll(/\u001b\[\??\d*[A-Za-z]/g, '').trim()).toBe('')
  expect(run.code, run.raw).toBe(exitCode)
  expect(run.screen.at(-1)).toMatch(/nothing was (changed|sent)\.$/)
})

it('the built command asks nothing without a terminal', async () => {
  expectEnd(await spawnCli(typed`sandbox reset`, { env: home, stdin: 'y\ny\n' }), 2, [
    'there is no terminal to ask on.\nTry: --yes',
  ])
})
