// `returns list --all`: CPU time and peak memory, compared with a ten-line program that reads the same pages.
import { join } from 'node:path'
import { homeEnv, inScratch, inTurns, mustRun, rma, root, rowOf, sized, slower } from './measure.mjs'
import { grouped } from './page.mjs'
import { startPageServer } from './startup.mjs'

const RETURNS = sized(100_000, 2000)
export const rounds = sized(3, 1)
const MAX_MIB = 150

const LISTINGS = [
  { name: '`-o ndjson`', flags: ['-o', 'ndjson'], atMost: 1.4, lines: RETURNS },
  { name: '`-o csv`', flags: ['-o', 'csv'], atMost: 2, lines: RETURNS + 1 },
  { name: '`… --jq .name`', flags: ['-o', 'ndjson', '--jq', '.name'], atMost: 3, lines: RETURNS },
]

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const server = await startPageServer(folder, 500, RETURNS, env)
    const served = { ...env, RMA_BASE_URL: server.baseUrl, RMA_TOKEN: 'token' }
    const tenLines = `ten lines of \`fetch\`, ${grouped(RETURNS)} returns`
    const works = LISTINGS.map(({ name, flags, lines }) => [
      name,
      async () => {
        const argv = [rma, 'returns', 'list', '--all', '--quiet', ...flags]
        const run = await mustRun(process.execPath, argv, { env: served, peak: true })
        if (run.lines !== lines) throw new Error(`${run.lines} lines arrived, not ${lines}`)
        return run
      },
    ])
    const reading = [join(root, 'bench/ten-lines-read.mjs'), server.baseUrl]
    const taken = await inTurns(
      rounds,
      { [tenLines]: () => mustRun(process.execPath, reading, { env: served }), ...Object.fromEntries(works) },
      { isLong: true },
    )
    await server.stop()
    return [
      rowOf(tenLines, taken[tenLines]),
      ...LISTINGS.map(({ name, atMost }) =>
        rowOf(name, taken[name], {
          ...slower(taken[name], taken[tenLines]),
          goals: [
            ['cpuRatio', '≤', atMost],
            ['peakMiB', '≤', MAX_MIB],
          ],
        }),
      ),
    ]
  })
}
