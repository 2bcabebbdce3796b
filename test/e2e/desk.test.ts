import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { askAt } from '../helpers/bending-platform.ts'
import { typed } from '../helpers/command-line.ts'
import { KEYS, openDesk } from '../helpers/desk-terminal.ts'
import { newFolder } from '../helpers/new-folder.ts'
import { usePlatform } from '../helpers/platform.ts'
import { rawPrinter } from '../helpers/raw-printer.ts'
import { root } from '../helpers/run-cli.ts'
import { type Answer, type RecordedRequest, scriptServer } from '../helpers/script-server.ts'
import { spawnCli } from '../helpers/spawn-cli.ts'

const platform = usePlatform({ returns: 120 })

/** Environment in which the returns were copied already. */
async function copiedEnv(more: Record<string, string> = {}): Promise<Record<string, string>> {
  const env = { PATH: process.env.PATH ?? '', ...platform.env(), ...more }
  await spawnCli(typed`mirror sync --yes`, { env })
  return env
}

/** The same for all tests that write nothing. */
let shared: Promise<Record<string, string>> | undefined
const sharedEnv = async (more: Record<string, string> = {}) => {
  shared ??= copiedEnv()
  return { ...(await shared), ...more }
}

/** Name of a return that waits for its parcel and has a label or not, as `labels create` sees it. */
async function pending(env: Record<string, string>, hasLabel: boolean): Promise<string> {
  const { stdout } = await spawnCli(typed`returns list --status PENDING --limit 40 --jq .returns[].name`, {
    env,
  })
  for (const name of stdout.trim().split('\n')) {
    const plan = await spawnCli(typed`labels create --for ${name} --dry-run --json`, { env })
    if (plan.code === 0 && (plan.stdout.trim() === '[]') === hasLabel) return name
  }
  throw new Error('no such return')
}

/** A screen without port and age, which differ between two runs. */
const stable = (screen: string) => screen.replace(/ +127\.0\.0\.1:.*$/m, '  PLACE')

/** The same for a reader: a place with a name, and no more than one empty line. */
const documented = (screen: string) =>
  screen
    .replace(/^(rma desk {2}.*?) {2,}127\S+( +cop)?.*$/m, (_, title: string, age?: string) => {
      const place = age ? 'staging  copied just now' : 'staging'
      return title.padEnd(80 - place.length) + place
    })
    .replace(/\n{3,}/g, '\n\n')

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
    await step('', /copied just now[\s\S]*closed/)
    await step('lu10', /Search: lu10█(?![\s\S]*(FS|HV|PC)-?10)[\s\S]*LU10/)
    await step(KEYS.down + KEYS.enter, /Where [\s\S]*What happened[\s\S]*WHEN/)
    await step('r', /Dear|Hola|Hallo|Bonjour|Buongiorno|Hello|Olá|様/)
    await step('l', /Hello[\s\S]*Language: en/)
    await desk.pressUntil(KEYS.escape, 'What happened')
    await step('d', /KM|Error|has no|No /)
    await desk.pressUntil(KEYS.escape, 'What happened')
    await step('t', 'handed in')
    await desk.pressUntil(KEYS.escape, 'What happened')
    await desk.pressUntil(KEYS.escape, 'Search: █')
    await step(KEYS.tab, 'No jobs yet')
    for (const screen of screens) expect(screen).toMatchSnapshot()
    desk.press(KEYS.ctrlC)
    expect(await desk.ended).toEqual({ code: 0, screen: '', isAlternate: false })
  })
})

