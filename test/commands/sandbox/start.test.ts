import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { asTyped, expectEnd, jsonOf, succeeded, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import { labelRequest } from '../../helpers/label-service.ts'
import { caFile, leafTls } from '../../helpers/leaf-tls.ts'
import { freshHome, homeAt, runCli, runIn } from '../../helpers/run-cli.ts'
import { startSandbox } from '../../helpers/start-sandbox.ts'
import '../../../src/commands/labels/create.ts'
import '../../../src/commands/labels/get.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/sandbox/advance.ts'
import '../../../src/commands/sandbox/requests.ts'
import '../../../src/commands/sandbox/start.ts'

const folder = newFolder()

function file(name: string, content: string) {
  writeFileSync(join(folder, name), content)
  return join(folder, name)
}

it('--tls-self-signed serves clients that have its certificate, and others send nothing', async () => {
  const env = freshHome()
  const sandbox = await startSandbox(env, '--tls-self-signed')
  const certificate = new X509Certificate(readFileSync(sandbox.caFile))
  expect(
    ['localhost', '127.0.0.1', '::1'].map((host) => certificate.checkHost(host) ?? certificate.checkIP(host)),
  ).toEqual(['localhost', '127.0.0.1', '::1'])
  expect(certificate.verify(certificate.publicKey)).toBe(true)
  const client = { env: homeAt(sandbox.baseUrl, { RMA_TOKEN: sandbox.token }) }
  const list = typed`returns list --retries 0 --jq .pageInfo.totalRecords`
  const trusting = await runCli(typed`${list} --ca-file ${sandbox.caFile}`, client)
  expect([trusting.code, trusting.stdout, trusting.stderr]).toEqual([0, '10\n', ''])
  const other = await runCli(list, client)
  expectEnd(other, 7, /certificate/i)
  // Commands that steer it run on this machine and know its certificate.
  const moved = await runIn(env)`sandbox advance 1d --json`
  expect(jsonOf(succeeded(moved))).toMatchObject({ returns: expect.any(Number) })
  succeeded(await sandbox.stop())
  expect(existsSync(sandbox.caFile)).toBe(false)
})

it('--tls-cert and --tls-key serve with the given certificate', async () => {
  const files = typed`--tls-cert ${file('cert.pem', leafTls.cert)}
      --tls-key ${file('key.pem', leafTls.key)}`
  const env = freshHome()
  const sandbox = await startSandbox(env, ...files)
  const { stdout } = succeeded(
    await runCli(typed`returns list --ca-file ${caFile} -o ndjson`, {
      env: homeAt(sandbox.baseUrl, { RMA_TOKEN: sandbox.token }),
    }),
  )
  expect(stdout.trimEnd().split('\n')).toEqual(expect.objectContaining({ length: 10 }))
  succeeded(await runIn(env)`sandbox requests --json`)
  await sandbox.stop()
})

it('a sandbox with TLS gives labels https addresses, from which they are saved', async () => {
  const sandbox = await startSandbox(freshHome(), '--tls-self-signed')
  const client = homeAt(sandbox.baseUrl, { RMA_TOKEN: sandbox.token, RMA_SHOP: 'LUMBRE-ES' })
  const run = asTyped((argv, stdin: string | undefined = '') =>
    runCli(typed`${argv} --ca-file ${sandbox.caFile} --json`, { env: client, stdin }),
  )
  const request = labelRequest('SHP-1', { carrierServiceCode: 'SBX_URL_ONLY' })
  const made = await run(typed`labels create --from - --out ${join(folder, 'tls')}`, JSON.stringify(request))
  expect(jsonOf(succeeded(made)).files).toMatchObject([{ source: 'url', outcome: 'created' }])
  const [set] = jsonOf(succeeded(await run`labels get SHP-1`))
  expect(set.shippingLabels[0].url).toMatch(`${new URL(sandbox.baseUrl).origin}/`)
  await sandbox.stop()
})

it.each([
  [
    typed`--tls-cert ${file('no.pem', 'no')} --tls-key ${file('key2.pem', leafTls.key)}`,
    'are not a certificate with its key',
  ],
  [
    typed`--tls-cert /nowhere.pem --tls-key ${file('key3.pem', leafTls.key)}`,
    /--tls-cert .* can't be read \(ENOENT\)/,
  ],
  [typed`--tls-cert ${file('cert4.pem', leafTls.cert)}`, '--tls-key'],
  [typed`--tls-self-signed --tls-cert a --tls-key b`, 'do not go together'],
])('sandbox start refuses TLS with %j', async (argv, message) => {
  expectEnd(
    await runCli(typed`sandbox start --port 0 --memory ${argv}`, {
      env: freshHome(),
    }),
    2,
    [message],
  )
})
