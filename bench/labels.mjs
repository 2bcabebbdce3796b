// `labels download` of 60 kB labels: time and peak memory, compared with a loop of curl, jq and base64, and with bare
// got.
import { mkdtempSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import {
  homeEnv,
  inScratch,
  inTurns,
  mustRun,
  rma,
  rmaFaster,
  root,
  rowOf,
  sized,
  startServer,
} from './measure.mjs'
import { grouped } from './page.mjs'

const LABELS = sized(1000, 50)
/** Fewer labels for the slow loop, which does the same work for each. */
const LOOP_LABELS = sized(200, 10)
export const rounds = sized(9, 1)

const LOOP = `set -e
while read -r id; do
  curl -sSf -H "Authorization: Bearer $RMA_TOKEN" "$RMA_BASE_URL/shipping_labels?client_shipment_id=$id" |
    jq -r '.[0].shippingLabels[0].base64' | base64 -d > "$2/$id.pdf"
done < "$1"`

export async function bench() {
  return inScratch(async (folder) => {
    const server = await startServer('label-server.mjs')
    try {
      return await measure(folder, server.baseUrl)
    } finally {
      await server.stop()
    }
  })
}

async function measure(folder, baseUrl) {
  const env = homeEnv(folder, { RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' })
  const ids = Array.from({ length: LABELS }, (_unused, index) => `SHP-${index + 1}`)
  const idFile = join(folder, 'ids.txt')
  const fewFile = join(folder, 'few.txt')
  writeFileSync(idFile, `${ids.join('\n')}\n`)
  writeFileSync(fewFile, `${ids.slice(0, LOOP_LABELS).join('\n')}\n`)
  const download = (options) =>
    into(folder, LABELS + 1, (out) => {
      const argv = ['labels', 'download', '--file', idFile, '--out', out, '--quiet', '-o', 'ndjson']
      return mustRun(process.execPath, [rma, ...argv], { env, ...options })
    })
  const script = join(root, 'bench/bare-got-labels.mjs')
  const taken = await inTurns(rounds, {
    rma: () => download(),
    got: () =>
      into(folder, LABELS, (out) => mustRun(process.execPath, [script, baseUrl, idFile, out], { env })),
    loop: () =>
      into(folder, LOOP_LABELS, (out) => mustRun('bash', ['-c', LOOP, 'loop', fewFile, out], { env })),
  })
  const { peakMiB } = await download({ peak: true })
  return [
    rowOf(`${grouped(LABELS)} labels of 60 kB`, taken.rma, {
      count: LABELS,
      peakMiB,
      goals: [['peakMiB', '≤', 150]],
    }),
    rowOf('bare got, nothing synced', taken.got, {
      count: LABELS,
      ...rmaFaster(taken.got, taken.rma),
      goals: [['ratio', '≥', 0.9]],
    }),
    rowOf('`curl`, `jq`, `base64 -d` in a loop', taken.loop, {
      count: LOOP_LABELS,
      ...rmaFaster(taken.loop, taken.rma, LOOP_LABELS / LABELS),
      goals: [['ratio', '≥', 8]],
    }),
  ]
}

/**
 * Runs the work in a new folder and checks its number of files. The folder stays until the end: after a deletion ext4
 * looks for minutes at each freed inode before it takes another, which makes new files several times as slow.
 */
async function into(folder, count, work) {
  const out = mkdtempSync(join(folder, 'out-'))
  const run = await work(out)
  const files = readdirSync(out).length
  if (files !== count) throw new Error(`${files} files were saved, not ${count}`)
  return run
}
