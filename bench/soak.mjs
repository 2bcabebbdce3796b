// 32 clients of all kinds use one sandbox with faults, for an hour or `--minutes N`. Checks that no process grows and
// that each write has effect once.
import { spawn } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { homeEnv, inScratch, mustRun, rma, root, run, sized, startSandbox } from './measure.mjs'
import { grouped } from './page.mjs'

const minutes = process.argv.indexOf('--minutes')
const SECONDS = minutes === -1 ? sized(3600, 20) : 60 * Number(process.argv[minutes + 1])
const SAMPLES = 40
const RETURNS = 20_000
const SHOP = 'LUMBRE-ES'
const HTTP_CLIENTS = 18
const CLI_CLIENTS = 12
/** Time from one request of a client to the next. A steady pace, because a watch remembers what changed lately. */
const HTTP_MS = 400
const COMMAND_MS = 20_000
const CALL_MS = 250
const KINDS = ['reset', 'reset-after-commit', '503', '429', '500-after-commit', 'cut-body']
const FAULTS = [
  ...KINDS.map((kind, at) => ({ route: '* *', kind, rate: 0.004, seed: at + 1 })),
  { route: '* *', kind: 'late', rate: 0.01, delayMs: 500 },
]

/** Rise of a least-squares line through the last half of the samples, in percent of their mean. */
function risePercent(samples) {
  const last = samples.slice(Math.floor(samples.length / 2))
  const mean = (list) => list.reduce((sum, one) => sum + one, 0) / list.length
  const [middle, level] = [(last.length - 1) / 2, mean(last)]
  const slope =
    last.reduce((sum, one, at) => sum + (at - middle) * (one - level), 0) /
    last.reduce((sum, _one, at) => sum + (at - middle) ** 2, 0)
  return (100 * slope * (last.length - 1)) / level
}

/** Heap of a process after a collection. */
async function heapOf(pid, heap) {
  const file = `${heap}.${pid}`
  rmSync(file, { force: true })
  process.kill(pid, 'SIGUSR2')
  while (!existsSync(file) || readFileSync(file, 'utf8') === '') await delay(20)
  return Number(readFileSync(file, 'utf8'))
}

/**
 * Heap, descriptors and threads of a process. The lowest of three heap sizes excludes memory that a poll holds for a
 * moment.
 */
async function sampleOf(pid, heap) {
  const heaps = []
  for (let time = 0; time < 3; time += 1) {
    await delay(500)
    heaps.push(await heapOf(pid, heap))
  }
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return {
    heap: Math.min(...heaps),
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    threads: Number(/^Threads:\s+(\d+)/m.exec(status)[1]),
  }
}

/** Lets clients work until a sample is due. The sample is taken once all of them rest. */
function turnstile() {
  let [isOpen, atWork, opened, rested] = [true, 0, undefined, undefined]
  return {
    async pass(work) {
      while (!isOpen) await new Promise((resolve) => (opened = [...(opened ?? []), resolve]))
      atWork += 1
      try {
        return await work()
      } finally {
        atWork -= 1
        if (atWork === 0) rested?.()
      }
    },
    async close() {
      isOpen = false
      if (atWork > 0) await new Promise((resolve) => (rested = resolve))
    },
    open() {
      isOpen = true
      for (const resolve of opened ?? []) resolve()
      opened = undefined
    },
  }
}

function httpClient(sandbox) {
  const agent = new Agent({ keepAlive: true, maxSockets: HTTP_CLIENTS })
  const send = (method, path, body) =>
    new Promise((resolve) => {
      const headers = { authorization: `Bearer ${sandbox.token}`, 'content-type': 'application/json' }
      const sent = request(sandbox.baseUrl + path, { method, agent, headers }, (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (part) => (text += part))
        response.on('end', () => resolve({ status: response.statusCode, text }))
        response.on('error', () => resolve({ status: 'broken' }))
      })
      sent.on('error', () => resolve({ status: 'broken' }))
      sent.end(body === undefined ? undefined : JSON.stringify(body))
    })
  /** Reads again after an injected fault. */
  const read = async (path) => {
    for (let tries = 0; tries < 20; tries += 1) {
      const { status, text } = await send('GET', path)
      try {
        if (status === 404) return []
        if (status === 200) return JSON.parse(text)
      } catch {
        // The body was cut off.
      }
    }
    throw new Error(`${path} can't be read`)
  }
  return { agent, send, read }
}

/** Statuses that a later scan in transit does not set back. */
const UNDER_WAY = ['REQUESTED', 'PICK_UP_COMPLETED', 'SHIPPING_IN_PROGRESS']
const NAMED = /^[a-z]+ ?[a-z]*/

