// `mirror sync` of returns alone: records a second and peak memory, against `returns list --all` of the same.
import { goal, grouped, homeEnv, inScratch, median, mustRun, rma, startSandbox } from './measure.mjs'

const RETURNS = 20_000
const ROUNDS = 3
const LIST = ['returns', 'list', '--all', '-o', 'ndjson']
const SYNC = ['mirror', 'sync', '--yes', '--with', 'none', '-o', 'json']

export async function bench() {
  const lists = []
  const syncs = []
  const cpu = []
  const peaks = []
  await inScratch(async (folder) => {
    const env = homeEnv(folder)
    const sandbox = await startSandbox(['--memory', '--returns', String(RETURNS)], env)
    const { baseUrl: RMA_BASE_URL, token: RMA_TOKEN } = sandbox
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        const list = await mustRun(process.execPath, [rma, ...LIST], {
          env: { ...env, RMA_BASE_URL, RMA_TOKEN },
        })
        if (list.lines !== RETURNS) throw new Error(`${list.lines} records arrived, not ${RETURNS}`)
        lists.push(list.ms)
        // A mirror of its own each time, so that each is the first sync.
        await inScratch(async (home) => {
          const sync = await mustRun(process.execPath, [rma, ...SYNC], {
            env: homeEnv(home, { RMA_BASE_URL, RMA_TOKEN }),
            keep: true,
            peak: true,
          })
          const { isComplete } = JSON.parse(sync.stdout)
          if (!isComplete) throw new Error('the mirror is not complete')
          syncs.push(sync.ms)
          cpu.push(list.cpuMs / sync.cpuMs)
          peaks.push(sync.peakMiB)
        })
      }
    } finally {
      await sandbox.stop()
    }
  })
  const rate = (times) => (RETURNS / median(times)) * 1000
  const ratio = median(lists) / median(syncs)
  const peak = Math.max(...peaks)
  return [
    [`sync of ${grouped(RETURNS)} returns`, `${grouped(rate(syncs))}/s`, '', ''],
    [
      '`returns list --all -o ndjson`',
      `${grouped(rate(lists))}/s`,
      `sync: ${ratio.toFixed(2)}×, CPU ${median(cpu).toFixed(2)}×`,
      goal('≥ 0.8×', ratio >= 0.8),
    ],
    ['peak memory of the sync', `${peak.toFixed(0)} MiB`, '', goal('≤ 150 MiB', peak <= 150)],
  ]
}
