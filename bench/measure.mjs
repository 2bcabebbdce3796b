// What the benchmarks share: spawn, time, take turns, and make rows of bench/results.json (see page.mjs).
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const rma = join(root, 'bin/run.js')
const isQuick = process.argv.includes('--quick')

/** The size or count of a benchmark, or that of `--quick`, which shows whether it works and no more. */
export function sized(full, quick) {
  return isQuick ? quick : full
}

/** A folder that is gone at the end. */
export async function inScratch(work) {
  const folder = mkdtempSync(join(tmpdir(), 'rma-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The caller's environment with a home of its own, so that none of the machine's settings is measured. */
export function homeEnv(folder, more = {}) {
  // npm sets COLOR, and much of its own.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(RMA|XDG|NODE_OPTIONS|NODE_V8|NODE_EXTRA_CA_CERTS|npm_|COLOR$)/.test(name),
  )
  return { ...Object.fromEntries(own), HOME: folder, NO_COLOR: '1', ...more }
}

/** Tells on descriptor 4 what the command took. Its own start is not in it. */
const TIMED = 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&5; } 5>&2 2>&4'

/**
 * Run a command to its end.
 * @returns {Promise<{code: number, ms: number, cpuMs: number, bytes: number, lines: number, peakMiB: number | undefined, stdout: string, stderr: string}>}
 */
export function run(command, args, { env, keep = false, peak = false } = {}) {
  return new Promise((resolve, reject) => {
    const started = performance.now()
    const child = spawn('bash', ['-c', TIMED, 'bash', command, ...args], {
      env: peak ? { ...env, NODE_OPTIONS: `--require ${join(root, 'bench/peak.cjs')}` } : env,
      stdio: ['ignore', 'pipe', 'pipe', peak ? 'pipe' : 'ignore', 'pipe'],
    })
    let bytes = 0
    let lines = 0
    let stdout = ''
    let stderr = ''
    let peakText = ''
    let cpuText = ''
    child.stdout.on('data', (chunk) => {
      bytes += chunk.length
      for (const byte of chunk) if (byte === 10) lines += 1
      if (keep) stdout += chunk
    })
    child.stderr.on('data', (chunk) => {
      stderr += chunk
    })
    child.stdio[3]?.on('data', (chunk) => {
      peakText += chunk
    })
    child.stdio[4].on('data', (chunk) => {
      cpuText += chunk
    })
    child.on('error', reject)
    child.on('close', (code) => {
      const [user, system] = cpuText.trim().split(' ').map(Number)
      const cpuMs = (user + system) * 1000
      const peakMiB = peakText === '' ? undefined : Number(peakText) / 1024
      resolve({ code, ms: performance.now() - started, cpuMs, bytes, lines, peakMiB, stdout, stderr })
    })
  })
}

/** Like `run`, but anything except success ends the benchmark. */
export async function mustRun(command, args, options) {
  const result = await run(command, args, options)
  if (result.code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${result.code}: ${result.stderr}`)
  return result
}

/** A server of its own process, one of bench/, which prints its port. Its CPU time is ours once it has ended. */
export async function startServer(script, args = [], env = process.env) {
  const child = spawn(process.execPath, [join(root, 'bench', script), ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = await new Promise((resolve, reject) => {
    child.on('error', reject)
    child.stdout.once('data', (chunk) => resolve(Number(chunk)))
  })
  return { baseUrl: `http://127.0.0.1:${port}`, pid: child.pid, stop: () => ended(child) }
}

function ended(child) {
  return new Promise((resolve) => {
    child.removeAllListeners('exit')
    child.on('exit', resolve)
    child.kill('SIGTERM')
  })
}

/** Start `rma sandbox start` and wait until it answers. */
export async function startSandbox(args, env) {
  const child = spawn(
    process.execPath,
    [rma, 'sandbox', 'start', '--port', '0', '-o', 'json', '--quiet', ...args],
    {
      env,
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  )
  let text = ''
  const started = await new Promise((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`the sandbox ended with ${code}`)))
    child.stdout.on('data', (chunk) => {
      text += chunk
      try {
        resolve(JSON.parse(text))
      } catch {
        // Not all of it has arrived.
      }
    })
  })
  return {
    ...started,
    pid: child.pid,
    stop: () => ended(child),
  }
}

/** Of a process: what it has now (`VmRSS`), or the most that it had (`VmHWM`). */
export function memoryMiB(pid, kind) {
  const [, kib] =
    new RegExp(`^${kind}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kib) / 1024
}

export function median(numbers) {
  return percentile(numbers, 0.5)
}

export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/** `{median, least, most}`, to four digits. */
export function spread(numbers) {
  const figures = { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, digits(value)]))
}

/** `{median, p95, p99}` of single requests, in milliseconds. */
export function tail(times) {
  const [middle, p95, p99] = [0.5, 0.95, 0.99].map((share) => digits(percentile(times, share)))
  return { median: middle, p95, p99 }
}

function digits(value) {
  return Number(value.toPrecision(4))
}

/**
 * Each piece of work in turns, so that what else the machine does falls on all alike. The first round only warms up,
 * unless each piece takes long; every other one goes backwards.
 *
 * @param works by name: `(round) => {ms, cpuMs, peakMiB?}`
 * @returns by name: what it gave, round by round
 */
export async function inTurns(rounds, works, { isLong = false } = {}) {
  const taken = Object.fromEntries(Object.keys(works).map((name) => [name, []]))
  for (let round = isLong ? 1 : 0; round <= rounds; round += 1) {
    const order = Object.keys(works)
    for (const name of round % 2 === 0 ? order : order.reverse()) {
      const result = await works[name](round)
      if (round > 0) taken[name].push(result)
    }
  }
  return taken
}

/**
 * A row of results: what the runs took.
 *
 * @param count how many things a run does, for a rate a second
 * @param goals `['ratio', '≤', 1.4]`, see page.mjs
 */
export function rowOf(what, runs, { count, ...more } = {}) {
  const [ms, cpuMs] = ['ms', 'cpuMs'].map((kind) => spread(runs.map((run) => run[kind])))
  const peaks = runs.flatMap(({ peakMiB }) => peakMiB ?? [])
  return {
    what,
    ...(count && { count }),
    ms,
    cpuMs,
    ...(peaks.length > 0 && { peakMiB: digits(Math.max(...peaks)) }),
    ...more,
  }
}

/** Round by round: how many times as long as the yardstick, in time and in CPU time. */
export function slower(runs, yardstick) {
  const ratios = (kind) => spread(runs.map((run, round) => run[kind] / yardstick[round][kind]))
  return { ratio: ratios('ms'), cpuRatio: ratios('cpuMs') }
}

/** Round by round: how many times as fast rma is as the alternative, which may have done less. */
export function rmaFaster(alternative, rma, share = 1) {
  const ratios = (kind) => spread(alternative.map((run, round) => run[kind] / (rma[round][kind] * share)))
  return { of: 'rma:', ratio: ratios('ms'), cpuRatio: ratios('cpuMs') }
}