export async function bench() {
  return inScratch(async (folder) => {
    const heap = join(folder, 'heap')
    const watched = { NODE_OPTIONS: `--require ${join(root, 'bench/heap.cjs')}`, RMA_HEAP: heap }
    const faults = join(folder, 'faults.json')
    writeFileSync(faults, '[]')
    const sandbox = await startSandbox(
      ['--data', join(folder, 'sandbox'), '--returns', String(RETURNS), '--faults', faults],
      homeEnv(folder, { RMA_CACHE_DIR: folder, ...watched }),
    )
    const env = homeEnv(folder, { RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token, RMA_SHOP: SHOP })
    const { agent, send, read } = httpClient(sandbox)
    const names = []
    for (let page = 1; page <= 16; page += 1) {
      const { returns } = await read(`/returns?limit=500&page=${page}&shop_code=${SHOP}`)
      const isOpen = ({ activeTransportation: one }) => UNDER_WAY.includes(one?.status)
      names.push(...returns.filter(isOpen).map(({ id, name }) => ({ id, name })))
    }
    if (names.length < 100) throw new Error('too few returns are under way')
    await mustRun(process.execPath, [rma, 'mirror', 'sync', '--yes'], { env })
    await steer(sandbox, FAULTS)

    /** Maps a push number or shipment id to the return's id, and whether the write must be present. */
    const pushes = new Map()
    const labels = new Map()
    const counts = new Map()
    const count = (what) => counts.set(what, (counts.get(what) ?? 0) + 1)
    let next = 0
    const ahead = () => ({ ...names[next % names.length], number: `SOAK${next++}` })
    const cli = async (...words) => {
      const { code, stdout } = await run(process.execPath, [rma, ...words], { env, keep: true })
      count(`${NAMED.exec(words.join(' '))[0].trim()} ${code}`)
      return { code, stdout }
    }
    const expectation = (code) => (code === 0 ? 'there' : code === 10 || code === 9 ? 'unknown' : 'absent')
    const push = ['tracking', 'push']
    const COMMANDS = [
      () => cli('returns', 'list', '--limit', '20', '--json'),
      () => cli('returns', 'get', ahead().name),
      () => cli('search', 'Madrid'),
      () => cli('returns', 'explain', ahead().name),
      () => cli('mirror', 'sync', '--yes'),
      async () => {
        const { id, name, number } = ahead()
        const { code } = await cli(...push, name, '--status', 'SHIPPING_IN_PROGRESS', '--number', number)
        pushes.set(number, { id, is: expectation(code) })
      },
      async () => {
        const rows = Array.from({ length: 10 }, ahead)
        const file = join(folder, `${rows[0].number}.csv`)
        const lines = rows.map(({ name, number }) => `${name},SHIPPING_IN_PROGRESS,${number}\n`)
        writeFileSync(file, `shipmentId,trackingStatus,trackingNumber\n${lines.join('')}`)
        const { code } = await cli(...push, '--file', file)
        for (const { id, number } of rows) pushes.set(number, { id, is: code === 0 ? 'there' : 'unknown' })
        rmSync(file)
      },
      async () => {
        const { name, number } = ahead()
        const out = join(folder, 'labels', number)
        const words = [
          '--for',
          name,
          '--another',
          '--no-register',
          '--client-shipment-id',
          number,
          '--out',
          out,
        ]
        const { code } = await cli('labels', 'create', ...words)
        labels.set(number, { is: expectation(code) })
        if (code === 0) await cli('labels', 'download', number, '--out', out)
        rmSync(out, { recursive: true, force: true })
      },
    ]
    const http = async (n) => {
      const { name } = names[n % names.length]
      if (n % 4 === 0) return send('GET', `/returns?limit=20&page=${1 + (n % 300)}`)
      if (n % 4 === 1) return send('GET', `/returns?name=${encodeURIComponent(name)}`)
      if (n % 4 === 2) return send('GET', `/returns/${names[n % names.length].id}/transportations`)
      const place = { latitude: 36 + (n % 7), longitude: -6 + (n % 9) }
      return send('POST', '/pudos', {
        shopCode: SHOP,
        carrierServices: [{ code: 'CORREOS_RETURN' }],
        ...place,
      })
    }

    const watch = spawn(process.execPath, [rma, 'returns', 'watch', '--interval', '10s', '-o', 'ndjson'], {
      env: { ...env, ...watched },
      stdio: ['ignore', 'ignore', 'inherit'],
    })
    const mcp = mcpSession({ ...env, ...watched })
    // Before its handlers are installed, a signal would end the server.
    await mcp.ready
    await delay(3000)
    const end = performance.now() + SECONDS * 1000
    const gate = turnstile()
    let sent = 0
    const loop = async ([work, everyMs]) => {
      for (let next = 0; performance.now() < end; await delay(Math.max(0, next - performance.now()))) {
        next = performance.now() + everyMs
        await gate.pass(work)
      }
    }
    const clients = [
      ...Array.from({ length: HTTP_CLIENTS }, () => [
        async () => {
          const { status } = await http(sent++)
          count(`HTTP ${status}`)
        },
        HTTP_MS,
      ]),
      ...Array.from({ length: CLI_CLIENTS }, (_one, at) => {
        let turn = at
        return [() => COMMANDS[turn++ % COMMANDS.length](), COMMAND_MS]
      }),
      [
        async () => {
          await mcp.call('get', { return: ahead().name })
          count('mcp call')
        },
        CALL_MS,
      ],
    ].map(loop)
    const samples = []
    for (let sample = 1; sample <= SAMPLES; sample += 1) {
      await delay(Math.max(0, end - (SECONDS * 1000 * (SAMPLES - sample)) / SAMPLES - performance.now()))
      await gate.close()
      agent.destroy()
      await delay(300)
      const processes = { sandbox: sandbox.pid, watch: watch.pid, mcp: mcp.pid }
      const one = {}
      for (const [name, pid] of Object.entries(processes)) one[name] = await sampleOf(pid, heap)
      samples.push(one)
      gate.open()
    }
    await Promise.all(clients)
    await steer(sandbox, [])
    const { lost, doubled } = await compared(read, pushes, labels)
    const audit = await run(process.execPath, [rma, 'audit', 'verify'], { env, keep: true })
    mcp.stop()
    watch.kill('SIGTERM')
    agent.destroy()
    await sandbox.stop()
    const sum = (pattern) =>
      grouped([...counts].reduce((total, [what, n]) => total + (pattern.test(what) ? n : 0), 0))
    const said = `${sum(/^HTTP/)} requests, ${sum(/^HTTP (?!200)/)} of them failed; ${sum(/^[a-z ]+ \d+$/)} commands; ${sum(/^mcp/)} calls`
    const rows = ['sandbox', 'watch', 'mcp'].map((name) => growthRow(name, samples))
    return [
      {
        what: `${SECONDS / 60} minutes, ${HTTP_CLIENTS + CLI_CLIENTS + 2} clients`,
        note: said,
      },
      ...rows,
      {
        what: `${grouped(pushes.size)} pushes, ${grouped(labels.size)} labels`,
        note: `${lost} lost, ${doubled} doubled`,
        lost,
        doubled,
        goals: [
          ['lost', '=', 0],
          ['doubled', '=', 0],
        ],
      },
      {
        what: 'audit log',
        note: audit.code === 0 ? audit.stdout.trim() || audit.stderr.trim() : `exit ${audit.code}`,
        lost: audit.code,
        goals: [['lost', '=', 0]],
      },
    ]
  })
}

