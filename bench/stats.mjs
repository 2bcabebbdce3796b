// `returns stats`, `stuck` and `reconcile` of a mirror of so many returns, against jq over an export of them.
import { readdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { homeEnv, inScratch, mustRun, rma, rmaFaster, rowOf, run, sized, startSandbox } from './measure.mjs'
import { grouped } from './page.mjs'

const Database = createRequire(import.meta.url)('libsql')
/** Returns that are made by the sandbox, and copied under other ids. */
const SEED = 2000
const MULTIPLIED = ['returns', 'return_items', 'refunds', 'tracking_events', 'transports']
const ALSO = ['return_measures', 'scan_gaps']

/** Straight into the file: a sync of a million returns takes minutes. */
function multiply(file, returns) {
  const db = new Database(file)
  db.exec('PRAGMA synchronous = OFF; BEGIN')
  for (const table of [...MULTIPLIED, ...ALSO]) {
    const columns = db
      .prepare(`PRAGMA table_info(${table})`)
      .all()
      .map(({ name }) => name)
    const key = table === 'returns' ? 'id' : 'return_id'
    const values = columns.map((name) => {
      if (name === key) return `${key} || '-' || ?`
      return name === 'created_minute' ? 'created_minute - ? * 37' : name
    })
    const copy = db.prepare(`INSERT INTO ${table} SELECT ${values} FROM ${table} WHERE ${key} NOT LIKE '%-%'`)
    const isTimed = columns.includes('created_minute')
    for (let at = 1; at < returns / SEED; at += 1) copy.run(...(isTimed ? [at, at] : [at]))
  }
  db.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
  db.close()
}

const JQ = 'reduce inputs as $r ({}; .[$r.status] += 1 | .[$r.customer.address.countryCode // ""] += 1)'

export async function bench() {
  const rows = []
  for (const returns of sized([100_000, 1_000_000], [4000])) {
    await inScratch(async (folder) => {
      const home = homeEnv(folder, { RMA_DATA_DIR: join(folder, 'data') })
      const sandbox = await startSandbox(['--data', folder, '--returns', String(SEED)], home)
      const env = { ...home, RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token }
      const flags = ['mirror', 'sync', '--yes', '--with', 'transports,refunds', '--quiet']
      await mustRun(process.execPath, [rma, ...flags], { env })
      const listed = await mustRun(process.execPath, [rma, 'returns', 'list', '--all', '-o', 'ndjson'], {
        env,
        keep: true,
      })
      await sandbox.stop()
      const mirrors = join(env.RMA_DATA_DIR, 'mirrors')
      multiply(
        join(
          mirrors,
          readdirSync(mirrors).find((name) => name.endsWith('.db')),
        ),
        returns,
      )
      for (const command of ['stats', 'stuck', 'reconcile']) {
        const argv = [rma, 'returns', command, '--offline', '-o', 'csv', '--quiet']
        const taken = await run(process.execPath, argv, { env, peak: true })
        rows.push(
          rowOf(`\`returns ${command}\`, ${grouped(returns)} returns`, [taken], {
            note: `${grouped(taken.lines)} lines`,
            ...(command === 'stats' &&
              returns === 1_000_000 && {
                goals: [
                  ['ms', '≤', 2000],
                  ['peakMiB', '≤', 150],
                ],
              }),
          }),
        )
        if (command !== 'stats' || returns > 100_000) continue
        const file = join(folder, 'export.ndjson')
        writeFileSync(file, listed.stdout.repeat(returns / SEED))
        const jq = await run('jq', ['-n', JQ, file], { env })
        if (jq.code === 0) rows.push(rowOf('the same, counted by jq', [jq], rmaFaster([jq], [taken])))
      }
    })
  }
  return rows
}
