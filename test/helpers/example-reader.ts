import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { typed } from './command-line.ts'
import { type ExampleGroup, runLine } from './examples.ts'
import { freshHome, type RunOptions, root, runCli } from './run-cli.ts'
import { startSandbox } from './start-sandbox.ts'

/** Lines that a test can't run, with the reason. */
const NOT_RUN: readonly (readonly [line: RegExp, why: string])[] = [
  [/^npm /, 'installs rma'],
  [/^rma desk\b/, 'needs a terminal; test/commands/desk.test.ts plays it'],
  [/^rma auth login\b/, 'asks for a token on a terminal'],
  [/^(?:vault |EDITOR='code)/, 'a program of another maker'],
  [/\bSLURM_ARRAY/, 'a scheduler'],
  [/parallel -j4/, 'GNU parallel; test/system runs it'],
  [/^(?:docker|kubectl) /, 'a container engine'],
  [/JOB_COMPLETION_INDEX|RMA_DATA_DIR="\/work|^(?:if|else|exec) .*\brma\b/, 'a pod; test/system runs it'],
  [/\| lp$/, 'a printer'],
  [/(?:-P|--printer) (?:192\.168\.1\.50|zebra|cups:)/, 'a printer'],
  [/^rma printers test \w+$/, 'a printer'],
  [/--database '?postgres:/, 'a PostgreSQL of a team'],
  [/--reprint \d/, 'the number of a run of one’s own'],
  [/ (?:\d{8}-\d{4}-\w{4}|x7k2)\b/, 'the id of a job of one’s own'],
  [/--undo ~/, 'a file of an update of one’s own'],
  [/^rma conformance(?! --(?:list|only))(?!.* --only)/, 'ten seconds each; its own tests run it'],
  [/^curl .*CONTROL_TOKEN/, 'the token of a sandbox that was started'],
  [/^rma sandbox start .*--returns 1000000$/, 'a million returns take a minute'],
]

/** Commands run before an example. */
const BEFORE: readonly (readonly [from: RegExp, ...lines: string[]])[] = [
  [
    /^rma (?:labels (?:print|verify)|mcp)|labels\.md, block [23]$/,
    'rma labels create --from requests.ndjson',
  ],
  [/^rma labels download/, 'rma labels create --from ups.csv --mapping ups'],
  [/labels\.md, block 3$/, 'rma labels print labels'],
  // A loop over names starts a process for each.
  [/recipes\.md, block 3$/, 'head -n 2 names.txt > few.txt && mv few.txt names.txt'],
  [/^rma alias remove/, "rma alias set late 'returns stuck'", "rma alias set mine 'returns list'"],
  [/^rma printers (?:remove|test)/, 'rma printers add office cups:HP', 'rma printers add zebra 192.168.1.50'],
  [/^rma completion/, 'mkdir -p ~/.config/fish/completions'],
  [/configuration\.md, block 1$/, 'rma auth logout --profile live'],
  [/^rma jobs (?!list)|containers\.md, block 6$|recipes\.md, block 6$/, ...['1', '2'].map(shardPush)],
  [/^rma mappings (?:check|list|show)/, 'rma mappings init export.csv --name dpd --time-zone Europe/Berlin'],
  [/^rma tracking push/, 'rma tracking plan --file updates.csv --out updates.plan'],
]

function shardPush(part: string): string {
  return `rma tracking push --file updates.csv --shard ${part}/2 --json > shard-${part}.json`
}

/** Commands that go on until they are stopped. */
const ENDLESS = /^rma (?:returns watch|sandbox start|sandbox requests --follow)\b/
/** Commands that exit with 9 for findings, which the demo data have. */
const FINDS = /\brma (?:returns reconcile|returns stuck --fail-if-any)\b/
const NEEDS_SERVER = /^rma sandbox (?:faults|requests)\b/

type Env = Record<string, string>

/** Registers a test for each group. */
export function describeExamples(groups: readonly ExampleGroup[]): void {
  const start = process.cwd()
  let live: Awaited<ReturnType<typeof startSandbox>>
  let reader: Awaited<ReturnType<typeof readerWho>>
  beforeAll(async () => {
    live = await startSandbox(freshHome(), '--memory', '--returns', '100')
    reader = await readerWho(live)
  }, 120_000)
  afterAll(async () => {
    process.chdir(start)
    await live.stop()
  })

  it.each(groups.map((group) => [group.from, group] as const))(
    '%s',
    async (_from, group) => {
      expect(await reader.tries(group)).toEqual([])
    },
    120_000,
  )
}

/** A new environment for each group: samples, a mirror, the sandbox's points, and profiles of platforms. */
async function readerWho({ baseUrl, token }: { baseUrl: string; token: string }) {
  const env: Env = { ...freshHome(), PATH: `${process.env.PATH}`, EDITOR: 'true' }
  const [home, kept] = [`${env.HOME}`, `${env.HOME}-kept`]
  const work = join(home, 'work')
  mkdirSync(work)
  process.chdir(work)
  symlinkSync(join(root, 'docs'), 'docs')
  const tokenFile = join(home, 'token')
  writeFileSync(tokenFile, token)
  const done = [
    ['samples'],
    typed`mirror sync --with transports,refunds --yes`,
    ['pudos', 'search', 'LU105189'],
    ...['staging', 'development', 'live'].flatMap((name) => [
      typed`profiles add ${name} --environment staging --base-url ${baseUrl}`,
      typed`auth login --profile ${name} --token-file ${tokenFile}`,
    ]),
  ]
  for (const argv of done) {
    const { code, stderr } = await runCli(argv, { env })
    expect(code, `${argv.join(' ')}: ${stderr}`).toBe(0)
  }
  cpSync(home, kept, { recursive: true, verbatimSymlinks: true })

  return {
    /** Runs the lines and returns the failures. */
    async tries({ from, lines }: ExampleGroup): Promise<string[]> {
      process.chdir('/')
      rmSync(home, { recursive: true })
      cpSync(kept, home, { recursive: true, verbatimSymlinks: true })
      if (lines.some((line) => line.startsWith('rma profiles add')))
        rmSync(join(home, 'config'), { recursive: true })
      process.chdir(work)
      const before = BEFORE.flatMap(([about, ...earlier]) => (about.test(from) ? earlier : []))
      const server = lines.some((line) => NEEDS_SERVER.test(line))
        ? await startSandbox(env, '--returns', '1200')
        : undefined
      const failures: string[] = []
      for (const line of [...before, ...lines]) {
        if (NOT_RUN.some(([kind]) => kind.test(line))) continue
        const { code, stderr } = await runLine(line, { env, ...(ENDLESS.test(line) ? stopping() : {}) })
        if (!isFine(code, line)) failures.push(`${from}: ${line}\n${code}: ${stderr}`)
      }
      await server?.stop()
      return failures
    },
  }
}

function isFine(code: number, line: string): boolean {
  return code === 0 || (code === 130 && ENDLESS.test(line)) || (code === 9 && FINDS.test(line))
}

/** Stops an endless command after its first output or wait. */
function stopping(): RunOptions {
  const end = new AbortController()
  const stop = () => end.abort()
  return { interrupt: end.signal, terminate: end.signal, onOutput: stop, onPause: stop }
}
