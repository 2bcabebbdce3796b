import { readdirSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFile, newFolder } from '../helpers/files.ts'
import {
  type LabelService,
  type LabelServiceOptions,
  label,
  labelRequest,
  labelReturn,
  labelService,
  PDF,
} from '../helpers/label-service.ts'
import { agePurchases, openPurchases, signalAfterPosts } from '../helpers/open-purchases.ts'
import { idsFrom, provenShipments } from '../helpers/saved-labels.ts'
import type { Answer } from '../helpers/script-server.ts'
import { BIN, RUNNER, spawnCli, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { answering, runInTerminal } from '../helpers/terminal.ts'

/** A slow carrier, a home, and `labels create` of so many labels: the same command each time, built if it is killed. */
async function shop(labels: number, options: LabelServiceOptions = {}) {
  const service = await labelService(options)
  const ids = idsFrom(1, labels)
  // The settings file's library listens to signals, too.
  const env = { ...spawnEnvAt(service.baseUrl), RMA_PROFILE: 'shop' }
  succeeded(
    await spawnCli(typed`profiles add shop --base-url ${service.baseUrl} --environment staging`, { env }),
  )
  const out = newFolder()
  const from = newFile('requests.ndjson', ids.map((id) => JSON.stringify(labelRequest(id))).join('\n'))
  const argv = typed`labels create --from ${from} --out ${out}`
  const create = asTyped((more) =>
    service.run(typed`${argv} --json ${more}`, { env, onPause: () => delay(200) }),
  )
  const signalled = (posts: number, ...signals: NodeJS.Signals[]) =>
    spawnCli(typed`${argv} --json`, { env, onStart: signalAfterPosts(service, posts, ...signals) })
  const sets = () => ids.map((id) => service.made.get(id)?.length ?? 0)
  const bought = () => [service.posts().length, sets(), openPurchases(env)]
  return { service, ids, env, out, argv, create, signalled, sets, bought }
}

const ONE_EACH = (ids: readonly string[]) => ids.map(() => 1)
const RESET = { fault: 'reset' } as const

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)(
  '%s during a purchase lets it end and saves the label; the same command again buys none',
  async (signal) => {
    const { service, env, out, create, signalled, sets } = await shop(1, { makingMs: 800 })
    const first = ended(await signalled(1, signal), 130)
    expect(first.stderr).toMatch('Waiting for the purchase in progress. A second signal stops at once')
    expect(first.stderr).toMatch('run the same command again')
    expect(readdirSync(out)).toContain('SHP-1.pdf')
    expect(openPurchases(env)).toEqual([])
    const again = succeeded(await create``)
    expect(jsonOf(again).files).toMatchObject([{ clientShipmentId: 'SHP-1', outcome: 'existing' }])
    expect([service.posts().length, sets()]).toEqual([1, [1]])
  },
)

it('two addresses of one platform share the lock of a shipment: one label', async () => {
  const { service, env, argv, sets } = await shop(1, { makingMs: 500 })
  const elsewhere = service.baseUrl.replace('127.0.0.1', 'localhost')
  const runs = [service.baseUrl, elsewhere].map((url) =>
    spawnCli(typed`${argv} --json`, { env: { ...env, RMA_BASE_URL: url } }),
  )
  for (const run of await Promise.all(runs)) succeeded(run)
  expect(sets()).toEqual([1])
})

it('a signal lets the purchases of a batch under way end and begins no more; the same command buys the others', async () => {
  const { service, ids, env, out, create, signalled, sets } = await shop(30, { makingMs: 500 })
  const first = ended(await signalled(10, 'SIGINT'), 130)
  expect(first.stderr).toMatch(/Waiting for \d purchases in progress\. A second signal stops at once/)
  const bought = service.posts().length
  expect(bought).toBeLessThan(30)
  expect(first.stderr).toContain(`Interrupted; ${30 - bought} of 30 shipments remain`)
  expect(provenShipments(out)).toHaveLength(bought)
  expect(openPurchases(env)).toEqual([])
  succeeded(await create``)
  expect([service.posts().length, sets()]).toEqual([30, ONE_EACH(ids)])
  expect(provenShipments(out)).toHaveLength(30)
})

it('a second signal ends at once; the next run waits for the label, says so, and takes it', async () => {
  const { env, create, signalled, sets, bought } = await shop(1, { makingMs: 6000 })
  const startedAt = performance.now()
  ended(await signalled(1, 'SIGINT', 'SIGINT'), 130)
  expect(performance.now() - startedAt).toBeLessThan(5000)
  expect([openPurchases(env).length, sets()]).toEqual([1, [0]])
  const again = succeeded(await create``)
  expect(again.stderr).toMatch(/Another run may have bought the label of SHP-1: looking for 1\d\d s/)
  expect(bought()).toEqual([1, [1], []])
})

