import type { ChildProcess } from 'node:child_process'
import { chmodSync, chownSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import { type Env, succeeded } from '../helpers/command-line.ts'
import { labelRequest, labelService } from '../helpers/label-service.ts'
import { type Spawned, shell, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

/*
 * Processes that see each other's files but not each other: other users, containers and namespaces of Linux.
 */

/** Folder outside /tmp, which a namespace may hide. */
function home() {
  const folder = mkdtempSync('/var/tmp/rma-home-')
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
const quoted = (script: string) => `'${script.replaceAll("'", `'\\''`)}'`

interface Buyer {
  /** Words that the command is started by, such as `unshare --pid`. */
  around: string
  env: Env
}

const COMMAND =
  'umask 077; exec "$NODE_BIN" "$RMA_BIN" labels create --from - --out "$RMA_DATA_DIR/labels" --json'

function buy(
  { baseUrl }: { baseUrl: string },
  { around, env }: Buyer,
  ids: readonly string[],
  onStart?: (child: ChildProcess) => void,
) {
  return shell(`exec ${around} sh -ec ${quoted(COMMAND)}`, {
    env: spawnEnvAt(baseUrl, { ...env }),
    stdin: ids.map((id) => JSON.stringify(labelRequest(id))).join('\n'),
    ...(onStart && { onStart }),
  })
}

/** Each buys the same labels at once. @returns exit codes, standard errors and how many sets each shipment has */
async function buyAtOnce(buyers: readonly Buyer[]) {
  const service = await labelService({ makingMs: 50 })
  const ids = times(10, (at) => `SHP-${at + 1}`)
  const runs = await Promise.all(buyers.map((buyer) => buy(service, buyer, ids)))
  return { runs, ids, sets: ids.map((id) => service.made.get(id)?.length) }
}

it('containers with a /tmp of their own that share a data directory buy each label once', async () => {
  // Longer than the second container takes to come to its own purchase.
  const service = await labelService({ makingMs: 1500 })
  const ids = ['SHP-1', 'SHP-2']
  const around = `unshare --pid --fork --mount-proc sh -ec 'mount -t tmpfs tmpfs /tmp; exec "$@"' sh`
  const container = { around, env: { RMA_DATA_DIR: home() } }
  const first = buy(service, container, ids)
  let end: Spawned | undefined
  void first.then((ended) => (end = ended))
  while (service.posts().length === 0 && !end) await delay(5)
  expect(end?.stderr, 'the first run ended before it bought').toBeUndefined()
  const runs = await Promise.all([first, buy(service, container, ids)])
  expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, expect.anything()]))
  expect(ids.map((id) => service.made.get(id)?.length)).toEqual([1, 1])
})

const GROUP = 61_000

function user(uid: number, lockDir: string, more = {}): Buyer {
  const own = home()
  chownSync(own, uid, uid)
  const around = `setpriv --reuid=${uid} --regid=${uid} --groups=${GROUP}`
  const env = { HOME: own, RMA_CONFIG_DIR: own, RMA_DATA_DIR: own, RMA_LOCK_DIR: lockDir, ...more }
  return { around, env }
}

it('two users with one RMA_LOCK_DIR of their group buy each label once, with or without a shop', async () => {
  const lockDir = home()
  chownSync(lockDir, 0, GROUP)
  chmodSync(lockDir, 0o2770)
  // The second run finds the files of the first.
  for (const _time of [1, 2]) {
    const [one, other] = [user(61_001, lockDir), user(61_002, lockDir, { RMA_SHOP: 'ACME' })]
    const { runs, ids, sets } = await buyAtOnce([one, other])
    expect(runs.map(({ code, stderr }) => [code, stderr])).toEqual(runs.map(() => [0, expect.anything()]))
    expect(sets).toEqual(ids.map(() => 1))
  }
})

it('a user takes over the lock of another user of the group whose run was killed', async () => {
  const lockDir = home()
  chownSync(lockDir, 0, GROUP)
  chmodSync(lockDir, 0o2770)
  let buyer: ChildProcess | undefined
  const service = await labelService({
    afterMaking: () => {
      buyer?.kill('SIGKILL')
      return undefined
    },
  })
  const onStart = (child: ChildProcess) => {
    buyer = child
  }
  const killed = await buy(service, user(61_001, lockDir), ['SHP-1'], onStart)
  // The lock, the holder's liveness file, and the purchase that was noted down.
  expect([killed.signal, readdirSync(lockDir).length]).toEqual(['SIGKILL', 3])
  succeeded(await buy(service, user(61_002, lockDir), ['SHP-1']))
  expect(service.made.get('SHP-1')).toHaveLength(1)
  expect(readdirSync(lockDir)).toEqual([])
})
