// `node bench/compare.mjs CHECKOUT`: this checkout against another one, both built, in turns on the same machine.
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { startLabelServer } from './labels.mjs'
import { homeEnv, inScratch, median, mustRun, printSection, root, startSandbox } from './measure.mjs'
import { reports, withServer, writeCsv } from './tracking.mjs'

const ROUNDS = Number(process.env.RMA_BENCH_ROUNDS ?? 9)
const RETURNS = 10_000
const ROWS = 10_000
const LABELS = 500

const other = process.argv[2]
const binaries = [other ?? '', root].map((folder) => join(folder, 'bin/run.js'))
if (other === undefined || binaries.some((path) => !existsSync(path))) {
  console.error('Name the folder of another checkout that is built: node bench/compare.mjs ../before')
  process.exit(2)
}

await inScratch(async (folder) => {
  const env = homeEnv(folder)
  const csv = join(folder, 'rows.csv')
  const ids = join(folder, 'ids.txt')
  writeCsv(csv, reports(ROWS))
  writeFileSync(ids, Array.from({ length: LABELS }, (_unused, index) => `SHP-${index + 1}\n`).join(''))
  const labels = await startLabelServer()
  const sandbox = await startSandbox(['--memory', '--returns', String(RETURNS)], env)
  await withServer([], async (tracking) => {
    let folders = 0
    const newFolder = () => {
      folders += 1
      const path = join(folder, `new-${folders}`)
      mkdirSync(path)
      return path
    }
    const rowsAsLines = ['--quiet', '-o', 'ndjson']
    // A data folder of its own: what was sent before is not sent again.
    const to = (baseUrl) => () => ({
      ...env,
      RMA_BASE_URL: baseUrl,
      RMA_TOKEN: 'token',
      RMA_DATA_DIR: newFolder(),
    })
    const live = () => ({ ...env, RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token })
    const subjects = [
      ['`--version`', () => ['--version'], () => env],
      ['`returns list`', () => ['returns', 'list'], live],
      [
        `\`returns list --all\`, ${RETURNS} returns`,
        () => ['returns', 'list', '--all', ...rowsAsLines],
        live,
      ],
      [
        `\`tracking push\`, ${ROWS} rows`,
        () => ['tracking', 'push', '--file', csv, '--concurrency', '16', ...rowsAsLines],
        to(tracking),
      ],
      [
        `\`labels download\`, ${LABELS} labels`,
        () => ['labels', 'download', '--file', ids, '--out', newFolder(), ...rowsAsLines],
        to(`http://127.0.0.1:${labels.port}`),
      ],
    ]
    const rows = []
    for (const [name, args, envOf] of subjects) {
      rows.push([name, ...(await compared(args, envOf))])
    }
    printSection(
      'This checkout against another',
      `Median of ${ROUNDS} rounds in turns; the ratio is the median of theirs, and below 1 is faster.`,
      rows,
    )
  }).finally(async () => {
    labels.child.kill()
    await sandbox.stop()
  })
})

/** Cells of one command: time and peak memory with either checkout. */
async function compared(args, envOf) {
  const times = [[], []]
  const peaks = [0, 0]
  // The first round only warms up.
  for (let round = 0; round <= ROUNDS; round += 1) {
    for (const [index, binary] of binaries.entries()) {
      const { ms } = await mustRun(process.execPath, [binary, ...args()], { env: envOf() })
      if (round > 0) times[index].push(ms)
    }
  }
  for (const [index, binary] of binaries.entries()) {
    const { peakMiB } = await mustRun(process.execPath, [binary, ...args()], { env: envOf(), peak: true })
    peaks[index] = peakMiB
  }
  const [before, after] = times
  const ratio = median(after.map((ms, round) => ms / before[round]))
  return [
    `${median(after).toFixed(0)} ms, ${peaks[1].toFixed(0)} MiB`,
    `before ${median(before).toFixed(0)} ms, ${peaks[0].toFixed(0)} MiB: ${ratio.toFixed(2)}×`,
  ]
}
