import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Env, ended, expectEnd, jsonOf, typed } from '../../helpers/command-line.ts'
import { newFile, newFolder } from '../../helpers/files.ts'
import { labelRequest } from '../../helpers/label-service.ts'
import { usePlatform } from '../../helpers/platform.ts'
import { refusal, scriptServer } from '../../helpers/script-server.ts'
import {
  newcomerEnv,
  shell,
  spawnCli,
  spawnEnv,
  spawnEnvAt,
  withoutProgress,
} from '../../helpers/spawn-cli.ts'
import { fileOf, scans, trackingService } from '../../helpers/tracking-service.ts'

/* 0 means that the work was done and its result written. Only whole processes can show it: they end by themselves. */

const platform = usePlatform({ returns: 300 })
const env = (more: Env = {}) => spawnEnv(platform.env(more))

/** Environment in which a module of Node.js was changed before the command began. */
function tampered(script: string) {
  const file = newFile('hook.cjs', script)
  // A fault throws away the compiled code, which others need.
  return newcomerEnv({ NODE_OPTIONS: `--require=${file}` })
}

const readsTokenFile = typed`returns list --base-url http://127.0.0.1:9 --token-file token`

it('a promise that never settles is a bug: exit 1 with a message', async () => {
  const silent = tampered("require('node:fs/promises').readFile = () => new Promise(() => {})")
  const { stdout } = expectEnd(
    await spawnCli(readsTokenFile, { env: silent }),
    1,
    /^Error: This is a fault of rma's own: .*never came\.\nTry: .*look before/,
  )
  expect(stdout).toBe('')
  const asJson = ended(await spawnCli(typed`${readsTokenFile} --json`, { env: silent }), 1)
  expect(JSON.parse(asJson.stderr).error).toMatchObject({ kind: 'bug', exitCode: 1 })
})

it('an uncaught exception is a fault of rma, and no source is printed', async () => {
  const { stderr } = expectEnd(
    await spawnCli(readsTokenFile, {
      env: tampered(`require('node:fs/promises').readFile = () => {
        setTimeout(() => { throw new Error('out of nowhere') })
        return new Promise(() => {})
      }`),
    }),
    1,
    /^Error: This is a fault of rma's own: out of nowhere\nTry: /,
  )
  expect(stderr.split('\n').length).toBeLessThan(5)
})

it.each([
  ['returns', 'list'],
  typed`tracking push R#-1 --status SHIPPING_IN_PROGRESS`,
  typed`api POST /shipping_labels -f a=b`,
])('%s %s with 101 Switching Protocols does not end with 0', async (...argv) => {
  const raw = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: other\r\n\r\n'
  const server = await scriptServer(() => ({ raw }))
  const { code, stdout, stderr } = await spawnCli(typed`${argv} --retries 0`, {
    env: spawnEnvAt(server.baseUrl),
  })
  expect(code).toBeGreaterThan(0)
  expect(stdout).toBe('')
  expect(stderr).toMatch(/^Error: /m)
})

const commands = [
  ['--version'],
  ['--help'],
  typed`returns --help`,
  ['profiles', 'list'],
  ['returns', 'list'],
  typed`returns list --all -o ndjson`,
  typed`returns list --json`,
]

it.each(commands.map((argv) => [argv.join(' ')]))(
  'rma %s fails on a full disk and a closed descriptor',
  async (line) => {
    for (const [place, reason] of [
      ['>/dev/full', /the disk is full \(ENOSPC\)/],
      ['1</dev/null', /it is closed \(EBADF\)/],
    ] as const) {
      const { code, stderr } = await shell(`rma ${line} ${place}`, { env: env() })
      expect([line, code]).toEqual([line, 7])
      expect(withoutProgress(stderr).trimEnd().split('\n')).toHaveLength(1)
      expect(stderr).toMatch(reason)
    }
  },
)

it.each(commands.map((argv) => [argv.join(' ')]))(
  'rma %s ends quietly when its reader has left',
  async (line) => {
    const { stdout, stderr } = await shell(`{ rma ${line} 2>&3; echo "exit $?" >&3; } 3>&2 | true`, {
      env: env(),
    })
    expect([line, stdout, withoutProgress(stderr)]).toEqual([line, '', 'exit 0\n'])
  },
)

