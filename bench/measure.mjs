// What the benchmarks share: spawn, time, median, and a table that goes to docs/performance.md as it is.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')
export const rma = join(root, 'bin/run.js')

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
  const own = Object.entries(process.env).filter(
    ([name]) => !/^(RMA|XDG|NODE_OPTIONS|NODE_V8|NODE_EXTRA_CA_CERTS)/.test(name),
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

/** Start `rma sandbox start` and wait until it answers. */
export async function startSandbox(args, env) {
  const child = spawn(process.execPath, [rma, 'sandbox', 'start', '--port', '0', '-o', 'json', ...args], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
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
    stop: () =>
      new Promise((resolve) => {
        child.removeAllListeners('exit')
        child.on('exit', resolve)
        child.kill('SIGTERM')
      }),
  }
}

export function median(numbers) {
  return percentile(numbers, 0.5)
}

export function percentile(numbers, share) {
  const sorted = [...numbers].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]
}

/** A cell for what was to be reached, marked where it was not. */
export function goal(text, isMet) {
  return isMet ? text : `**${text}: missed**`
}

/**
 * Print a section of docs/performance.md.
 *
 * @param rows of what was done, what was measured, what that is compared with, and the goal; the last two may be missing
 */
export function printSection(title, about, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  const wrapped = about.match(/\S.{0,117}(?=\s|$)/g).join('\n')
  console.log(`\n## ${title}\n\n${wrapped}\n`)
  console.log(line(['', 'measured', 'compared', 'goal']))
  console.log(line(Array(4).fill('---')))
  for (const [what, measured, compared = '', reached = ''] of rows) {
    console.log(line([what, measured, compared, reached]))
  }
}

/** `1,234,567` */
export function grouped(number) {
  return Math.round(number).toLocaleString('en')
}
