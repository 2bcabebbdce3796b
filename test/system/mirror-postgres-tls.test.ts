import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { type Env, expectEnd, jsonOf, typed } from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { PASSWORD, startPostgres } from '../helpers/postgres-server.ts'
import { freshHome } from '../helpers/run-cli.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'

/* 0.0.0.0 leads to this machine, but is not a loopback address: what goes there has to be encrypted. */

const folder = newFolder()

/** Signed by itself. */
function certificateOf(subjectAltName: string) {
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
  const argv = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', cert, '-days', '2']
  const names = typed`-subj /CN=rma -addext subjectAltName=${subjectAltName}`
  execFileSync('openssl', [...argv, ...names], { stdio: 'ignore' })
  return { caFile: cert, key: textFile(key), cert: textFile(cert) }
}

async function teamDatabase(subjectAltName: string) {
  const { caFile, ...tls } = certificateOf(subjectAltName)
  const server = await startPostgres(tls)
  onTestFinished(() => server.stop())
  const platform = await startSandbox(freshHome(), '--returns', '20')
  onTestFinished(async () => void (await platform.stop()))
  const { port } = new URL(server.url)
  const sync = (more: Env, ...argv: string[]) =>
    spawnCli(typed`mirror sync --yes --json --database postgres://rma@0.0.0.0:${port}/postgres ${argv}`, {
      env: spawnEnv({ RMA_BASE_URL: platform.baseUrl, RMA_TOKEN: platform.token, ...more }),
    })
  return { port, caFile, sync }
}

it('a remote database needs TLS with a valid certificate, and may use ~/.pgpass', async () => {
  const { port, caFile, sync } = await teamDatabase('IP:0.0.0.0')
  const home = newFolder()
  writeFileSync(join(home, '.pgpass'), `0.0.0.0:${port}:*:rma:${PASSWORD}\n`, { mode: 0o600 })
  const synced = await sync({ HOME: home }, '--ca-file', caFile)
  expect([synced.code, synced.stderr]).toEqual([0, expect.not.stringMatching(/warning/i)])
  expect(jsonOf(synced)).toMatchObject({ held: 20, isComplete: true })
  const unknown = await sync({ HOME: home })
  expectEnd(unknown, 7, /certificate/i)
  const nobody = await sync({}, '--ca-file', caFile)
  expectEnd(nobody, 3, /asks for a password.*PGPASSWORD/)
})

it('nothing is sent to a database with the certificate of another', async () => {
  const { caFile, sync } = await teamDatabase('IP:127.0.0.1')
  expectEnd(await sync({ PGPASSWORD: PASSWORD }, '--ca-file', caFile), 7, /certificate/i)
})
