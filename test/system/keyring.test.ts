import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type Env, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'

const platform = usePlatform({ returns: 5 })
const SERVICE = 'org.freedesktop.secrets'
const START_MS = 60_000
const LOGIN = '/org/freedesktop/secrets/collection/login'

function started(child: ChildProcess) {
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

/** A session as a desktop has it: a bus, and GNOME's keyring, which is unlocked. */
async function openSession() {
  const home = newFolder()
  const runtime = join(home, 'run')
  mkdirSync(runtime, { mode: 0o700 })
  const own = { HOME: home, XDG_RUNTIME_DIR: runtime }
  const bus = started(
    spawn('dbus-daemon', typed`--session --nofork --print-address`, {
      env: { PATH: process.env.PATH, ...own },
      stdio: ['ignore', 'pipe', 'ignore'],
    }),
  )
  const [address] = await once(bus.stdout ?? bus, 'data')
  const env = { ...spawnEnv(own), DBUS_SESSION_BUS_ADDRESS: String(address).trim() }
  let daemon = await unlockedKeyring(env)
  const call = (method: string) =>
    execFileSync('dbus-send', typed`--print-reply --dest=${SERVICE} ${method.split(' ')}`, { env })
  return {
    env,
    lock: () => call(`/org/freedesktop/secrets org.freedesktop.Secret.Service.Lock array:objpath:${LOGIN}`),
    unlock: async () => {
      daemon.kill('SIGKILL')
      await once(daemon, 'exit')
      daemon = await unlockedKeyring(env)
    },
    lookup: () =>
      spawnSync(
        'secret-tool',
        ['lookup', 'service', 'rma-cli', 'username', `live@${new URL(platform.baseUrl).origin}`],
        {
          env,
          encoding: 'utf8',
        },
      ).stdout,
  }
}

async function unlockedKeyring(env: Env) {
  const daemon = started(
    spawn('gnome-keyring-daemon', typed`--foreground --unlock --components=secrets`, {
      env,
      stdio: ['pipe', 'ignore', 'ignore'],
    }),
  )
  daemon.stdin?.end('password')
  // To ask for it by its name would start another one.
  const ask = typed`--print-reply --dest=org.freedesktop.DBus / org.freedesktop.DBus.NameHasOwner`
  for (const until = Date.now() + START_MS; ; await delay(50)) {
    const answer = spawnSync('dbus-send', [...ask, `string:${SERVICE}`], { env, encoding: 'utf8' })
    if (answer.stdout.includes('true')) return daemon
    if (Date.now() > until) expect.fail(`the keyring does not start: ${answer.stderr}`)
  }
}

it('a token in the keyring is used, shown nowhere, moved, and forgotten', async () => {
  const session = await openSession()
  const { env } = session
  const token = platform.token
  const run = async (line: string, stdin?: string) => {
    const result = await spawnCli(line.split(' '), { env, ...(stdin === undefined ? {} : { stdin }) })
    expect(result.stdout + result.stderr, line).not.toContain(token)
    return result
  }
  const settings = () => textFile(join(`${env.RMA_CONFIG_DIR}`, 'config.json'))
  await run(`profiles add live --base-url ${platform.baseUrl} --use`)
  const login = await run('auth login --keyring --token-file -', token)
  expect(login).toMatchObject({ code: 0, stdout: expect.stringContaining('The token is in the keyring.') })
  expect(session.lookup()).toBe(token)
  expect(settings()).not.toContain(token)

  const har = join(`${env.HOME}`, 'trace.har')
  const listed = await run(`returns list --limit 1 -v -o ndjson --trace ${har}`)
  expect(listed).toMatchObject({ code: 0, stdout: expect.stringContaining('"name"') })
  expect(textFile(har)).not.toContain(token)
  expect(jsonOf(await run('auth status --json'))).toMatchObject({
    tokenFrom: 'keyring, for the profile live',
    tokenIn: "the operating system's keyring",
  })
  expect(jsonOf(await run('profiles show live --json'))).toMatchObject({ tokenIn: 'keyring' })
  const doctor = jsonOf(await run('doctor --json')) as {
    checks: { id: string; observed: string }[]
  }
  expect(doctor.checks.find(({ id }) => id === 'settings.values')?.observed).toContain('token in the keyring')

  // A login stays where the one before was, until another place is named.
  succeeded(await run('auth login --token-file - --no-verify', `${token}x`))
  expect(session.lookup()).toBe(`${token}x`)
  succeeded(await run('auth login --token-file - --no-keyring', token))
  expect([session.lookup(), settings().includes(token)]).toEqual(['', true])
  succeeded(await run('auth login --token-file - --keyring', token))
  expect([session.lookup(), settings().includes(token)]).toEqual([token, false])

  session.lock()
  for (const line of ['returns list', 'auth logout', 'profiles remove live', 'auth login --token-file -']) {
    const { code, stderr } = await run(line, token)
    expect([line, code]).toEqual([line, 4])
    expect(stderr).toMatch(/keyring does not give access: .*unlock prompt[\s\S]*Try: unlock it/)
  }
  await session.unlock()
  succeeded(await run('returns list --limit 1'))
  expect((await run('auth logout')).stdout).toContain('Signed out of live: its token is forgotten.')
  expect(session.lookup()).toBe('')
  expect((await run('returns list')).stderr).toContain('The profile live has no token.')
  await run('auth login --token-file - --keyring', token)
  succeeded(await run('profiles remove live'))
  expect(session.lookup()).toBe('')
})

it('a machine without a session has no keyring, and settings stay unchanged', async () => {
  const { DBUS_SESSION_BUS_ADDRESS: _, ...env } = (await openSession()).env
  const run = (line: string, stdin = '') => spawnCli(line.split(' '), { env, stdin })
  await run(`profiles add live --base-url ${platform.baseUrl} --use`)
  const token = platform.token
  succeeded(await run('auth login --token-file -', token))
  expectEnd(
    await run('auth login --keyring --token-file -', token),
    3,
    /There is no keyring to be used: .*DBus[\s\S]*RMA_TOKEN[\s\S]*--no-keyring/,
  )
  succeeded(await run('returns list --limit 1'))
})

it('a command tells what it waits for after a few seconds', async () => {
  const env = spawnEnv()
  const done = join(`${env.HOME}`, 'done')
  const command = `sh -c 'until test -e ${done}; do sleep 0.1; done; echo ${platform.token}'`
  const add = typed`profiles add live --base-url ${platform.baseUrl} --use`
  await spawnCli(typed`${add} --credential-process ${command}`, { env })
  expectEnd(
    await spawnCli(typed`returns list --limit 1`, {
      env,
      onOutput: (_out, err) => {
        if (err.includes('Waiting for')) writeFileSync(done, '')
      },
    }),
    0,
    ['Waiting for the credential process of the profile live, 120 s at most'],
  )
})
