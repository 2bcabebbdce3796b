// Jobs of a million rows: first run, resume after the end, and all rows refused.
import { join } from 'node:path'
import { homeEnv, inScratch, rma, rowOf, run, sized } from './measure.mjs'
import { grouped } from './page.mjs'
import { push, reports, withServer, writeCsv } from './tracking.mjs'

const ROWS = sized(1_000_000, 500)
const MAX_MIB = 150
/** Exit code of a job with failed rows. */
const SOME_FAILED = 9

export async function bench() {
  return inScratch(async (folder) => {
    const csv = join(folder, 'rows.csv')
    writeCsv(csv, reports(ROWS))
    const rows = []
    const taking = (name, baseUrl, code) => async (what, argv, goals) => {
      const env = homeEnv(folder, {
        RMA_BASE_URL: baseUrl,
        RMA_TOKEN: 'token',
        RMA_DATA_DIR: join(folder, name),
      })
      const taken = await run(process.execPath, argv, { env, peak: true })
      if (![0, code].includes(taken.code))
        throw new Error(`${what} ended with ${taken.code}: ${taken.stderr}`)
      rows.push(rowOf(what, [taken], { goals: [...goals, ['peakMiB', '<', MAX_MIB]] }))
    }
    await withServer([], async (baseUrl) => {
      const take = taking('taken', baseUrl, 0)
      await take(`\`push\` of ${grouped(ROWS)} rows`, push(csv), [])
      await take('`jobs resume` of it, done', [rma, 'jobs', 'resume', '--last', '--yes'], [['ms', '≤', 5000]])
    })
    await withServer(['refuse'], async (baseUrl) => {
      const take = taking('refused', baseUrl, SOME_FAILED)
      await take('`push`, all refused: `failed.csv`', push(csv, ['--max-failures', '100%']), [])
      await take('`jobs show -o json` of them', [rma, 'jobs', 'show', '--last', '-o', 'json'], [])
    })
    return rows
  })
}
