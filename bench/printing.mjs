// `labels print` of the sandbox's labels, one A4 page each: time and peak memory.
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { homeEnv, inScratch, mustRun, rma, rowOf, sized } from './measure.mjs'
import { grouped } from './page.mjs'

const LABELS = sized(1000, 20)
/** Sandbox returns needed for enough labels of this shop. */
const RETURNS = LABELS * 5
const SHOP = 'LUMBRE-ES'
export const rounds = sized(5, 1)

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const run = (argv, options) => mustRun(process.execPath, [rma, ...argv], { env, ...options })
    await run(['sandbox', 'reset', '--returns', String(RETURNS), '--yes'])
    const listed = await run(['returns', 'list', '--all', '--shop', SHOP, '-o', 'ndjson'], { keep: true })
    const records = listed.stdout.trimEnd().split('\n').map(JSON.parse)
    const transports = records.flatMap(({ activeTransportation }) => activeTransportation ?? [])
    const ids = transports.filter(({ carrierLabel }) => carrierLabel).map((it) => it.clientReference)
    const [file, labels, out] = ['ids.txt', 'labels', 'sheets.pdf'].map((name) => join(folder, name))
    writeFileSync(file, `${ids.slice(0, LABELS).join('\n')}\n`)
    await run(['labels', 'download', '--file', file, '--shop', SHOP, '--out', labels])
    const saved = readdirSync(labels).length
    if (saved !== LABELS + 1) throw new Error(`${saved} files were saved, not ${LABELS + 1}`)
    const runs = []
    for (let round = 1; round <= rounds; round += 1) {
      runs.push(await run(['labels', 'print', labels, '--sheet', 'a4', '--out', out, '-q'], { peak: true }))
      if (!existsSync(out)) throw new Error('nothing was printed')
      rmSync(out)
    }
    const goals = [
      ['ms', '<', 20_000],
      ['peakMiB', '<', 300],
    ]
    return [rowOf(`\`labels print\` of ${grouped(LABELS)} PDFs on A4`, runs, { goals })]
  })
}
