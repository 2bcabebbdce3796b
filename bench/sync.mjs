// `mirror sync` of returns alone: records per second and peak memory, compared with `returns list --all`.

import {
  homeEnv,
  inScratch,
  inTurns,
  mustRun,
  rma,
  rmaFaster,
  rowOf,
  sized,
  startSandbox,
} from './measure.mjs'
import { grouped } from './page.mjs'

const RETURNS = sized(20_000, 500)
export const rounds = sized(5, 1)
const LIST = ['returns', 'list', '--all', '-o', 'ndjson']
const SYNC = ['mirror', 'sync', '--yes', '--with', 'none', '-o', 'json']

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const sandbox = await startSandbox(['--memory', '--returns', String(RETURNS)], env)
    const { baseUrl: RMA_BASE_URL, token: RMA_TOKEN } = sandbox
    const list = async () => {
      const run = await mustRun(process.execPath, [rma, ...LIST], {
        env: { ...env, RMA_BASE_URL, RMA_TOKEN },
      })
      if (run.lines !== RETURNS) throw new Error(`${run.lines} records arrived, not ${RETURNS}`)
      return run
    }
    // A new mirror for each run, so that each sync is a first one.
    const sync = () =>
      inScratch(async (home) => {
        const run = await mustRun(process.execPath, [rma, ...SYNC], {
          env: homeEnv(home, { RMA_BASE_URL, RMA_TOKEN }),
          keep: true,
          peak: true,
        })
        if (!JSON.parse(run.stdout).isComplete) throw new Error('the mirror is not complete')
        return run
      })
    const taken = await inTurns(rounds, { sync, list }).finally(() => sandbox.stop())
    return [
      rowOf(`sync of ${grouped(RETURNS)} returns`, taken.sync, {
        count: RETURNS,
        goals: [['peakMiB', '≤', 150]],
      }),
      rowOf('`returns list --all -o ndjson`', taken.list, {
        count: RETURNS,
        ...rmaFaster(taken.list, taken.sync),
        of: 'sync:',
        goals: [['ratio', '≥', 0.8]],
      }),
    ]
  })
}
