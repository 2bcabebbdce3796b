// `labels download` of 1,000 labels of 60 kB: time and peak memory, against a loop of curl, jq and base64, and against
// a program that does the same with bare got.
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goal, grouped, homeEnv, inScratch, median, mustRun, rma, root } from './measure.mjs'

const LABELS = 1000
/** The loop is slow; the same work for each label, so that fewer tell as much. */
const LOOP_LABELS = 200
const ROUNDS = 3

const LOOP = `set -e
while read -r id; do
  curl -sSf -H "Authorization: Bearer $RMA_TOKEN" "$RMA_BASE_URL/shipping_labels?client_shipment_id=$id" |
    jq -r '.[0].shippingLabels[0].base64' | base64 -d > "$2/$id.pdf"
done < "$1"`

export async function bench() {
  return inScratch(async (folder) => {
    const server = await startLabelServer()
    try {
      return await measure(folder, `http://127.0.0.1:${server.port}`)
    } finally {
      server.child.kill()
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
  const rates = { ours: [], got: [], loop: [] }
  let peakMiB = 0
  for (let round = 0; round < ROUNDS; round += 1) {
    const into = (name, count) => newFolder(join(folder, `${name}-${round}`), count)
    const ours = into('ours', LABELS + 1)
    const argv = ['labels', 'download', '--file', idFile, '--out', ours.path, '--quiet', '-o', 'ndjson']
    const mine = await mustRun(process.execPath, [rma, ...argv], { env })
    rates.ours.push(ours.rate(mine))
    const measured = into('memory', LABELS + 1)
    const again = argv.map((word) => (word === ours.path ? measured.path : word))
    peakMiB = Math.max(
      peakMiB,
      (await mustRun(process.execPath, [rma, ...again], { env, peak: true })).peakMiB,
    )
    const bare = into('got', LABELS)
    const script = join(root, 'bench/bare-got-labels.mjs')
    rates.got.push(bare.rate(await mustRun(process.execPath, [script, baseUrl, idFile, bare.path], { env })))
    const loop = into('loop', LOOP_LABELS)
    rates.loop.push(loop.rate(await mustRun('bash', ['-c', LOOP, 'loop', fewFile, loop.path], { env })))
  }
  const [ours, got, loop] = [rates.ours, rates.got, rates.loop].map((all) => median(all))
  const row = (name, rate, least) => [
    name,
    `${grouped(rate)}/s`,
    `rma: ${(ours / rate).toFixed(2)}×`,
    goal(`≥ ${least}×`, ours / rate >= least),
  ]
  return [
    [`${grouped(LABELS)} labels of 60 kB`, `${grouped(ours)}/s`],
    ['their peak memory', `${peakMiB.toFixed(0)} MiB`, '', goal('≤ 150 MiB', peakMiB <= 150)],
    row('bare got, 8 at a time, nothing synced or checked', got, 0.7),
    row(`\`curl\`, \`jq\`, \`base64 -d\` in a loop (${LOOP_LABELS} labels)`, loop, 8),
  ]
}

/** A folder that must hold so many files in the end. */
function newFolder(path, count) {
  mkdirSync(path)
  return {
    path,
    rate: ({ ms }) => {
      const files = readdirSync(path).length
      if (files !== count) throw new Error(`${path} holds ${files} files, not ${count}`)
      return ((count - (count % 100)) / ms) * 1000
    },
  }
}

export function startLabelServer() {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(root, 'bench/label-server.mjs')], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    child.on('error', reject)
    child.stdout.once('data', (chunk) => resolve({ child, port: Number(chunk) }))
  })
}
