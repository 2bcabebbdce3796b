// `npm run bench -- --against DIR [PART…]` compares this build with another built checkout, in alternating runs.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  homeEnv,
  inScratch,
  inTurns,
  mustRun,
  root,
  rowOf,
  sized,
  slower,
  startSandbox,
  startServer,
} from './measure.mjs'
import { reports, withServer, writeCsv } from './tracking.mjs'

export const rounds = sized(9, 2)
const RETURNS = sized(10_000, 200)
const ROWS = sized(10_000, 200)
const LABELS = sized(500, 20)
export const SUBJECTS = ['version', 'list', 'list-all', 'push', 'labels']

/** Returns two rows for each subject: before and now. */
export function compare(before, names) {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const labels = await startServer('label-server.mjs')
    const sandbox = await startSandbox(['--memory', '--returns', String(RETURNS)], env)
    try {
      return await withServer([], async (tracking) => {
        const subjects = subjectsIn(folder, env, { labels: labels.baseUrl, sandbox, tracking })
        const rows = []
        for (const name of names) rows.push(...(await compareOne(name, subjects[name], before)))
        return rows
      })
    } finally {
      await labels.stop()
      await sandbox.stop()
    }
  })
}

/** Maps each subject's name to a function that makes its arguments and environment for a run. */
function subjectsIn(folder, env, { labels, sandbox, tracking }) {
  const csv = join(folder, 'rows.csv')
  const ids = join(folder, 'ids.txt')
  writeCsv(csv, reports(ROWS))
  writeFileSync(ids, Array.from({ length: LABELS }, (_unused, index) => `SHP-${index + 1}\n`).join(''))
  let folders = 0
  const newFolder = () => {
    folders += 1
    const path = join(folder, `new-${folders}`)
    mkdirSync(path)
    return path
  }
  // A new data folder for each run: rma does not send an update twice.
  const to = (baseUrl, token = 'token') => ({
    ...env,
    RMA_BASE_URL: baseUrl,
    RMA_TOKEN: token,
    RMA_DATA_DIR: newFolder(),
  })
  const quiet = ['--quiet', '-o', 'ndjson']
  return {
    version: () => [['--version'], env],
    list: () => [['returns', 'list'], to(sandbox.baseUrl, sandbox.token)],
    'list-all': () => [['returns', 'list', '--all', ...quiet], to(sandbox.baseUrl, sandbox.token)],
    push: () => [['tracking', 'push', '--file', csv, '--concurrency', '16', ...quiet], to(tracking)],
    labels: () => [['labels', 'download', '--file', ids, '--out', newFolder(), ...quiet], to(labels)],
  }
}

async function compareOne(name, subject, before) {
  const runOf = (checkout, options) => {
    const [args, env] = subject()
    return mustRun(process.execPath, [join(checkout, 'bin/run.js'), ...args], { env, ...options })
  }
  const taken = await inTurns(rounds, { before: () => runOf(before), now: () => runOf(root) })
  // Peak memory has runs of its own because measuring it takes time.
  const peaks = [await runOf(before, { peak: true }), await runOf(root, { peak: true })]
  return [
    rowOf(`${name}, before`, taken.before, { peakMiB: peaks[0].peakMiB }),
    rowOf(`${name}, now`, taken.now, { peakMiB: peaks[1].peakMiB, ...slower(taken.now, taken.before) }),
  ]
}