it('killed while the carrier makes 8 labels at once: the next run waits for all of them once, and buys none twice', async () => {
  const { service, ids, env, create, signalled, bought } = await shop(16, { makingMs: 4000 })
  expect((await signalled(8, 'SIGKILL')).signal).toBe('SIGKILL')
  expect([openPurchases(env).length, service.made.size]).toEqual([8, 0])
  const again = succeeded(await create``)
  expect(again.stderr).toMatch(/Another run may have bought 8 labels: looking for 1\d\d s/)
  expect(bought()).toEqual([16, ONE_EACH(ids), []])
})

it('a purchase killed between refusals of the platform is bought by the next run after it has looked', async () => {
  const limited = { status: 429, headers: { 'retry-after': '60' } }
  const { service, env, create, signalled } = await shop(1, {
    insteadOfMaking: (index) => (index === 0 ? limited : undefined),
  })
  const startedAt = performance.now()
  expectEnd(await signalled(1, 'SIGTERM'), 130, ['1 of 1 shipment remains'])
  expect(performance.now() - startedAt).toBeLessThan(10_000)
  expect(openPurchases(env)).toEqual([])
  succeeded(await create``)
  expect(service.posts()).toHaveLength(2)
})

it('an unknown purchase is exit 10 in every later run, until --buy-after-unknown', async () => {
  const { service, env, create, sets } = await shop(2, {
    insteadOfMaking: (index, id) => (index < 2 && id === 'SHP-1' ? RESET : undefined),
  })
  ended(await create``, 10)
  agePurchases(env, 119)
  for (const flags of [[], [], typed`--another --force`]) {
    const { stderr } = expectEnd(await create`${flags}`, 10, [
      'It is not known whether the label of SHP-1 was made',
    ])
    expect(stderr).toEqual(expect.stringContaining('--buy-after-unknown'))
    expect([openPurchases(env).length, sets()[0]]).toEqual([1, 0])
  }
  const bought = service.posts().length
  succeeded(await create`--buy-after-unknown`)
  expect([service.posts().length, sets()[0], openPurchases(env)]).toEqual([bought + 1, 1, []])
})

it('--another that was killed is not repeated, nor replaced by the old label', async () => {
  const { service, argv, env, create, bought } = await shop(1, { makingMs: 2000 })
  service.made.set('SHP-1', [{ clientShipmentId: 'SHP-1', shippingLabels: [label(PDF, 'OLD')] }])
  const onStart = signalAfterPosts(service, 1, 'SIGKILL')
  expect((await spawnCli(typed`${argv} --another`, { env, onStart })).signal).toBe('SIGKILL')
  // If --another is missing, the existing label is taken without a wait.
  const plain = await create``
  expect([plain.code, jsonOf(plain).files[0].carrierTrackingCode]).toEqual([0, 'OLD'])
  expect(openPurchases(env)).toHaveLength(1)
  const again = await create`--another --force`
  expect([again.code, jsonOf(again).files[0].carrierTrackingCode]).toEqual([0, 'TRK-2'])
  expect(bought()).toEqual([1, [2], []])
})

it('--another that was killed while it fetched the label saves that label when repeated', async () => {
  const files: Record<string, Answer> = { '/label.pdf': { fault: 'hang' } }
  let base = ''
  const { service, argv, env, out, create } = await shop(1, {
    files,
    labelsOf: (_request, made) => [{ carrierTrackingCode: `TRK-${made}`, url: `${base}/label.pdf` }],
  })
  base = service.baseUrl
  const posts = () => service.requests.filter(({ path }) => path === '/label.pdf')
  const onStart = signalAfterPosts({ posts }, 1, 'SIGKILL')
  expect((await spawnCli(typed`${argv} --another`, { env, onStart })).signal).toBe('SIGKILL')
  expect(openPurchases(env)).toHaveLength(1)
  files['/label.pdf'] = { body: PDF }
  const again = succeeded(await create`--another`)
  expect(jsonOf(again).files).toMatchObject([{ outcome: 'existing', carrierTrackingCode: 'TRK-1' }])
  expect(readdirSync(out)).toContain('SHP-1.pdf')
  expect([service.posts().length, openPurchases(env)]).toEqual([1, []])
  // The label is in the folder by now.
  ended(await create`--another`, 2)
  expect(service.posts()).toHaveLength(1)
})

