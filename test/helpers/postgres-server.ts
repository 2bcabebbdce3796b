import { execFile, execFileSync, spawn } from 'node:child_process'
import { chownSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { typed } from './command-line.ts'
import { newFolder } from './files.ts'

const BIN = '/usr/lib/postgresql/15/bin'
export const PASSWORD = 'for this test'

export interface PostgresTestServer {
  /** `postgres://rma@127.0.0.1:PORT/` */
  url: string
  /** Rows as text, columns separated by `|`. */
  query(database: string, sql: string): Promise<string[]>
  stop(): Promise<void>
}

/** Starts PostgreSQL in a temporary folder on a free port, optionally with TLS. PostgreSQL refuses to run as root. */
export async function startPostgres(tls?: { key: string; cert: string }): Promise<PostgresTestServer> {
  const folder = newFolder()
  const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? userIds('postgres') : {}
  if (user.uid !== undefined && user.gid !== undefined) chownSync(folder, user.uid, user.gid)
  const data = join(folder, 'data')
  const run = { ...user, cwd: folder, env: { PATH: process.env.PATH ?? '', PGPASSWORD: PASSWORD } }
  const password = ['-c', `printf '%s' "$PGPASSWORD" > pw`]
  execFileSync('sh', password, run)
  const access = typed`--auth=scram-sha-256 --username=rma --pwfile=pw --encoding=UTF8 --no-sync`
  // Texts sort by the rules of a language, as on most servers: `~` comes before digits.
  const language = typed`--locale-provider=icu --icu-locale=en`
  execFileSync(join(BIN, 'initdb'), typed`--pgdata ${data} ${access} ${language}`, {
    ...run,
    stdio: 'ignore',
  })
  if (tls !== undefined) takeTlsOnly(data, tls, user)
  const settings = ['fsync=off', `ssl=${tls ? 'on' : 'off'}`].flatMap((setting) => typed`-c ${setting}`)
  const begin = async () => {
    const port = await freePort()
    const argv = typed`-D ${data} -h 127.0.0.1 -p ${port} -k ${folder} ${settings}`
    const server = spawn(join(BIN, 'postgres'), argv, { ...run, stdio: ['ignore', 'ignore', 'pipe'] })
    let log = ''
    const isReady = await new Promise<boolean>((resolve) => {
      server.stderr.setEncoding('utf8').on('data', (text: string) => {
        log += text
        if (log.includes('ready to accept connections')) resolve(true)
      })
      server.on('exit', () => resolve(false))
    })
    return { port, server, log, isReady }
  }
  let begun = await begin()
  // Another process may have taken the port meanwhile.
  while (!begun.isReady && begun.log.includes('Address already in use')) begun = await begin()
  const { port, server, log, isReady } = begun
  if (!isReady) throw new Error(`PostgreSQL ended: ${log}`)
  const ended = new Promise<void>((resolve) => server.on('exit', () => resolve()))
  return {
    url: `postgres://rma@127.0.0.1:${port}/`,
    query: async (database, sql) => {
      const argv = typed`-h 127.0.0.1 -p ${port} -U rma -At -c ${sql} ${database}`
      const { stdout } = await promisify(execFile)(join(BIN, 'psql'), argv, run)
      return stdout.split('\n').filter((line) => line !== '')
    },
    stop: async () => {
      // Fast shutdown: disconnects clients.
      server.kill('SIGINT')
      await ended
    },
  }
}

function takeTlsOnly(data: string, tls: { key: string; cert: string }, user: { uid?: number; gid?: number }) {
  writeFileSync(join(data, 'pg_hba.conf'), 'hostssl all all 127.0.0.1/32 scram-sha-256\n')
  for (const [name, text] of [
    ['server.key', tls.key],
    ['server.crt', tls.cert],
  ] as const) {
    const path = join(data, name)
    writeFileSync(path, text, { mode: 0o600 })
    if (user.uid !== undefined && user.gid !== undefined) chownSync(path, user.uid, user.gid)
  }
}

function userIds(name: string): { uid: number; gid: number } {
  const id = (flag: string) => Number(execFileSync('id', [flag, name], { encoding: 'utf8' }))
  return { uid: id('-u'), gid: id('-g') }
}

function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, '127.0.0.1', () => {
      const address = probe.address()
      probe.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
