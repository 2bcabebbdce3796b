// `npm run fuzz -- [--minutes 60] [--targets csv,pdf] [--seed 1] [--jobs 2] [--folder .tmp/fuzz]` feeds readers with
// mutated inputs, the least fed target first. A new start after a kill uses the remaining time.
import { fork } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { TEXT_FILES } from './text-files.mjs'

const root = resolve(import.meta.dirname, '..')
const seeds = join(root, 'test/fixtures/fuzz')
const NAMES = [
  'csv',
  'xlsx',
  'json',
  'har',
  'jwt',
  'dates',
  'zpl',
  'pdf',
  'base64',
  'terminal',
  'mcp',
  'requests',
]
/** Time without a new input after which a target counts as hanging, even on a busy machine. */
const HANGING_MS = 120_000

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '60' },
    targets: { type: 'string', default: NAMES.join() },
    seed: { type: 'string', default: '1' },
    jobs: { type: 'string', default: String(availableParallelism()) },
    folder: { type: 'string', default: join(root, '.tmp/fuzz') },
  },
})
const names = values.targets.split(',')
const unknown = names.filter((name) => !NAMES.includes(name))
if (unknown.length > 0) throw new Error(`There is no ${unknown}. There are: ${NAMES}`)
const totalMs = Number(values.minutes) * 60_000
const folder = resolve(values.folder)
/** Memory disk if there is one, because file readers read some hundred files a second. */
const temporary = mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'rma-fuzz-'))
const stateFile = join(folder, 'state.json')

function newState(round) {
  const one = () => ({ cases: 0, ms: 0, batch: 0, faults: [] })
  return { round, usedMs: 0, targets: Object.fromEntries(NAMES.map((name) => [name, one()])) }
}

function readState() {
  const state = existsSync(stateFile) ? JSON.parse(readFileSync(stateFile, 'utf8')) : newState(0)
  return state.usedMs < totalMs ? state : newState(state.round + 1)
}

function save(state) {
  writeFileSync(`${stateFile}.new`, JSON.stringify(state, null, 1))
  renameSync(`${stateFile}.new`, stateFile)
}

/** Folders of test files that targets read in place. */
const ownFolders = {
  name: 'own-folders',
  transform: {
    filter: { id: /\/test\/helpers\// },
    handler: (code, id) => ({
      code: code.replaceAll('import.meta.dirname', JSON.stringify(dirname(id))),
      map: null,
    }),
  },
}

async function bundled() {
  // Inside the repository, so that imports of the database driver resolve.
  const dir = join(root, `.tmp/fuzz-${process.pid}`)
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: 'test/helpers/fuzz/program.ts',
    external: ['libsql'],
    moduleTypes: TEXT_FILES,
    logLevel: 'silent',
    plugins: [ownFolders],
  })
  await bundle.write({
    dir,
    format: 'esm',
    entryFileNames: '[name].mjs',
    chunkFileNames: '[name]-[hash].mjs',
  })
  await bundle.close()
  return dir
}

/** Runs a target for some time in its own process, and records cases and faults as they come. */
function slice(program, name, ms, state) {
  const [corpus, faults] = ['corpus', 'faults'].map((kind) => join(folder, kind, name))
  mkdirSync(faults, { recursive: true })
  cpSync(join(seeds, name), corpus, { recursive: true })
  const own = state.targets[name]
  const current = join(program, `${name}.current`)
  const started = Date.now()
  const seed = Number(values.seed) + state.round
  const known = own.faults.map(({ fault }) => fault)
  const child = fork(
    join(program, 'program.mjs'),
    [JSON.stringify({ name, seed, batch: own.batch, ms, corpus, current, known })],
    { env: { ...process.env, TMPDIR: temporary } },
  )
  const addFault = (fault, input) => {
    const file = join(faults, `${own.faults.length}`)
    writeFileSync(file, Buffer.from(input, 'base64'))
    own.faults.push({ fault, file })
    console.error(`${name}: ${fault}: ${file}`)
  }
  child.on('message', ({ batch, cases, fault, input }) => {
    own.batch = batch + 1
    own.cases += cases
    if (fault) addFault(fault, input)
    save(state)
  })
  let isHanging = false
  const watch = setInterval(() => {
    const since = existsSync(current) ? statSync(current).mtimeMs : started
    isHanging = Date.now() - Math.max(since, started) > HANGING_MS
    if (isHanging) child.kill('SIGKILL')
  }, 1000)
  return new Promise((done) => {
    child.on('close', (code, signal) => {
      clearInterval(watch)
      // Skips the batch, since its input would end the process again.
      if (code !== 0) {
        own.batch += 1
        addFault(
          isHanging ? 'hangs' : `ends the process (${code ?? signal})`,
          existsSync(current) ? readFileSync(current, 'latin1') : '',
        )
      }
      own.ms += Date.now() - started
      done()
    })
  })
}

async function worker(program, state, running, end) {
  for (let left = end - Date.now(); left > 0; left = end - Date.now()) {
    const [name] = names
      .filter((one) => !running.has(one))
      .sort((one, other) => state.targets[one].cases - state.targets[other].cases)
    if (name === undefined) return
    running.add(name)
    const shortest = (totalMs * values.jobs) / names.length / 4
    await slice(program, name, Math.min(left, Math.max(3000, Math.min(60_000, shortest))), state)
    running.delete(name)
  }
}

mkdirSync(folder, { recursive: true })
const state = readState()
const program = await bundled()
const [started, usedBefore] = [Date.now(), state.usedMs]
const clock = setInterval(() => {
  state.usedMs = usedBefore + Date.now() - started
  save(state)
}, 1000)
try {
  const end = started + totalMs - usedBefore
  const running = new Set()
  await Promise.all(Array.from({ length: Number(values.jobs) }, () => worker(program, state, running, end)))
} finally {
  clearInterval(clock)
  for (const path of [program, temporary]) rmSync(path, { recursive: true, force: true })
}
state.usedMs = totalMs
save(state)
for (const name of names) {
  const { cases, ms, faults } = state.targets[name]
  console.log(
    `${name.padEnd(9)} ${String(cases).padStart(9)} cases, ${((cases / ms) * 1000).toFixed(0)}/s, ${faults.length} faults`,
  )
}
process.exitCode = names.some((name) => state.targets[name].faults.length > 0) ? 1 : 0
