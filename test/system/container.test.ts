import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { validate } from 'dockerfile-utils'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { expectEnd, typed } from '../helpers/command-line.ts'
import { Image } from '../helpers/container.ts'
import { root } from '../helpers/run-cli.ts'

it('the linter finds nothing in the Dockerfile', () => {
  expect(validate(readFileSync(join(root, 'Dockerfile'), 'utf8'))).toEqual([])
})

describe('the image', () => {
  let image: Image
  beforeAll(async () => {
    const made = {
      'npm ci --ignore-scripts --no-audit --no-fund': [join(root, 'node_modules'), '/src/node_modules'],
    } as const
    image = await Image.build({ context: root, made })
  })
  afterAll(() => image.discard())

  it('the image serves a reachable sandbox, unprivileged and on a read-only root', async () => {
    const sandbox = await image.start()
    await expect
      .poll(() => sandbox.output)
      .toMatch(/^Base URL {2}http:\/\/0\.0\.0\.0:4010\/integration\/v1$/m)
    expect(await sandbox.isHealthy()).toBe(true)
    const status = readFileSync(`/proc/${sandbox.pid}/status`, 'utf8')
    expect(status).toMatch(/^Uid:\t1000\t1000\t1000\t1000\nGid:\t1000\t/m)
    expect(status).toMatch(/^NSpid:\t\d+\t1$/m)
    expect(status).toMatch(/^CapBnd:\t0+$/m)
    const listed = await sandbox.exec('rma', 'returns', 'list', '--limit', '1', '-o', 'ndjson')
    expect([listed.code, listed.stdout]).toEqual([0, expect.stringMatching(/^\{.*\}\n$/)])
    expectEnd(
      await sandbox.exec('touch', '/opt/rma/x', '/work/x', '/etc/x'),
      1,
      /(?:.*Read-only file system\n){3}/,
    )
    // It is there, and no longer answers.
    sandbox.kill('SIGSTOP')
    expect(await sandbox.isHealthy('2')).toBe(false)
    sandbox.kill('SIGCONT')
    await expect.poll(() => sandbox.isHealthy()).toBe(true)
    sandbox.kill('SIGTERM')
    expect(await sandbox.ended).toBe(0)
  })

  it('the image ends a command at once on SIGTERM, and is unhealthy without a sandbox', async () => {
    const fault = typed`sandbox faults --add 'GET /returns' --kind never`
    expect(await (await image.start(fault)).ended).toBe(0)
    const list = await image.start(['returns', 'list'])
    await expect.poll(() => list.output).toMatch('faults in force: 1')
    expect(await list.isHealthy()).toBe(false)
    list.kill('SIGTERM')
    expect(await list.ended).toBe(143)
  })

  it.each(['dist', 'oclif.manifest.json'])(
    'the image has the same %s as the local build, byte for byte',
    async (made) => {
      expect(await image.differences(join('/opt/rma', made), join(root, made))).toBe('')
    },
  )

  it('the image prints what any command prints', async () => {
    const version = await image.start(['--version'])
    expect([await version.ended, version.output]).toEqual([0, expect.stringMatching(/^rma-cli\/\S+ linux-/)])
  })
})
