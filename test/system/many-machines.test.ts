import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { parseAllDocuments } from 'yaml'
import { type Env, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { CENTURY_S, usePlatform } from '../helpers/platform.ts'
import { root } from '../helpers/run-cli.ts'
import { BIN, shell, spawnEnv } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

/* docs/containers.md as it is written: GNU parallel's example, and the pods of the Kubernetes manifest. */

const platform = usePlatform({ returns: 1200 })

const SHOP = 'LUMBRE-ES'
const shopEnv = () =>
  platform.env({ RMA_TOKEN: platform.sandbox.issueToken({ shops: [SHOP], lifetimeSeconds: CENTURY_S }) })

const OPEN = /^(?:REQUESTED|PICK_UP_IN_PROGRESS|PICK_UP_COMPLETED|SHIPPING_IN_PROGRESS)$/

const bin = newFolder()
symlinkSync(BIN, join(bin, 'rma'))
const PATH = `${bin}:${process.env.PATH}`

/**
 * A folder with `updates.csv`: a scan for each parcel that is on its way, or will be. Each test reports a status of its
 * own: the clock stands still, so that a look would take a report of another test for the row's.
 */
async function workFolder(status: string) {
  const { returns } = (await platform.get('/returns?limit=500')) as {
    returns: { name: string; activeTransportation?: { status: string } }[]
  }
  const names = returns
    .filter(
      ({ name, activeTransportation }) =>
        /^R#-LU/.test(name) && OPEN.test(activeTransportation?.status ?? ''),
    )
    .map(({ name }) => name)
  const folder = newFolder()
  writeFileSync(
    join(folder, 'updates.csv'),
    ['shipmentId,trackingStatus,carrierName', ...names.map((name) => `${name},${status},DHL`)].join('\n'),
  )
  const reports = () => platform.sandbox.requests({ route: 'POST /shipping_trackings' }).length
  return { folder, rows: names.length, sentBefore: reports(), reports }
}

const merged = async (folder: string, env: Env) => {
  return jsonOf(
    succeeded(
      await shell(`cd '${folder}' && rma jobs merge shard-*.json --json`, {
        env,
      }),
    ),
  )
}

it('the GNU parallel example of the docs runs as it is, and each row is sent once', async () => {
  const page = textFile(join(root, 'docs/containers.md'))
  const [, block = ''] = /^### GNU parallel\n.*?^```sh\n(.*?)^```/ms.exec(page) ?? []
  const { folder, rows, sentBefore, reports } = await workFolder('SHIPPING_IN_PROGRESS')
  expect(rows).toBeGreaterThan(4)
  const env = spawnEnv({ ...shopEnv(), PATH })
  succeeded(await shell(`cd '${folder}'\nset -e\n${block}`, { env }))
  const log = textFile(join(folder, 'shards.log')).trim().split('\n').slice(1)
  expect(log.map((line) => line.split('\t')[6])).toEqual(Array(4).fill('0'))
  expect(await merged(folder, env)).toMatchObject({ total: rows, succeeded: rows })
  expect(reports() - sentBefore).toBe(rows)
})

interface Container {
  command: string[]
  args: string[]
}

it('a killed pod of the Kubernetes job is followed by one that sends the rest', async () => {
  const text = textFile(join(root, 'docs/kubernetes/tracking-push.yaml'))
  const job = parseAllDocuments(text)
    .map((document) => document.toJS())
    .find(({ kind }) => kind === 'Job')
  const { completions, template } = job.spec as {
    completions: number
    template: { spec: { containers: Container[] } }
  }
  const [{ command, args } = { command: [], args: [] }] = template.spec.containers
  const { folder, rows, sentBefore, reports } = await workFolder('SHIPPING_COMPLETED')
  const given = shopEnv()

  /** Runs the script like the cluster: with a host name of its index, as the first process. */
  const pod = (index: number) => {
    const env = { ...spawnEnv(given), PATH, JOB_COMPLETION_INDEX: `${index}` }
    const start = `hostname ${job.metadata.name}-${index}; exec "$@"`
    const parts = typed`--uts --pid --fork --mount-proc --kill-child`
    const argv = [...command, ...args.map((arg) => arg.replaceAll('/work', folder))]
    const child = spawn('unshare', [...parts, 'sh', '-ec', start, 'sh', ...argv], {
      env,
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => {
      stderr += part
    })
    return { child, ended: once(child, 'close').then(([code]) => ({ code, stderr })) }
  }
  // The first report is taken, and its answer never comes.
  const lost = {
    id: 'lost',
    route: 'POST /shipping_trackings',
    kind: 'never-after-commit',
    count: 1,
  } as const
  await platform.sandbox.faults.set([lost])
  const first = pod(0)
  await expect.poll(() => platform.sandbox.faults.list()[0]?.hits).toBe(1)
  first.child.kill('SIGKILL')
  expect(await first.ended).toMatchObject({ code: null })
  const pods = times(completions, (index) => pod(index))
  for (const { ended } of pods) expect(await ended).toMatchObject({ code: 0 })
  expect(await merged(folder, spawnEnv(given))).toMatchObject({ total: rows, succeeded: rows })
  expect(reports() - sentBefore).toBe(rows)
  // A pod of a part that is done, as after its node was lost just then.
  succeeded(await pod(0).ended)
  expect(reports() - sentBefore).toBe(rows)
})