it('--dry-run names open purchases, and Ctrl-C ends the wait for one', async () => {
  const { service, argv, env, create } = await shop(1, { insteadOfMaking: () => RESET })
  ended(await create``, 10)
  const dry = await create`--dry-run`
  expectEnd(dry, 0, ['SHP-1: another run may have bought'])
  let isSignalled = false
  expectEnd(
    await spawnCli(argv, {
      env,
      onOutput: (_stdout, text, child) => {
        if (isSignalled || !text.includes('Another run may have bought')) return
        isSignalled = true
        child.kill('SIGTERM')
      },
    }),
    130,
    expect.not.stringContaining('Waiting for'),
  )
  expect([service.posts().length, openPurchases(env).length]).toEqual([1, 1])
})

it('a terminal asks whether a label that did not appear is bought again', async () => {
  const { service, argv, env, create, sets } = await shop(1, {
    insteadOfMaking: (index) => (index === 0 ? RESET : undefined),
  })
  ended(await create``, 10)
  agePurchases(env, 120)
  const answered = async (answer: string) => {
    const { code, screen } = await runInTerminal(argv, {
      env,
      columns: 200,
      onOutput: answering('[y/N]', `${answer}\r`),
    })
    expect(screen.join(' ')).toMatch(/Another run has asked for the label of SHP-1.*Buy 1 label all the same/)
    return [code, service.posts().length, ...sets()]
  }
  expect(await answered('n')).toEqual([10, 1, 0])
  expect(await answered('y')).toEqual([0, 2, 1])
})

describe('a label that an assistant was allowed to buy', () => {
  /** Asks `rma mcp` for the label of R#-1, and sends the signals once the service was asked for it. */
  async function buyThroughMcp(
    service: LabelService,
    env: Record<string, string>,
    ...signals: NodeJS.Signals[]
  ) {
    const root = newFolder()
    const client = new Client({ name: 'test', version: '1' }, { capabilities: { elicitation: {} } })
    const questions: string[] = []
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
      questions.push(params.message)
      return { action: 'accept', content: { confirm: true } }
    })
    const args = [BIN, 'mcp', '--allow-write', '--root', root]
    const transport = new StdioClientTransport({ command: RUNNER, args, env, stderr: 'pipe' })
    let stderr = ''
    transport.stderr?.on('data', (part) => {
      stderr += part
    })
    await client.connect(transport)
    onTestFinished(() => client.close())
    const ended = new Promise<void>((resolve) => {
      client.onclose = resolve
    })
    const given = { return: 'R#-1', carrierService: 'TEST' }
    const called = client.callTool({ name: 'create_label', arguments: given }).catch(String)
    if (signals.length > 0) {
      await vi.waitFor(() => expect(service.posts()).toHaveLength(1), { timeout: 10_000 })
      for (const signal of signals) {
        // 0 would be the group of the tests.
        if (transport.pid) process.kill(transport.pid, signal)
        await delay(300)
      }
      await ended
    }
    return { answer: await called, questions, root, stderr }
  }
  const open = async (makingMs: number) => {
    const service = await labelService({ returns: [labelReturn('R#-1')], makingMs })
    const env = spawnEnvAt(service.baseUrl)
    return { service, env, sets: () => [...service.made.values()].map(({ length }) => length) }
  }

  it('a label for an assistant is saved after a signal, with a message of the server', async () => {
    const { service, env, sets } = await open(1500)
    const { answer, root, stderr } = await buyThroughMcp(service, env, 'SIGHUP')
    expect(stderr).toMatch('Waiting for the write in progress. A second signal stops at once')
    expect(answer).toMatchObject({ content: [{ text: expect.stringContaining('"outcome":"created"') }] })
    expect(readdirSync(root)).toContain('R-1.pdf')
    expect([sets(), openPurchases(env)]).toEqual([[1], []])
  })

  it('the next session waits for a label after two SIGTERM, asks, and buys no second one', async () => {
    const { service, env, sets } = await open(6000)
    await buyThroughMcp(service, env, 'SIGTERM', 'SIGTERM')
    expect([openPurchases(env).length, sets()]).toEqual([1, []])
    const { answer, questions } = await buyThroughMcp(service, env)
    expect(questions).toEqual([expect.stringContaining('another run may have bought a label')])
    expect(answer).toMatchObject({ content: [{ text: expect.stringContaining('"outcome":"existing"') }] })
    expect([service.posts().length, sets(), openPurchases(env)]).toEqual([1, [1], []])
  })
})
