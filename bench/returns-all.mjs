// `returns list --all`: CPU time and peak memory, against ten lines that read the same pages from the same server.
import { join } from 'node:path'
import { goal, grouped, homeEnv, inScratch, median, mustRun, rma, root } from './measure.mjs'
import { startPageServer } from './startup.mjs'

const RETURNS = Number(process.env.RMA_BENCH_RETURNS ?? 100_000)
const ROUNDS = Number(process.env.RMA_BENCH_ROUNDS ?? 3)
const MAX_MIB = 150

const LISTINGS = [
  { name: '`-o ndjson`', flags: ['-o', 'ndjson'], atMost: 1.4, lines: RETURNS },
  { name: '`-o csv`', flags: ['-o', 'csv'], atMost: 2, lines: RETURNS + 1 },
  { name: "`--jq '.returns[].name'`", flags: ['--jq', '.returns[].name'], atMost: 3, lines: RETURNS },
  { name: "`--jq '.returns | length'`", flags: ['--jq', '.returns | length'], atMost: 3, lines: 1 },
]

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const server = await startPageServer(folder, 500, RETURNS, env)
    const served = { ...env, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'token' }
    const tenLines = [join(root, 'bench/ten-lines-read.mjs'), server.baseUrl]
    const alone = []
    const ours = LISTINGS.map(() => ({ cpuMs: [], ratios: [], peakMiB: 0 }))
    for (let round = 0; round < ROUNDS; round += 1) {
      const { cpuMs } = await mustRun(process.execPath, tenLines, { env: served })
      alone.push(cpuMs)
      for (const [index, { flags, lines }] of LISTINGS.entries()) {
        const argv = [rma, 'returns', 'list', '--all', '--quiet', ...flags]
        const taken = await mustRun(process.execPath, argv, { env: served, peak: true })
        if (taken.lines !== lines) throw new Error(`${taken.lines} lines arrived, not ${lines}`)
        ours[index].cpuMs.push(taken.cpuMs)
        ours[index].ratios.push(taken.cpuMs / cpuMs)
        ours[index].peakMiB = Math.max(ours[index].peakMiB, taken.peakMiB)
      }
    }
    server.stop()
    const seconds = (times) => `${(median(times) / 1000).toFixed(1)} s of CPU`
    return [
      [`${grouped(RETURNS)} returns, ten lines of \`fetch\``, seconds(alone), '1×'],
      ...LISTINGS.map(({ name, atMost }, index) => {
        const { cpuMs, ratios, peakMiB } = ours[index]
        const isMet = median(ratios) <= atMost && peakMiB <= MAX_MIB
        const spread = `${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}`
        return [
          name,
          `${seconds(cpuMs)}, ${peakMiB.toFixed(0)} MiB`,
          `${median(ratios).toFixed(2)}× (${spread})`,
          goal(`≤ ${atMost}×, ≤ ${MAX_MIB} MiB`, isMet),
        ]
      }),
    ]
  })
}
