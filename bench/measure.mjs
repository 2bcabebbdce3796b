// Shared by the benchmarks: spawns and times programs, alternates runs, and makes rows of bench/results.json (see
// page.mjs).
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const rma = join(root, 'bin/run.js')
const isQuick = process.argv.includes('--quick')

/** Returns the size or count of a benchmark, or the small one of `--quick`, a smoke test. */
export function sized(full, quick) {
  return isQuick ? quick : full
}

/** Runs the work in a temporary folder, removed at the end. */
export async function inScratch(work) {
  const folder = mkdtempSync(join(tmpdir(), 'rma-bench-'))
  try {
    return await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Returns the caller's environment with another home, to keep the machine's settings out of the measurement. */
export function homeEnv(folder, more = {}) {
  // npm sets COLOR and many variables.
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(RMA|XDG|NODE_OPTIONS|NODE_V8|NODE_EXTRA_CA_CERTS|npm_|COLOR$)/.test(name),
  )
  return { ...Object.fromEntries(own), HOME: folder, NO_COLOR: '1', ...more }
}

/** Writes the CPU time of the command to descriptor 4, excluding that of bash. */
const TIMED = 'TIMEFORMAT="%3U %3S"; { time "$@" 2>&5; } 5>&2 2>&4'

/**
 * Runs a command to its end.
 * @returns {Promise<{code: number, ms: number, cpuMs: number, bytes: number, lines: number, peakMiB: number
 * undefined, stdout: string, stderr: string}>}
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

/** Like `run`, but any failure ends the benchmark. */
export async function mustRun(command, args, options) {
  const result = await run(command, args, options)
  if (result.code !== 0)
    throw new Error(`${command} ${args.join(' ')} ended with ${result.code}: ${result.stderr}`)
  return result
}

/** Starts a server of bench/, which prints its port. Once ended, its CPU time counts as time of this process. */
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

/** Starts `rma sandbox start` and waits until it answers. */
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
        // The output is incomplete so far.
      }
    })
  })
  return {
    ...started,
    pid: child.pid,
    stop: () => ended(child),
  }
}

/** Memory of a process: current (`VmRSS`) or peak (`VmHWM`). */
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

/** Returns `{median, least, most}`, rounded to four digits. */
export function spread(numbers) {
  const figures = { median: median(numbers), least: Math.min(...numbers), most: Math.max(...numbers) }
  return Object.fromEntries(Object.entries(figures).map(([name, value]) => [name, digits(value)]))
}

/** Returns `{median, p95, p99}` of single requests in milliseconds. */
export function tail(times) {
  const [middle, p95, p99] = [0.5, 0.95, 0.99].map((share) => digits(percentile(times, share)))
  return { median: middle, p95, p99 }
}

function digits(value) {
  return Number(value.toPrecision(4))
}

/**
 * Alternates the works, so that other load on the machine affects all alike. The first round is a warm-up, skipped for
 * long works. Every second round runs in reverse order.
 * | @param works functions `(round) => {ms, cpuMs, peakMiB?}` by name
 * @returns results of all rounds by name
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
 * Returns a row of results.
 * | @param count number of things that a run does, to show a rate per second
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

/** Ratio of time and CPU time to those of the yardstick, for each round. */
export function slower(runs, yardstick) {
  const ratios = (kind) => spread(runs.map((run, round) => run[kind] / yardstick[round][kind]))
  return { ratio: ratios('ms'), cpuRatio: ratios('cpuMs') }
}

/**
 * Speed of rma relative to the alternative, for each round. `share` is the part of the work that the alternative did.
 */
export function rmaFaster(alternative, rma, share = 1) {
  const ratios = (kind) => spread(alternative.map((run, round) => run[kind] / (rma[round][kind] * share)))
  return { of: 'rma:', ratio: ratios('ms'), cpuRatio: ratios('cpuMs') }
}