it('takes keys that come in one read, and shows control characters of names', async () => {
  const env = await sharedEnv()
  const [first, second] = [await pending(env, true), await pending(env, false)]
  const server = await behindServer(async (_, straight) => {
    const answer = await straight()
    return {
      ...answer,
      body: String(answer.body).replaceAll(`"${first}"`, `"${first}\\u001b]0;SHOWN\\u0007"`),
    }
  })
  const desk = openDesk(await copiedEnv({ RMA_BASE_URL: server.baseUrl }))
  await desk.until('CREATED')
  await desk.pressUntil('abc\x7f\b', /Search: a█/)
  await desk.pressUntil(KEYS.escape, /Search: █/)
  await desk.pressUntil(`${first.slice(3)}\r\n${second.slice(3)}\r\n`, `rma desk  ${second}`)
  await desk.pressUntil(KEYS.escape, /Search: █/)
  await desk.pressUntil(`${first.slice(3)}\r`, `rma desk  ${first}\\x1b]0;SHOWN`)
  await desk.pressUntil('t', 'being picked up')
  await desk.pressUntil(KEYS.enter, 'any other key')
  expect(desk.screen()).toContain(`Tell the platform that ${first}\\x1b]0;SHOWN`)
  expect(desk.raw()).not.toContain('\x1b]0;SHOWN')
})

async function openList(more: Record<string, string> = {}) {
  const desk = openDesk(await sharedEnv(more))
  await desk.until('CREATED')
  return desk
}

/** Opens the card of a return by its name. */
async function openCard(
  env: Record<string, string>,
  name: string,
  options: Parameters<typeof openDesk>[1] = {},
) {
  const desk = openDesk(env, options)
  await desk.until('CREATED')
  await desk.pressUntil(name + KEYS.enter, 'What happened')
  return desk
}

/** The platform behind a server that may change an answer or hold it back. */
function behindServer(
  change: (request: RecordedRequest, straight: () => Promise<Answer>) => Promise<Answer>,
) {
  return scriptServer((request) => {
    const { method, url, text, headers } = request
    return change(request, () => askAt(`${platform.baseUrl}${url}`, method, text, headers))
  })
}

/** The platform, whose labels wait once they are held until they are released. */
async function heldPlatform() {
  let held: Promise<void> | undefined
  const { baseUrl } = await behindServer(async ({ url }, straight) => {
    if (/shipping_labels/.test(url)) await held
    return straight()
  })
  const hold = () => {
    let release = () => {}
    held = new Promise((resolve) => {
      release = resolve
    })
    return release
  }
  return { baseUrl, hold }
}

const posts = (env: Record<string, string>) =>
  spawnCli(typed`audit list --json`, { env }).then(({ stdout }) => JSON.parse(stdout).length)

// Before the tests that write.
it('is shown in its documentation as it is', async () => {
  const env = await sharedEnv()
  const frames: Record<string, string> = {}
  const desk = openDesk(env, { rows: 16 })
  await desk.until(/copied just now/)
  frames.search = await desk.pressUntil('tomas', /Search: tomas█[\s\S]*Tomás(?![\s\S]*Jensen)/)
  await desk.pressUntil(KEYS.enter, 'choose with the arrows')
  desk.press(KEYS.enter)
  frames.card = await desk.until('Customer')
  const page = join(root, 'docs/desk.md')
  const shown = (await readFile(page, 'utf8')).replace(
    /(<!-- (\w+) -->\n\n)```text\n[\s\S]*?```/g,
    (_, mark: string, frame: string) => `${mark}\`\`\`text\n${documented(frames[frame] ?? '')}\n\`\`\``,
  )
  await expect(shown).toMatchFileSnapshot(page)
})