/** Measures of a process at the middle and the end, and the largest rise of their fitted lines. */
function growthRow(name, samples) {
  const lineOf = (what) => samples.map((one) => one[name][what])
  const words = (what) => {
    const line = lineOf(what)
    return [line[Math.floor(line.length / 2)], line.at(-1)].map((one) => Number(one.toFixed(1))).join(' → ')
  }
  const heap = lineOf('heap')
  return {
    what: name,
    note: `heap ${words('heap')} MiB (${risePercent(heap).toFixed(1)} %), descriptors ${words('descriptors')}, threads ${words('threads')}`,
    heapsMiB: heap.map((one) => Number(one.toFixed(2))),
    risePercent: Math.max(...['heap', 'descriptors', 'threads'].map((what) => risePercent(lineOf(what)))),
    goals: [['risePercent', '<', 1]],
  }
}

async function steer({ controlUrl, controlToken }, faults) {
  const response = await fetch(`${controlUrl}/faults`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${controlToken}`, 'content-type': 'application/json' },
    body: JSON.stringify(faults),
  })
  if (!response.ok) throw new Error(`the faults were not taken: ${response.status} ${await response.text()}`)
}

/** Compares outcomes that commands printed with data of the platform. */
async function compared(read, pushes, labels) {
  let [lost, doubled] = [0, 0]
  const judge = (is, times) => {
    if (is === 'there' ? times === 0 : is === 'absent' && times > 0) lost += 1
    if (times > 1) doubled += 1
  }
  const seen = new Map()
  for (const id of new Set([...pushes.values()].map(({ id }) => id))) {
    const { transportations } = await read(`/returns/${id}/transportations`)
    for (const { trackingNumber } of transportations.flatMap(({ trackingEvents }) => trackingEvents ?? []))
      seen.set(trackingNumber, (seen.get(trackingNumber) ?? 0) + 1)
  }
  for (const [number, { is }] of pushes) judge(is, seen.get(number) ?? 0)
  for (const [id, { is }] of labels) {
    const sets = await read(`/shipping_labels?client_shipment_id=${id}&shopCode=${SHOP}`)
    judge(is, sets.flatMap(({ shippingLabels }) => shippingLabels).length)
  }
  return { lost, doubled }
}

/** Runs a session of an assistant that makes calls one by one. */
function mcpSession(env) {
  const child = spawn(process.execPath, [rma, 'mcp'], { env, stdio: ['pipe', 'pipe', 'ignore'] })
  const waiting = new Map()
  let [rest, id] = ['', 0]
  child.stdout.on('data', (chunk) => {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop()
    for (const line of lines) {
      const message = JSON.parse(line)
      waiting.get(message.id)?.(message)
      waiting.delete(message.id)
    }
  })
  const send = (method, params) =>
    new Promise((resolve) => {
      waiting.set(++id, resolve)
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    })
  const client = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'soak', version: '1' },
  }
  const ready = send('initialize', client)
  return {
    pid: child.pid,
    ready,
    call: (name, args) => ready.then(() => send('tools/call', { name, arguments: args })),
    stop: () => child.kill('SIGTERM'),
  }
}
