import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { askAt } from '../helpers/bending-platform.ts'
import { type Env, type Home, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { type DeskTerminal, KEYS, openDeskHere as openDesk } from '../helpers/desk-terminal.ts'
import { newFolder } from '../helpers/files.ts'
import { type LabelServiceOptions, label, labelReturn, labelService, ZPL } from '../helpers/label-service.ts'
import { type DemoReturn, usePlatform } from '../helpers/platform.ts'
import { rawPrinter } from '../helpers/raw-printer.ts'
import { freshHome, root, runCli, runIn } from '../helpers/run-cli.ts'
import {
  type Answer,
  type RecordedRequest,
  refusal,
  type ScriptServer,
  scriptServer,
} from '../helpers/script-server.ts'
import '../../src/commands/desk.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

const platform = usePlatform({ returns: 120 })

const start = process.cwd()
/** Makes a new folder the one that labels are saved in. */
const enterNewFolder = () => process.chdir(newFolder())
const leaveFolder = () => process.chdir(start)

const newEnv = (more: Env = {}) => platform.env(more)

/** Runs a command that prepares a home or looks into it, in this process. */
const prepare = async (env: Env, argv: string[], stdin?: string) =>
  succeeded(await runCli(argv, { env, ...(stdin === undefined ? {} : { stdin }) }))

/** Environment in which the returns were copied already, for all tests that write nothing. */
let shared: Promise<Home> | undefined
const sharedEnv = () => {
  const copied = async () => {
    const env = newEnv({ NO_COLOR: '' })
    await prepare(env, typed`mirror sync --yes`)
    return env
  }
  shared ??= copied()
  return shared
}

/** Profile `live`, which is protected. */
async function protectedEnv() {
  const { RMA_BASE_URL = '', RMA_TOKEN = '', ...env } = newEnv()
  await prepare(
    env,
    typed`profiles add live --environment production --base-url ${RMA_BASE_URL} --protected --use`,
  )
  await prepare(env, typed`auth login --token-file - --no-verify`, RMA_TOKEN)
  return env
}

/** Returns that wait for their parcels, as the demo data have them: with a label and without. */
let labelled: DemoReturn[]
let bare: DemoReturn[]
beforeAll(async () => {
  const returns = await platform.returns('status=PENDING&limit=40')
  labelled = returns.filter(({ activeTransportation }) => activeTransportation?.carrierLabel)
  bare = returns.filter(({ activeTransportation }) => !activeTransportation?.carrierLabel)
})

/** Writes noted in the audit log. */
const posts = async (env: Env): Promise<number> => jsonOf(await prepare(env, typed`audit list --json`)).length

/** A screen without port and age, which differ between two runs. */
const stable = (screen: string) => screen.replace(/ +127\.0\.0\.1:.*$/m, '  PLACE')

/** A screen as the documentation has it: a place with a name, and no more than one empty line. */
const documented = (screen: string) =>
  screen
    .replace(/^(rma desk {2}.*?) {2,}127\S+( +cop)?.*$/m, (_, title: string, age?: string) => {
      const place = age ? 'staging  copied just now' : 'staging'
      return title.padEnd(80 - place.length) + place
    })
    .replace(/\n{3,}/g, '\n\n')

/** The platform behind a server that may change an answer or hold it back. */
function behindServer(
  change: (request: RecordedRequest, straight: () => Promise<Answer>) => Promise<Answer>,
  options: Parameters<typeof scriptServer>[1] = {},
) {
  return scriptServer((request) => {
    const { method, url, text, headers } = request
    return change(request, () => askAt(`${platform.baseUrl}${url}`, method, text, headers))
  }, options)
}

/** Holds back what passes a gate from `hold()` until the function is called that it returns. */
function newGate() {
  let held: Promise<void> | undefined
  const hold = () => {
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  return { passed: () => held, hold }
}

describe.each([
  { columns: 80, rows: 24 },
  { columns: 140, rows: 40 },
])('each screen at $columns × $rows', (size) => {
  it('shows list, card, reply, drop-off points, tracking and jobs as they were drawn before', async () => {
    const desk = openDesk(await sharedEnv(), size)
    const screens: string[] = []
    const step = async (keys: string, text: string | RegExp) => {
      screens.push(stable(await desk.pressUntil(keys, text)))
    }
    await step('', /copied just now.*closed/s)
    await step('lu10', /Search: lu10█(?!.*(FS|HV|PC)-?10).*LU10/s)
    await step(KEYS.down + KEYS.enter, /Where .*What happened.*WHEN/s)
    await step('r', /Dear|Hola|Hallo|Bonjour|Buongiorno|Hello|Olá|様/)
    await step('l', /Hello.*Language: en/s)
    await desk.pressUntil(KEYS.escape, 'What happened')
    await step('d', /KM|Error|has no|No /)
    await desk.pressUntil(KEYS.escape, 'What happened')
    await step('t', 'handed in')
    await desk.pressUntil(KEYS.escape, 'What happened')
    await desk.pressUntil(KEYS.escape, 'Search: █')
    await step(KEYS.tab, 'No jobs yet')
    for (const screen of screens) expect(screen).toMatchSnapshot()
    expect(desk.raw()).toMatch(/\x1b\[3[0-9]m/)
    desk.press(KEYS.ctrlC)
    expect(await desk.ended).toEqual({ code: 0, screen: '', isAlternate: false })
  })
})

it('the desk looks as its documentation shows, and is redrawn when its size changes', async () => {
  const frames: Record<string, string> = {}
  const desk = openDesk(await sharedEnv(), { rows: 16 })
  await desk.until('copied just now')
  frames.search = await desk.pressUntil('tomas', /Search: tomas█.*Tomás(?!.*Jensen)/s)
  await desk.pressUntil(KEYS.enter, 'choose with the arrows')
  desk.press(KEYS.enter)
  frames.card = await desk.until('Customer')
  const page = join(root, 'docs/desk.md')
  const shown = (await readFile(page, 'utf8')).replace(
    /(<!-- (\w+) -->\n\n)```text\n.*?```/gs,
    (_, mark: string, frame: string) => `${mark}\`\`\`text\n${documented(frames[frame] ?? '')}\n\`\`\``,
  )
  await expect(shown).toMatchFileSnapshot(page)
  await desk.pressUntil('/', 'Search: █')
  desk.resize(120, 30)
  await desk.until(/CREATED {4}SCAN/)
  desk.resize(60, 12)
  const narrow = await desk.until(/CUSTOMER +CREATED$/m)
  expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
})

it('labels print in the order of 12 scans at 20 a second, and the mark stays', async () => {
  const gate = newGate()
  const server = await behindServer(async ({ url }, straight) => {
    if (/shipping_labels/.test(url)) await gate.passed()
    return straight()
  })
  const env = newEnv({ RMA_BASE_URL: server.baseUrl })
  // Carrier codes are found in the copy only.
  await prepare(env, typed`mirror sync --yes`)
  const printer = await rawPrinter()
  const prints = () => printer.prints().filter((print) => print.length > 0)
  const { name = '' } = labelled[0] ?? {}
  const { stdout } = await prepare(env, typed`labels get ${name} --json`)
  const [, code = ''] = /"carrierTrackingCode": "(\S+)"/.exec(stdout) ?? []
  enterNewFolder()
  onTestFinished(leaveFolder)
  for (const folder of [name, name.slice(3)]) {
    await mkdir(folder)
    await writeFile(join(folder, 'other.zpl'), '^XA^FO9,9^A0N,9^FDOTHER^FS^XZ')
  }
  const desk = openDesk(env, { argv: typed`--warehouse --printer ${printer.address}`, rows: 42 })
  await desk.until('Scan the first code.')
  await desk.pressUntil(`${name.slice(3)}\r`, /Printed: .*✓/s)
  await desk.pressUntil('rest\x1bNONE\r', /✗ NONE/)
  const release = gate.hold()
  await desk.pressUntil(`${name}\r`, /Under way…\n\n> ✗ NONE/)
  await desk.pressUntil(KEYS.down, `> ✓ ${name.slice(3)}`)
  release()
  expect(await desk.until(`✓ ${name}`)).toMatch(/ {2}✓ .*\n {2}✗ NONE.*\n> ✓/)
  expect(prints()).toHaveLength(2)
  const codes = times(12, (at) => (at % 4 === 0 ? code : `NO-SUCH-${at}`))
  for (const one of codes) {
    desk.press(`${one}\r`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  await desk.until('✗ NO-SUCH-11')
  const printed = [...desk.screen().matchAll(/^[> ] [✓✗] (\S+)/gm)].map(([, one]) => one)
  expect(printed.slice(0, 12)).toEqual(codes.toReversed())
  expect(prints()).toHaveLength(5)
  desk.press(KEYS.up.repeat(11) + KEYS.tab)
  await expect.poll(() => prints().length).toBe(6)
  expect(prints().filter((print) => print.includes('OTHER'))).toEqual([])
  expect(await desk.until(/WAITING FOR/)).toContain('Printed')
  expect(await posts(env)).toBe(0)
})

it('the desk does not count refused purchases, keeps its limit, and claims no unconfirmed print', async () => {
  let isRefusing = true
  const server = await behindServer(async ({ method, url }, straight) =>
    isRefusing && method === 'POST' && /shipping_labels/.test(url)
      ? refusal('LB01', 'Refused', 422)
      : straight(),
  )
  const env = newEnv({ RMA_BASE_URL: server.baseUrl, RMA_TIMEOUT: '2' })
  const { address } = await rawPrinter({ isJammed: true })
  const argv = typed`--warehouse --buy 1 --no-sound --printer ${address}`
  enterNewFolder()
  onTestFinished(leaveFolder)
  const desk = openDesk(env, { argv })
  const [first = '', second = ''] = valuesOf(bare, 'name')
  await desk.until('Bought 0 of at most 1')
  expect(await desk.pressUntil(`${first}\r`, '✗ ')).toContain('Bought 0 of at most 1')
  expect(await posts(env)).toBe(1)
  isRefusing = false
  const bought = await desk.pressUntil(`${first}\r`, `Warning: ${address} has not confirmed`)
  expect(bought).toMatch(/^> \? R#/m)
  expect(bought).toContain('Bought 1 of at most 1')
  expect(await desk.pressUntil(`${second}\r`, new RegExp(`✗ ${second}`))).toContain('Bought 1 of at most 1')
  expect(await posts(env)).toBe(2)
  expect(desk.raw()).not.toContain('\x07')
})

/** A carrier's service with a return that waits for its label. */
const carrier = (options: LabelServiceOptions) =>
  labelService({
    returns: [labelReturn('R#-1', { carrierServiceCode: 'TEST' })],
    labelsOf: () => [label(ZPL)],
    ...options,
  })

it('a scan that waits for an open purchase says so, and ends with the desk like the scans behind it', async () => {
  const { baseUrl } = await carrier({ insteadOfMaking: () => ({ fault: 'reset' }) })
  enterNewFolder()
  onTestFinished(leaveFolder)
  const argv = typed`--warehouse --buy 2 --no-sound`
  const desk = openDesk(newEnv({ RMA_BASE_URL: baseUrl }), { argv })
  await desk.until('Bought 0 of at most 2')
  await desk.pressUntil('R#-1\r', '✗ R#-1')
  await desk.pressUntil('R#-1\r', 'Another run may have bought the label')
  await desk.pressUntil('NONE\r', '1 waiting')
  desk.press(KEYS.ctrlC)
  const { screen } = await desk.ended
  expect(screen.replaceAll('\n', ' ')).toMatch(/NONE: Error: Interrupted.*; R#-1: Error: Interrupted/)
  expect(desk.raw()).not.toContain('{"error":')
})

it('a scan prints the label of its return, though the id of the return is the number of a shipment', async () => {
  const { baseUrl, made } = await carrier({})
  for (const id of ['R#-1-T1', 'id-1']) {
    const base64 = Buffer.from(`^XA^FO9,9^A0N,9^FD${id}^FS^XZ`).toString('base64')
    made.set(id, [{ clientShipmentId: id, shippingLabels: [{ base64 }] }])
  }
  const printer = await rawPrinter()
  const desk = openDesk(newEnv({ RMA_BASE_URL: baseUrl }), {
    argv: typed`--warehouse --no-sound --printer ${printer.address}`,
  })
  await desk.until('Scan the first code.')
  await desk.pressUntil('R#-1\r', '✓ R#-1')
  expect(printer.prints().join('')).toContain('R#-1-T1')
})

it('a label bought while the desk is left is printed, and named', async () => {
  const { baseUrl, posts } = await carrier({ makingMs: 1500 })
  const printer = await rawPrinter()
  enterNewFolder()
  onTestFinished(leaveFolder)
  const argv = typed`--warehouse --buy 2 --no-sound --printer ${printer.address}`
  const desk = openDesk(newEnv({ RMA_BASE_URL: baseUrl }), { argv })
  await desk.until('Bought 0 of at most 2')
  desk.press('R#-1\r')
  await expect.poll(posts).toHaveLength(1)
  desk.press(KEYS.ctrlC)
  expect((await desk.ended).screen).toMatch(
    `Waiting for commands in progress.\nR#-1: Printed: ${printer.address}`,
  )
  expect(printer.prints().filter((print) => print.length > 0)).toHaveLength(1)
})

it('the desk asks before it buys under a protected profile', async () => {
  const env = await protectedEnv()
  const desk = openDesk(env, { argv: typed`--warehouse --buy 2` })
  await desk.until(/Buy up to 2 labels.*On live \(production\).*Type live to do it:/s)
  expect(await desk.pressUntil('no\r', 'Scan the first code.')).not.toContain('Bought 0')
  desk.press(KEYS.ctrlC)
  await desk.ended
  const again = openDesk(env, { argv: typed`--warehouse --buy 2` })
  await again.until('Type live to do it:')
  await again.pressUntil('live\r', 'Bought 0 of at most 2')
})

describe('a desk', () => {
  const gate = newGate()
  const opened = join(newFolder(), 'opened')
  /** Returns with a label, with one and control characters in its name, and without a label. */
  let [name, odd, without] = ['', '', '']
  let server: ScriptServer
  let env: Home
  let desk: DeskTerminal
  beforeAll(async () => {
    without = bare[1]?.name ?? ''
    ;[name = '', odd = ''] = valuesOf(labelled, 'name')
    const change = async ({ url }: RecordedRequest, straight: () => Promise<Answer>) => {
      if (/shipping_labels/.test(url)) await gate.passed()
      const answer = await straight()
      const body = String(answer.body).replaceAll(`"${odd}"`, `"${odd}\\u001b]0;SHOWN\\u0007"`)
      return { ...answer, body }
    }
    server = await behindServer(change, { autoClose: false })
    const browser = join(newFolder(), 'browser')
    await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 })
    env = newEnv({ RMA_BASE_URL: server.baseUrl, BROWSER: browser })
    enterNewFolder()
    desk = openDesk(env, { rows: 16, autoClose: false })
  })
  afterAll(async () => {
    leaveFolder()
    desk.close()
    await server.close()
  })

  /** Opens a card by the end of its name, which is a search on any screen but a typed word. */
  const openCard = async (of: string) => {
    await desk.pressUntil(`/${of.slice(3)}${KEYS.enter}`, new RegExp(`rma desk  ${of}[\\s\\S]*Where `))
  }

  it('the desk copies the returns after a yes', async () => {
    await desk.until(/Copy them\?.*any other key/s)
    expect(await desk.pressUntil('y', name)).toMatch(/copied just now.*CREATED/s)
  })

  it('the desk shows wide characters and right-to-left letters as typed', async () => {
    expect(await desk.pressUntil('鈴木 שלום', 'No return matches')).toContain('Search: 鈴木 שלום█')
  })

  it('the desk handles several keys in one read, and shows control characters of names', async () => {
    await desk.pressUntil(KEYS.escape, /Search: █/)
    await desk.pressUntil('abc\x7f\b', /Search: a█/)
    await desk.pressUntil(KEYS.escape, /Search: █/)
    await desk.pressUntil(`${odd.slice(3)}\r\n${without.slice(3)}\r\n`, `rma desk  ${without}`)
    await desk.pressUntil(KEYS.escape, /Search: █/)
    await desk.pressUntil(`${odd.slice(3)}\r`, `rma desk  ${odd}\\x1b]0;SHOWN`)
    await desk.pressUntil('t', 'being picked up')
    await desk.pressUntil(KEYS.enter, 'any other key')
    expect(desk.screen()).toContain(`Tell the platform that ${odd}\\x1b]0;SHOWN`)
    expect(desk.raw()).not.toContain('\x1b]0;SHOWN')
  })

  it("opens the carrier's page, and copies the name", async () => {
    await openCard(name)
    desk.press('o')
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toMatch(/^https:\/\/\S+\n$/)
    await desk.pressUntil('y', 'Handed to the terminal')
    expect(desk.raw()).toContain(`\x1b]52;c;${Buffer.from(name).toString('base64')}\x07`)
  })

  it('shows the drop-off points that are open now, and copies what it shows', async () => {
    const returns = await platform.returns('limit=60')
    // More points do not fit on the screen.
    const hasClosed = async (one: string) =>
      /no, opens/.test((await runIn(env)`pudos search ${one} --limit 3`).stdout)
    let closed = ''
    for (const one of returns) if (!closed && (await hasClosed(one.name))) closed = one.name
    await openCard(closed)
    await desk.pressUntil('d', 'no, opens')
    const open = await desk.pressUntil('n', /for R#(?!.*(no, opens|Reading))/s)
    await desk.pressUntil('y', 'Handed to the terminal')
    const [, copied = ''] = [...desk.raw().matchAll(/\x1b\]52;c;(\S+?)\x07/g)].at(-1) ?? []
    expect(open).toContain(Buffer.from(copied, 'base64').toString().split('\n')[0])
  })

  it('prints on the only printer kept by name, and asks which of two', async () => {
    const [first, second] = [await rawPrinter(), await rawPrinter()]
    await prepare(env, typed`printers add first ${first.address}`)
    await openCard(name)
    await desk.pressUntil('p', '1 label sent to first')
    expect(first.prints()).toHaveLength(1)
    await prepare(env, typed`printers add second ${second.address}`)
    await desk.pressUntil('p', /print R#-\S+ on [\s\S]*first\n.*second/)
    await desk.pressUntil(KEYS.down + KEYS.enter, '1 label sent to second')
    // A command that has told its outcome may be about to end, and keys do not start it again until then.
    const pressed = () => {
      desk.press('p')
      return delay(200).then(desk.screen)
    }
    await expect.poll(pressed).toMatch(/first\n.*second/)
    await desk.pressUntil(`${without.slice(3)}\r`, `rma desk  ${without}`)
    expect([first.prints().length, second.prints().length]).toEqual([1, 1])
    expect(await posts(env)).toBe(0)
  })

  it('the desk does not ask for a write once the person has moved on', async () => {
    await openCard(without)
    const release = gate.hold()
    await desk.pressUntil('l', 'Looking for a label')
    await desk.pressUntil(KEYS.escape, 'Search: █')
    await desk.pressUntil('maya', 'Search: maya█')
    release()
    expect(await desk.until('Not asked, since you went on: Buy a label for')).toContain('Search: maya█')
    expect(await posts(env)).toBe(0)
  })

  it('saves a label that exists at once, and buys one only after a yes', async () => {
    await openCard(name)
    await desk.pressUntil('l', /labels\/\S+\.(pdf|zpl)/)
    expect(await posts(env)).toBe(0)
    await openCard(without)
    expect(await desk.pressUntil('l', 'any other key')).toContain(`Buy a label for ${without}`)
    await desk.pressUntil('x', 'Not done.')
    expect(await posts(env)).toBe(0)
    await desk.pressUntil('l', 'any other key')
    await desk.pressUntil('y', /labels\/|Done/)
    expect(await posts(env)).toBe(1)
    expect(await readdir('labels')).toHaveLength(3)
  })

  it('goes on with a job, and tries its failed rows again, each after a yes', async () => {
    const rows = times(4, (at) => `R#-NO${at},PICK_UP_COMPLETED\n`).join('')
    const push = typed`tracking push --shop LUMBRE-ES --file - --max-failures 1 --concurrency 1 --json --yes`
    const pushed = await runCli(push, { env, stdin: `shipmentId,trackingStatus\n${rows}` })
    const { jobId, remaining } = jsonOf(pushed)
    expect(remaining).toBeGreaterThan(0)
    await desk.pressUntil('/', 'Search: █')
    await desk.pressUntil(KEYS.tab, jobId)
    await desk.pressUntil(KEYS.enter, /State +remaining/)
    for (const [key, question] of [
      ['g', `Go on with the job ${jobId}?`],
      ['t', `Send the failed rows of ${jobId} once more?`],
    ] as const) {
      const before = await posts(env)
      expect(await desk.pressUntil(key, 'any other key')).toContain(question)
      await desk.pressUntil('x', 'Not done.')
      expect(await posts(env)).toBe(before)
      await desk.pressUntil(key, 'any other key')
      await desk.pressUntil('y', /Error: (Stopped|4 of 4 rows failed)/)
      expect(await posts(env)).toBeGreaterThan(before)
    }
  })

  it('the desk has no colour if NO_COLOR is set', () => {
    expect(desk.raw()).not.toMatch(/\x1b\[3[0-9]m/)
  })
})

it('a write under a protected profile asks for its name', async () => {
  const env = await protectedEnv()
  await prepare(env, typed`mirror sync --yes`)
  const { name = '' } = labelled[0] ?? {}
  const desk = openDesk(env)
  await desk.until('CREATED')
  await desk.pressUntil(name + KEYS.enter, 'What happened')
  await desk.pressUntil('t', 'being picked up')
  expect(await desk.pressUntil(KEYS.down + KEYS.enter, 'Type live to do it:')).toMatch(
    `Tell the platform that ${name} is "being picked up"?\nOn live (production) 127`,
  )
  await desk.pressUntil(`prod${KEYS.enter}`, 'Not done.')
  expect(await posts(env)).toBe(0)
  await desk.pressUntil('t', 'being picked up')
  await desk.pressUntil(KEYS.down + KEYS.enter, 'Type live to do it:')
  await desk.pressUntil(`live${KEYS.enter}`, 'Done')
  expect(await posts(env)).toBe(1)
})

it('what became of a write stays on the screen while the card can not be read anew', async () => {
  let isDown = false
  const server = await behindServer(async ({ method }, straight) => {
    if (method !== 'POST') return isDown ? { fault: 'reset' } : straight()
    isDown = true
    return { fault: 'reset' }
  })
  const env = newEnv({ RMA_BASE_URL: server.baseUrl, RMA_RETRIES: '0' })
  await prepare(env, typed`mirror sync --yes`)
  const { name = '' } = labelled[0] ?? {}
  const desk = openDesk(env)
  await desk.until('copied just now')
  await desk.pressUntil(name + KEYS.enter, 'Where ')
  await desk.pressUntil('t', 'being picked up')
  await desk.pressUntil(KEYS.enter, 'any other key')
  await desk.pressUntil('y', 'It is not known whether the update')
  const reads = () => server.requests.filter(({ method }) => method === 'GET').length
  const before = reads()
  // One reading of the card fails before the next begins.
  await expect.poll(reads).toBeGreaterThan(before + 1)
  expect(await desk.until(/^Error: It is not known/m)).toContain(`rma desk  ${name}`)
})

it('the desk takes a no to its copy for the whole session, and says how to copy', async () => {
  const answers = [(desk: DeskTerminal) => desk.press('n'), (desk: DeskTerminal) => desk.press('H')]
  for (const answer of answers) {
    const desk = openDesk(newEnv())
    const asked = await desk.until(/Copy them\?.*any other key/s)
    expect(asked).not.toContain('terminal')
    answer(desk)
    const said = await desk.until(/nothing copied.*rma mirror sync/s)
    expect(said).not.toMatch(/Reading…|Copy them\?/)
  }
})

it('needs a terminal', async () => {
  const { code, stderr } = await runIn(newEnv())`desk`
  expect([code, stderr]).toEqual([
    2,
    expect.stringContaining('This needs a terminal, for its output and its input.'),
  ])
})

it('the desk reports a failing, invalid or cut answer, and takes keys while the platform is slow', async () => {
  let answer: Answer = refusal('SC02', 'not the shop NOPE')
  const server = await scriptServer(() => answer)
  const desk = openDesk(newEnv({ RMA_BASE_URL: server.baseUrl, RMA_RETRIES: '0' }))
  await desk.until(/nothing copied.*Not brought up to date/s)
  const searched = await desk.pressUntil('a', 'Search: a█')
  expect(searched).toMatch(/Not brought up to date\. Error: .* not the shop\s+NOPE/s)
  expect(searched).not.toContain('Reading…')
  await desk.pressUntil(KEYS.escape, 'Search: █')
  for (const [bad, message] of [
    [{ status: 500 }, /Error: .*500/],
    [{ body: { returns: 'none' } }, /Error: /],
    [{ fault: 'reset' }, /Error: /],
  ] as const) {
    answer = bad
    await desk.pressUntil(`LU104119${KEYS.enter}`, 'rma desk  LU104119')
    expect(await desk.until(message)).not.toMatch(/\n {2,}at /)
    await desk.pressUntil(KEYS.escape, 'Search: █')
  }
  answer = { fault: 'hang' }
  await desk.pressUntil(`LU104119${KEYS.enter}`, 'Reading…')
  await desk.pressUntil(KEYS.escape, 'Search: █')
  await desk.pressUntil('abc', 'Search: abc█')
  desk.press(KEYS.ctrlC)
  expect((await desk.ended).code).toBe(0)
})

it('the desk shows the built-in sandbox if no platform is set, and how to add one', async () => {
  const env = freshHome()
  // Fewer returns than a new sandbox has.
  await prepare(env, typed`sandbox reset --returns 20 --yes`)
  const shown = await openDesk(env).until(/copied just now/)
  expect(shown).toMatch(/built-in sandbox.*rma profiles add NAME --environment production --base-url URL/s)
})