it('an unwritable standard error changes no exit code', async () => {
  for (const place of ['2>/dev/full', '2>&-', '2</dev/null']) {
    const failed = await shell(`rma returns get 1-not-there ${place}`, { env: env() })
    expect([place, failed.code]).toEqual([place, 5])
    const fine = await shell(`rma returns list --limit 1 -v -o ndjson ${place}`, { env: env() })
    expect([place, fine.code]).toEqual([place, 0])
    expect(jsonOf(fine)).toHaveProperty('id')
  }
})

describe('a command that writes', () => {
  const ROWS = 120
  const FAILING = 12
  const refuseSome = (_report: unknown, index: number) => (index < FAILING ? refusal('X1') : undefined)

  it.each(['ndjson', 'csv', 'table', 'json'])(
    'a push continues without its reader, with the exit code of its outcome: %s',
    async (format) => {
      const service = await trackingService({ onUpdate: refuseSome })
      const { stderr } = await shell(
        `{ rma tracking push --file ${fileOf(scans(ROWS))} -o ${format} 2>/dev/null; echo "exit $?" >&3; } 3>&2 | head -n 1 >/dev/null`,
        { env: spawnEnv(service.env) },
      )
      expect(stderr).toBe('exit 9\n')
      expect(service.taken).toHaveLength(ROWS - FAILING)
    },
  )

  it('a push to a full disk sends every row, and prints its summary on standard error', async () => {
    const service = await trackingService()
    const { stderr } = ended(
      await shell(`rma tracking push --file ${fileOf(scans(ROWS))} --json >/dev/full`, {
        env: spawnEnv(service.env),
      }),
      7,
    )
    expect(service.taken).toHaveLength(ROWS)
    const summary = JSON.parse(/^\{\n.*?^\}/ms.exec(stderr)?.[0] ?? '')
    expect(summary).toMatchObject({ total: ROWS, succeeded: ROWS, failed: 0 })
    const last = JSON.parse(stderr.trimEnd().split('\n').at(-1) ?? '')
    expect(last.error).toMatchObject({
      kind: 'unavailable',
      message: expect.stringContaining('disk is full'),
    })
  })

  it('a push keeps the exit code of failed rows if its output also meets a full disk', async () => {
    const service = await trackingService({ onUpdate: refuseSome })
    const { stderr } = ended(
      await shell(`rma tracking push --file ${fileOf(scans(ROWS))} -o ndjson >/dev/full`, {
        env: spawnEnv(service.env),
      }),
      9,
    )
    expect(service.taken).toHaveLength(ROWS - FAILING)
    const lines = stderr.split('\n')
    expect(lines.filter((line) => line.startsWith('{"row":'))).toHaveLength(ROWS)
    expect(stderr).toMatch(/^Warning: Standard output could not be written: the disk is full/m)
    expect(stderr).toMatch(new RegExp(`"message":"${FAILING} of ${ROWS} rows failed`))
    expect(stderr).toMatch(new RegExp(`"total":${ROWS},"succeeded":${ROWS - FAILING},`))
    expect(stderr).not.toMatch(/fault of rma's own|\n +at /)
  })

  it('jobs resume behaves like push without a reader and on a full disk', async () => {
    let isOut = true
    const service = await trackingService({
      onUpdate: ({ shipmentId }) => {
        if (isOut) return { status: 401 }
        return shipmentId === 'R#-4' ? refusal('X1') : undefined
      },
    })
    const options = { env: spawnEnv(service.env) }
    const stopped = async (shipments: number) => {
      const before = service.jobs()
      ended(await service.run`tracking push --file ${fileOf(scans(shipments))}`, 4)
      return service.jobs().find((job) => !before.includes(job))
    }
    const whole = await stopped(3)
    const failing = await stopped(4)
    isOut = false
    const full = await shell(`rma jobs resume ${whole} -o ndjson >/dev/full`, options)
    expect([full.code, service.taken.length]).toEqual([7, 3])
    expect(full.stderr.match(/^\{"row":/gm)).toHaveLength(3)
    const { stderr } = await shell(
      `{ rma jobs resume ${failing} -o ndjson 2>/dev/null; echo "exit $?" >&3; } 3>&2 | true`,
      options,
    )
    expect([stderr, service.taken.length]).toEqual(['exit 9\n', 6])
  })

  it('tracking plan writes the plan without a reader', async () => {
    const service = await trackingService({ listed: 3 })
    const [file, out] = [fileOf(scans(3000)), join(newFolder(), 'out.plan')]
    const plan = `rma tracking plan --file ${file} --out ${out} -o ndjson`
    const { stderr } = await shell(`{ ${plan}; echo "exit $?" >&2; } | head -n 1`, {
      env: spawnEnv(service.env),
    })
    expect([stderr, existsSync(out)]).toEqual([expect.stringContaining('exit 0\n'), true])
  })

  it('labels update reports its outcome and its undo without standard output', async () => {
    const home = env()
    const { returns } = jsonOf(await platform.run`returns list --status PENDING --json`)
    const { id, name, shopCode } = returns[0]
    const update = `rma labels update '${name}' --shop ${shopCode} -o ndjson --tracking-code`
    const codeNow = async () => {
      const { activeTransportation } = jsonOf(await platform.run`returns get ${id} --json`)
      return activeTransportation.carrierReference
    }
    const full = await shell(`${update} FULL >/dev/full`, { env: home })
    expect([full.code, await codeNow()]).toEqual([7, 'FULL'])
    expect(full.stderr).toMatch(/^\{"statusCode":"OK".*"undo":"rma labels update --undo [^"]+"\}$/m)
    const left = await shell(
      `{ ${update} LEFT 2>/dev/null; echo "exit $?" >&3; ${update} REFUSED --id-type CLIENT_REFERENCE --replace -y 2>/dev/null; echo "exit $?" >&3; } 3>&2 | true`,
      { env: home },
    )
    expect([left.stderr, await codeNow()]).toEqual(['exit 0\nexit 6\n', 'LEFT'])
  })

  const shop = () => platform.sandbox.shops()[0]?.code ?? ''

  /** A file of label requests. The platform refuses the one called `REFUSED`. */
  function labelsIn(home: string, ids: readonly string[]) {
    const requests = ids.map((id) =>
      labelRequest(id, {
        carrierServiceCode: id === 'REFUSED' ? 'NOT_THERE' : 'SBX_STANDARD',
        labelFormat: 'ZPL',
      }),
    )
    const file = join(home, 'labels.ndjson')
    writeFileSync(file, requests.map((request) => `${JSON.stringify(request)}\n`).join(''))
    return file
  }

  it('a label that standard output refuses is bought once, with the command to get it', async () => {
    const home = env()
    const file = labelsIn(home.HOME, ['LOST'])
    const create = `rma labels create --shop ${shop()} --from ${file} --out -`
    const told = 'echo "exit $?" >&2; }'
    for (const [end, exit, what] of [
      [`>/dev/full; ${told}`, 'exit 9\n', /disk is full .* The label itself was made\.$/m],
      [`; ${told} | true`, 'exit 7\n', /reader has gone away\. The label itself exists\.$/m],
    ] as const) {
      const { stderr } = await shell(`{ ${create} ${end}`, { env: home })
      expect(stderr).toMatch(what)
      expect(stderr).toContain(exit)
      expect(stderr).toMatch(/^Try: get it without making another: rma labels download LOST --out FOLDER/m)
    }
    expect(jsonOf(await shell(`rma labels get LOST --shop ${shop()} --json`, { env: home }))).toHaveLength(1)
  })

  it('labels are saved even if nobody reads their list', async () => {
    const home = env()
    // The last is refused, after its reader has left.
    const file = labelsIn(home.HOME, ['A', 'B', 'C', 'REFUSED'])
    const { stderr } = await shell(
      `{ rma labels create --shop ${shop()} --from ${file} --out ${home.HOME}/out -o ndjson 2>/dev/null; echo "exit $?" >&3; } 3>&2 | true`,
      { env: home },
    )
    expect(stderr).toMatch(/^exit (6|9)\n$/)
    const { stdout } = await shell(`ls ${home.HOME}/out`, { env: home })
    expect(stdout.match(/\.zpl$/gm)).toHaveLength(3)
  })
})
