// `tracking push` of a file: rows per second compared with `xargs curl` and bare got.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeEnv, inScratch, inTurns, mustRun, rmaFaster, root, rowOf, sized } from './measure.mjs'
import { grouped } from './page.mjs'
import { CONCURRENCY, push, reports, withServer, writeCsv } from './tracking.mjs'

const ROWS = sized(20_000, 500)
/** Fewer rows for slow curl, which does the same work for each. */
const CURL_ROWS = sized(2000, 100)
export const rounds = sized(9, 1)

const CURL = `xargs -P${CONCURRENCY} -d '\\n' -n1 curl -sSf -o /dev/null -H "Authorization: Bearer $RMA_TOKEN" \
  -H 'Content-Type: application/json' "$RMA_BASE_URL/shipping_trackings" -d < "$1"`

/** Tracking updates addressed by label ids, which rma compares with the active transports. */
function* namedReports() {
  let index = 0
  for (const { shipmentId, ...report } of reports(ROWS)) {
    yield { shipmentId: `${shipmentId}-TT${index}`, ...report }
    index += 1
  }
}

export async function bench() {
  return inScratch((folder) => withServer([], (baseUrl) => measure(folder, baseUrl), ROWS))
}

async function measure(folder, baseUrl) {
  const env = homeEnv(folder, { RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' })
  const files = ['rows.csv', 'named.csv', 'bodies.ndjson', 'few.ndjson']
  const [csv, named, bodies, few] = files.map((name) => join(folder, name))
  writeCsv(csv, reports(ROWS))
  writeCsv(named, namedReports())
  const lines = [...reports(ROWS)].map((one) => JSON.stringify({ ...one, shipmentIdType: 'RETURN_NAME' }))
  writeFileSync(bodies, `${lines.join('\n')}\n`)
  writeFileSync(few, `${lines.slice(0, CURL_ROWS).join('\n')}\n`)
  const script = join(root, 'bench/bare-got-trackings.mjs')
  const taken = await inTurns(rounds, {
    // A new data folder for each run: rma does not send an update twice.
    rma: (round) => {
      const RMA_DATA_DIR = join(folder, `data-${round}`)
      return mustRun(process.execPath, push(csv), { env: { ...env, RMA_DATA_DIR } })
    },
    named: (round) => {
      const RMA_DATA_DIR = join(folder, `data-named-${round}`)
      return mustRun(process.execPath, push(named), { env: { ...env, RMA_DATA_DIR } })
    },
    got: () => mustRun(process.execPath, [script, baseUrl, bodies], { env }),
    curl: () => mustRun('bash', ['-c', CURL, 'curl', few], { env }),
  })
  const { accepted } = await (await fetch(`${baseUrl}/stats`)).json()
  const expected = (rounds + 1) * (3 * ROWS + CURL_ROWS)
  if (accepted !== expected) throw new Error(`${accepted} reports arrived, not ${expected}`)
  return [
    rowOf(`\`push\` of ${grouped(ROWS)} rows, ${CONCURRENCY} at a time`, taken.rma, { count: ROWS }),
    rowOf('bare got, nothing kept', taken.got, {
      count: ROWS,
      ...rmaFaster(taken.got, taken.rma),
      // 1.1 if got keeps its own connection handling, which src/lib/api/http/connections.ts replaces.
      goals: [['ratio', '≥', 1.3]],
    }),
    rowOf('the same, each id naming a transport', taken.named, { count: ROWS }),
    rowOf('bare got, to that', taken.got, {
      count: ROWS,
      ...rmaFaster(taken.got, taken.named),
      goals: [['ratio', '≥', 1.3]],
    }),
    rowOf(`\`xargs -P${CONCURRENCY} curl\``, taken.curl, {
      count: CURL_ROWS,
      ...rmaFaster(taken.curl, taken.rma, CURL_ROWS / ROWS),
      goals: [['ratio', '≥', 15]],
    }),
  ]
}
