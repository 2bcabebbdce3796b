import type { ChildProcess } from 'node:child_process'
import { existsSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { type Env, ended, expectEnd, succeeded, typed } from '../helpers/command-line.ts'
import { jsonFile, textFile } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { root } from '../helpers/run-cli.ts'
import { pageOf, scriptServer } from '../helpers/script-server.ts'
import {
  NODE_VERSION,
  newcomerEnv,
  shell,
  spawnCli,
  spawnEnv,
  spawnEnvAt,
  withoutProgress,
} from '../helpers/spawn-cli.ts'

/** Number of returns whose NDJSON is ten times what a pipe holds. */
const LINES = 500
const platform = usePlatform({ returns: LINES })
const env = (more: Env = {}) => spawnEnv(platform.env(more))

/** A machine that has nothing, and its first command, which makes the sandbox's data. */
const newcomer = newcomerEnv({ TZ: 'UTC' })
let first: ReturnType<typeof spawnCli> | undefined
const firstList = () => {
  first ??= spawnCli(typed`returns list`, { env: newcomer })
  return first
}

it('--version names the package, the machine and Node.js', async () => {
  const { version } = jsonFile(join(root, 'package.json'))
  for (const flag of typed`--version -V`) {
    const { stdout } = expectEnd(await spawnCli([flag]), 0, '')
    expect(stdout).toBe(`rma-cli/${version} ${process.platform}-${process.arch} node-${NODE_VERSION}\n`)
  }
})

it('help on standard output: all, a topic, a command, three ways to ask', async () => {
  const all = succeeded(await spawnCli([]))
  expect(all.stdout).toMatch(/returns +Find and read return requests/)
  expect((await spawnCli(['returns'])).stdout).toMatch(/returns list +List returns, newest first/)
  const command = await spawnCli(typed`returns list --help`)
  expect(command.stdout).toMatch('--created-from=DATE')
  expect((await spawnCli(typed`help returns list`)).stdout).toBe(command.stdout)
  expect((await spawnCli(typed`returns list -h`)).stdout).toBe(command.stdout)
})

it('the help that the build keeps is that which is made where it may have to look otherwise', async () => {
  const made = await spawnCli(['--help'], { env: env({ OCLIF_COLUMNS: '80' }) })
  expect(made.stdout).toContain(`node-${NODE_VERSION}`)
  expect(existsSync(join(root, 'dist/help.txt'))).toBe(true)
  for (const argv of [[], ['--help'], ['-h'], ['help']])
    expect((await spawnCli(argv)).stdout).toBe(made.stdout)
  const { NO_COLOR: _, ...colourful } = env({ FORCE_COLOR: '1' })
  const styled = await spawnCli(['--help'], { env: colourful })
  expect(textFile(join(root, 'dist/help.txt'))).toBe(
    styled.stdout.replace(/rma-cli\/.* node-v.*/, '{version}'),
  )
})

it.each(['1', ''])('that help takes nothing of oclif, whatever NO_COLOR says: %j', async (NO_COLOR) => {
  const given = env({ NO_COLOR })
  const hook = join(given.HOME, 'hook.cjs')
  writeFileSync(
    hook,
    `process.on('exit', () => require('node:fs').writeSync(2, Object.keys(require.cache).join('\\n')))`,
  )
  const { stdout, stderr } = expectEnd(
    await spawnCli(['--help'], {
      env: { ...given, NODE_OPTIONS: `--require=${hook}` },
    }),
    0,
    ['main.js'],
  )
  expect(stdout).toMatch(/returns +Find and read return requests/)
  expect(stderr).not.toMatch(/commands\.js|chunks/)
})

it('an unknown command is exit 2 with a suggestion', async () => {
  const { stdout } = expectEnd(await spawnCli(typed`returns lst`), 2, [
    '"returns lst" is not a command of rma.\nTry: rma returns list',
  ])
  expect(stdout).toBe('')
  ended(await spawnCli(typed`help retruns`), 2)
})

it.each([typed`constructor`, typed`help constructor`, typed`returns __proto__`])(
  '%j, a name on Object.prototype, is an unknown command',
  async (...words) => {
    expectEnd(await spawnCli(words), 2, ['is not a command of rma.\n'])
  },
)

it('the first command on a new machine prints a table from the built-in sandbox', async () => {
  const { stdout, stderr } = succeeded(await firstList())
  expect(stdout.trimEnd().split('\n')).toHaveLength(101)
  expect(withoutProgress(stderr)).toBe(
    `Using the built-in sandbox (profile mock), data in ${newcomer.RMA_DATA_DIR}\n` +
      '100 of 1200; --all for the rest\n',
  )
  expect(statSync(join(newcomer.RMA_DATA_DIR, 'sandbox.db')).size).toBeGreaterThan(0)
  expect(existsSync(newcomer.RMA_CONFIG_DIR)).toBe(false)
  const again = succeeded(await spawnCli(typed`returns list --limit 1`, { env: newcomer }))
  expect(withoutProgress(again.stderr)).toBe('1 of 1200; --all for the rest\n')
})

it.each([
  ['the platform', () => env({ TZ: 'UTC' }), []],
  // It signs its tokens; Node.js loads child_process to listen.
  ['the built-in sandbox', () => newcomer, ['crypto', 'child_process']],
])(
  'a list of %s loads no zod, fetch, Intl, TLS or reports, which cost most of the time',
  async (_from, envOf, own) => {
    const given = envOf()
    const [hook, found] = [join(given.HOME, 'hook.cjs'), join(given.HOME, 'found.json')]
    writeFileSync(
      hook,
      `const fs = require('node:fs')
      const found = []
      for (const name of Object.getOwnPropertyNames(Intl).filter((name) => /^[A-Z]/.test(name)))
        Intl[name] = new Proxy(Intl[name], {
          apply: (...args) => (found.push(name), Reflect.apply(...args)),
          construct: (...args) => (found.push(name), Reflect.construct(...args)),
        })
      const { getReport } = process.report
      process.report.getReport = () => (found.push('report'), getReport())
      process.on('exit', () => {
        for (const name of process.moduleLoadList)
          if (/^NativeModule (tls|https|crypto|child_process|readline|internal\\/deps\\/undici\\/undici)$/.test(name))
            found.push(name.slice('NativeModule '.length))
        for (const file of Object.keys(require.cache))
          if (file !== __filename && fs.readFileSync(file, 'utf8').includes('ZodObject')) found.push(file)
        fs.writeFileSync(${JSON.stringify(found)}, JSON.stringify(found))
      })`,
    )
    if (given === newcomer) await firstList()
    const { stdout } = succeeded(
      await spawnCli(typed`returns list`, {
        env: { ...given, NODE_OPTIONS: `--require=${hook}` },
      }),
    )
    expect(stdout.split('\n').length).toBe(102)
    expect(jsonFile(found).sort()).toEqual(own.sort())
  },
)

it('pipes get only text: no colour, no spinner', async () => {
  const { stdout, stderr } = await spawnCli(typed`returns list --limit 400`, {
    env: env({ NO_COLOR: '' }),
  })
  expect(stdout + stderr).not.toContain('\u001b')
  expect(withoutProgress(stderr)).toBe(`400 of ${LINES}; --all for the rest\n`)
})

it('a reader that leaves ends the command quietly, with 0', async () => {
  for (const format of ['ndjson', 'json', 'csv', 'table', 'yaml']) {
    const { stdout, stderr } = await shell(
      `{ rma returns list --all -o ${format} 2>&3; echo "exit $?" >&3; } 3>&2 | head -n 1 >/dev/null`,
      { env: env() },
    )
    expect([format, stdout, withoutProgress(stderr)]).toEqual([format, '', 'exit 0\n'])
  }
})

it('a reader that sleeps gets every line', async () => {
  const { stdout } = await shell(
    'rma returns list --all -o ndjson | { sleep 1; read -r first; sleep 1; wc -l; }',
    { env: env() },
  )
  expect(Number(stdout)).toBe(LINES - 1)
})

it('a command in a loop does not read the loop’s standard input', async () => {
  const id = (await platform.returns('limit=1'))[0]?.id
  const script = `while read -r line; do rma returns get ${id} -o json >/dev/null || echo failed; rma returns transportations ${id} >/dev/null; echo "$line"; done`
  const { stdout } = await shell(script, { env: env(), stdin: 'one\ntwo\n' })
  expect(stdout).toBe('one\ntwo\n')
})

it('Ctrl-C ends a command at once with 130 while the server is silent', async () => {
  const server = await scriptServer(() => ({ fault: 'hang' }))
  // Longer than the test: whoever waited for the answer would still be there at its end.
  const { stdout } = expectEnd(
    await spawnCli(typed`returns list -v --timeout 600`, {
      env: spawnEnvAt(server.baseUrl),
      onOutput: (_stdout, text, child) => {
        if (text.includes('> GET')) child.kill('SIGINT')
      },
    }),
    130,
    ['Error: Interrupted'],
  )
  expect(stdout).toBe('')
})

it('Ctrl-C during conformance prints the finished checks, then the interruption', async () => {
  let child: ChildProcess | undefined
  const server = await scriptServer((_request, index) => {
    if (index < 3) return { body: pageOf([]) }
    child?.kill('SIGINT')
    return { fault: 'hang' }
  })
  const { stdout } = ended(
    await shell('exec "$NODE_BIN" "$RMA_BIN" conformance 2>&1', {
      env: spawnEnvAt(server.baseUrl),
      onStart: (started) => {
        child = started
      },
    }),
    130,
  )
  expect(stdout).toMatch(/^CHECK .*\nauth\.token .*\n(?:.*\n)*Error: Interrupted\.\n$/m)
})

it('SIGTERM ends a sandbox with 0, Ctrl-C with 130', async () => {
  for (const [signal, exitCode] of [
    ['SIGTERM', 0],
    ['SIGINT', 130],
  ] as const) {
    const { code } = await spawnCli(typed`sandbox start --memory --port 0 --returns 10 -o json`, {
      onOutput: (stdout, _stderr, child) => {
        if (stdout.trimEnd().endsWith('}')) child.kill(signal)
      },
    })
    expect(code).toBe(exitCode)
  }
})