// Before the tests that buy, since few returns have no label.
describe('warehouse with trouble', () => {
  it('prints what the platform has, says nothing of it before, and keeps its mark', async () => {
    const server = await heldPlatform()
    const env = await copiedEnv({ RMA_BASE_URL: server.baseUrl })
    const printer = await rawPrinter()
    const name = await pending(env, true)
    const cwd = newFolder()
    for (const folder of [name, name.slice(3)]) {
      await mkdir(join(cwd, folder))
      await writeFile(join(cwd, folder, 'other.zpl'), '^XA^FO9,9^A0N,9^FDOTHER^FS^XZ')
    }
    const desk = openDesk(env, { argv: typed`--warehouse --printer ${printer.address}`, cwd })
    await desk.until('Scan the first code.')
    await desk.pressUntil(`${name.slice(3)}\r`, /Printed: [\s\S]*✓/)
    await desk.pressUntil('rest\x1bNONE\r', /✗ NONE/)
    const release = server.hold()
    await desk.pressUntil(`${name}\r`, /Under way…\n\n> ✗ NONE/)
    await desk.pressUntil(KEYS.down, `> ✓ ${name.slice(3)}`)
    release()
    expect(await desk.until(`✓ ${name}`)).toMatch(/ {2}✓ .*\n {2}✗ NONE.*\n> ✓/)
    expect(printer.prints().filter((print) => print.length > 0 && !print.includes('OTHER'))).toHaveLength(2)
  })

  it('counts no refused purchase, and calls no label printed that a jammed printer has', async () => {
    const refusal = { status: 422, body: { errors: [{ code: 'LB01', message: 'Refused' }], status: 422 } }
    const server = await behindServer(async ({ method, url }, straight) =>
      method === 'POST' && /shipping_labels/.test(url) ? refusal : straight(),
    )
    const env = await copiedEnv({ RMA_BASE_URL: server.baseUrl, RMA_TIMEOUT: '2' })
    const { address } = await rawPrinter({ isJammed: true })
    const argv = typed`--warehouse --buy 1 --printer ${address}`
    const desk = openDesk(env, { argv, cwd: newFolder() })
    await desk.until('Bought 0 of at most 1')
    const refused = await desk.pressUntil(`${await pending(env, false)}\r`, '✗ ')
    expect(refused).toContain('Bought 0 of at most 1')
    await desk.pressUntil(`${await pending(env, true)}\r`, `Warning: ${address} has not confirmed`)
    expect(desk.screen()).toMatch(/^> \? R#/m)
  })

  it('buys under a protected profile only after a question', async () => {
    const { RMA_BASE_URL = '', RMA_TOKEN = '', ...env } = platform.env()
    const add = typed`profiles add live --environment production --base-url ${RMA_BASE_URL} --protected --use`
    await spawnCli(add, { env })
    await spawnCli(typed`auth login --token-file - --no-verify`, { env, stdin: RMA_TOKEN })
    const desk = openDesk(env, { argv: typed`--warehouse --buy 2` })
    await desk.until(/Buy up to 2 labels[\s\S]*On live \(production\)[\s\S]*Type live to do it:/)
    expect(await desk.pressUntil('no\r', 'Scan the first code.')).not.toContain('Bought 0')
    desk.press(KEYS.ctrlC)
    await desk.ended
    const again = openDesk(env, { argv: typed`--warehouse --buy 2` })
    await again.until('Type live to do it:')
    await again.pressUntil('live\r', 'Bought 0 of at most 2')
  })
})

describe('keys', () => {
  it('prints on the only printer kept by name, and asks which of two', async () => {
    const env = await copiedEnv()
    const [first, second] = [await rawPrinter(), await rawPrinter()]
    await spawnCli(typed`printers add first ${first.address}`, { env })
    const desk = await openCard(env, await pending(env, true))
    await desk.pressUntil('p', '1 label sent to first')
    expect(first.prints()).toHaveLength(1)
    await spawnCli(typed`printers add second ${second.address}`, { env })
    await desk.pressUntil('p', /print R#-\S+ on [\s\S]*first\n.*second/)
    await desk.pressUntil(KEYS.down + KEYS.enter, '1 label sent to second')
    await desk.pressUntil('p', /first\n.*second/)
    const other = await pending(env, false)
    await desk.pressUntil(`${other.slice(3)}\r`, `rma desk  ${other}`)
    expect([first.prints().length, second.prints().length]).toEqual([1, 1])
    expect(await posts(env)).toBe(0)
  })

  it("opens the carrier's page, and copies the name", async () => {
    const opened = join(newFolder(), 'opened')
    const browser = join(newFolder(), 'browser')
    await writeFile(browser, `#!/bin/sh\necho "$1" > ${opened}\n`, { mode: 0o755 })
    const env = await sharedEnv({ BROWSER: browser })
    const name = await pending(env, true)
    const desk = await openCard(env, name)
    desk.press('o')
    await expect.poll(() => readFile(opened, 'utf8').catch(() => '')).toMatch(/^https:\/\/\S+\n$/)
    await desk.pressUntil('y', 'Handed to the terminal')
    expect(desk.raw()).toContain(`\x1b]52;c;${Buffer.from(name).toString('base64')}\x07`)
  })

  it('shows the drop-off points that are open now, and copies what it shows', async () => {
    const env = await sharedEnv()
    const { stdout } = await spawnCli(typed`returns list --limit 60 --jq .returns[].name`, { env })
    // More points do not fit on the screen.
    const hasClosed = async (name: string) =>
      /no, opens/.test((await spawnCli(typed`pudos search ${name} --limit 3`, { env })).stdout)
    let closed = ''
    for (const name of stdout.trim().split('\n')) if (!closed && (await hasClosed(name))) closed = name
    const desk = await openCard(env, closed)
    await desk.pressUntil('d', 'no, opens')
    const open = await desk.pressUntil('n', /for R#(?![\s\S]*(no, opens|Reading))/)
    await desk.pressUntil('y', 'Handed to the terminal')
    const [, copied = ''] = /\x1b\]52;c;(\S+?)\x07/.exec(desk.raw()) ?? []
    expect(open).toContain(Buffer.from(copied, 'base64').toString().split('\n')[0])
  })

  it('goes on with a job, and tries its failed rows again, each after a yes', async () => {
    const env = await copiedEnv({ RMA_SHOP: 'LUMBRE-ES' })
    const rows = Array.from({ length: 4 }, (_, at) => `R#-NO${at},PICK_UP_COMPLETED\n`).join('')
    const stdin = `shipmentId,trackingStatus\n${rows}`
    const push = typed`tracking push --file - --max-failures 1 --concurrency 1 --json --yes`
    const { stdout } = await spawnCli(push, { env, stdin })
    const { jobId, remaining } = JSON.parse(stdout)
    expect(remaining).toBeGreaterThan(0)
    const desk = openDesk(env)
    await desk.until('CREATED')
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
      desk.press('y')
      await expect.poll(() => posts(env), { timeout: 30_000 }).toBeGreaterThan(before)
      await desk.until('too many rows failed')
    }
  })
})

describe('writes', () => {
  it('saves a label that exists at once, and buys one only after a yes', async () => {
    const env = await copiedEnv()
    const folder = await newFolder()
    const [labelled, bare] = [await pending(env, true), await pending(env, false)]
    const desk = await openCard(env, labelled, { cwd: folder })
    await desk.pressUntil('l', /labels\/\S+\.(pdf|zpl)/)
    expect(await posts(env)).toBe(0)
    await desk.pressUntil(`${KEYS.escape}`, 'Search: █')
    await desk.pressUntil(bare + KEYS.enter, `rma desk  ${bare}`)
    await desk.until('What happened')
    expect(await desk.pressUntil('l', 'any other key')).toContain(`Buy a label for ${bare}`)
    await desk.pressUntil('x', 'Not done.')
    expect(await posts(env)).toBe(0)
    await desk.pressUntil('l', 'any other key')
    await desk.pressUntil('y', /labels\/|Done/)
    expect(await posts(env)).toBe(1)
    expect(await readdir(join(folder, 'labels'))).toHaveLength(3)
  })

  it('are asked for no more once the person has gone on', async () => {
    const server = await heldPlatform()
    const env = await copiedEnv({ RMA_BASE_URL: server.baseUrl })
    const bare = await pending(env, false)
    const desk = await openCard(env, bare)
    const release = server.hold()
    await desk.pressUntil('l', 'Looking for a label')
    await desk.pressUntil(KEYS.escape, 'Search: █')
    await desk.pressUntil('maya', 'Search: maya█')
    release()
    expect(await desk.until('Not asked, since you went on: Buy a label for')).toContain('Search: maya█')
    expect(await posts(env)).toBe(0)
  })

  it('asks under a protected profile for its name', async () => {
    const { RMA_BASE_URL = '', RMA_TOKEN = '', ...home } = await copiedEnv()
    const add = typed`profiles add live --environment production --base-url ${RMA_BASE_URL} --protected --use`
    await spawnCli(add, { env: home })
    await spawnCli(typed`auth login --token-file - --no-verify`, { env: home, stdin: RMA_TOKEN })
    await spawnCli(typed`mirror sync --yes`, { env: home })
    const name = await pending(home, true)
    const desk = await openCard(home, name)
    await desk.pressUntil('t', 'being picked up')
    expect(await desk.pressUntil(KEYS.down + KEYS.enter, 'Type live to do it:')).toMatch(
      `Tell the platform that ${name} is "being picked up"?\nOn live (production) 127`,
    )
    await desk.pressUntil(`prod${KEYS.enter}`, 'Not done.')
    expect(await posts(home)).toBe(0)
    await desk.pressUntil('t', 'being picked up')
    await desk.pressUntil(KEYS.down + KEYS.enter, 'Type live to do it:')
    await desk.pressUntil(`live${KEYS.enter}`, 'Done')
    expect(await posts(home)).toBe(1)
  })
})

describe('warehouse', () => {
  it('prints the labels of 30 codes scanned at 20 a second in order, and none of an unknown code', {
    timeout: 180_000,
  }, async () => {
    const env = await copiedEnv()
    const printer = await rawPrinter()
    const name = await pending(env, true)
    const { stdout } = await spawnCli(typed`labels get ${name} --json`, { env })
    const [, code = ''] = /"carrierTrackingCode": "(\S+)"/.exec(stdout) ?? []
    const argv = typed`--warehouse --printer ${printer.address}`
    const desk = openDesk(env, { argv, rows: 42 })
    await desk.until('Scan the first code.')
    const codes = Array.from({ length: 30 }, (_, at) => (at % 5 === 0 ? code : `NO-SUCH-${at}`))
    for (const one of codes) {
      desk.press(`${one}\r`)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    const printed = () => [...desk.screen().matchAll(/^[> ] [✓✗] (\S+)/gm)].map(([, one]) => one)
    await expect.poll(printed, { timeout: 45_000 }).toHaveLength(30)
    expect(printed()).toEqual(codes.toReversed())
    expect(printer.prints()).toHaveLength(6)
    desk.press(KEYS.down.repeat(4) + KEYS.tab)
    await expect.poll(() => printer.prints().length).toBe(7)
    expect(await desk.until(/WAITING FOR/)).toContain('Printed')
    expect(await posts(env)).toBe(0)
  })

  it('buys no more labels than it was allowed to', async () => {
    const env = await copiedEnv()
    const name = await pending(env, false)
    const desk = openDesk(env, { argv: typed`--warehouse --buy 1 --no-sound`, cwd: await newFolder() })
    await desk.until('Bought 0 of at most 1')
    await desk.pressUntil(`${name}\r${name}\r`, /Bought 1 of at most 1[\s\S]*✓ [\s\S]*✓ /)
    expect(await posts(env)).toBe(1)
    expect(desk.raw()).not.toContain('\x07')
  })
})

describe('terminal', () => {
  it('needs one', async () => {
    const { code, stderr } = await spawnCli(typed`desk`, { env: platform.env() })
    expect([code, stderr]).toEqual([
      2,
      expect.stringContaining('This needs a terminal, for its output and its input.'),
    ])
  })

  it.each(['SIGTERM', 'SIGHUP'])('is as it was after %s', async (signal) => {
    const desk = await openList()
    desk.child.kill(signal)
    expect(await desk.ended).toMatchObject({
      isAlternate: false,
      screen: expect.not.stringContaining('CREATED'),
    })
    expect(desk.raw()).toMatch(/\x1b\[\?25h[^l]*$/)
  })

  it('is as it was after a crash, which is said', async () => {
    const crash = join(newFolder(), 'crash.cjs')
    await writeFile(crash, "setTimeout(() => { throw new Error('a fault') }, 3000)")
    const desk = await openList({ NODE_OPTIONS: `--require=${crash}` })
    const { code, isAlternate, screen } = await desk.ended
    expect([code, isAlternate, screen]).toEqual([1, false, expect.stringContaining('Error: ')])
  })

  it('shows wide characters and right-to-left letters as they were typed', async () => {
    const desk = await openList()
    expect(await desk.pressUntil('鈴木 שלום', 'No return matches')).toContain('Search: 鈴木 שלום█')
  })

  it('is drawn anew when its size changes', async () => {
    const desk = await openList()
    desk.resize(120, 30)
    await desk.until(/CREATED {4}SCAN/)
    desk.resize(60, 12)
    const narrow = await desk.until(/CUSTOMER +CREATED$/m)
    expect(Math.max(...narrow.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60)
  })

  it('gets no colour where NO_COLOR is set', async () => {
    const desk = await openList({ NO_COLOR: '1' })
    expect(desk.raw()).not.toMatch(/\x1b\[3[0-9]m/)
  })

  it('comes back after an editor that was killed, with the reply as it was', async () => {
    const env = await sharedEnv({ EDITOR: 'kill -9 $$ #' })
    const desk = await openCard(env, await pending(env, true))
    await desk.pressUntil('r', /reply about .*\n\S[\s\S]*\n\S[\s\S]*\n\S[\s\S]*language/)
    expect(await desk.pressUntil('e', 'the reply is as it was')).toMatch(/R#-.*[\s\S]*R#-/)
  })

  it('shows what an editor made of a reply', async () => {
    const env = await sharedEnv({ EDITOR: 'echo Edited >' })
    const desk = await openCard(env, await pending(env, true))
    await desk.pressUntil('r', /reply about .*\n\S[\s\S]*\n\S[\s\S]*\n\S[\s\S]*language/)
    await desk.pressUntil('e', /^Edited$/m)
    await desk.pressUntil('y', 'Handed to the terminal')
    expect(desk.raw()).toContain(`\x1b]52;c;${Buffer.from('Edited').toString('base64')}\x07`)
  })
})

describe('platform', () => {
  it.each<[string, Answer, RegExp]>([
    ['failing', { status: 500 }, /Error: .*500/],
    ['lying', { body: { returns: 'none' } }, /Error: /],
    ['torn', { fault: 'reset' }, /Error: /],
  ])('says on the screen what a %s platform does', async (_, answer, message) => {
    const copied = await sharedEnv()
    const server = await scriptServer(() => answer)
    const desk = openDesk({ ...copied, RMA_BASE_URL: server.baseUrl, RMA_RETRIES: '0' })
    await desk.until(/Error|Not brought up to date/)
    await desk.pressUntil(`LU104119${KEYS.enter}`, 'rma desk  LU104119')
    expect(await desk.until(message)).not.toMatch(/\n {2,}at /)
  })

  it('takes keys while the platform is slow', async () => {
    const copied = await sharedEnv()
    const server = await scriptServer(() => ({ fault: 'hang' }))
    const desk = openDesk({ ...copied, RMA_BASE_URL: server.baseUrl })
    await desk.until('Search: █')
    await desk.pressUntil('abc', 'Search: abc█')
    desk.press(KEYS.ctrlC)
    expect((await desk.ended).code).toBe(0)
  })
})

it('shows the built-in sandbox in an empty home, and how to add a platform', async () => {
  const { RMA_BASE_URL: _url, RMA_TOKEN: _token, ...home } = platform.env()
  const desk = openDesk({ PATH: process.env.PATH ?? '', ...home })
  const shown = await desk.until(/copied just now/)
  expect(shown).toMatch(/built-in sandbox[\s\S]*rma profiles add NAME/)
})
