// `returns list --all -o ndjson`: records a second and peak memory, against a loop of curl and jq over the same pages.
import { homeEnv, inScratch, mustRun, printTable, rma, run, startSandbox } from './measure.mjs'

const LOOP = `set -e
page=1
while :; do
  body=$(curl -sSf -H "Authorization: Bearer $RMA_TOKEN" "$RMA_BASE_URL/returns?limit=500&page=$page")
  printf '%s' "$body" | jq -c '.returns[]'
  [ "$page" -lt "$(printf '%s' "$body" | jq .pageInfo.totalPages)" ] || break
  page=$((page + 1))
done`

export async function bench() {
  const rows = []
  for (const returns of [10_000, 100_000]) {
    await inScratch(async (folder) => {
      const env = homeEnv(folder)
      const sandbox = await startSandbox(['--data', folder, '--returns', String(returns)], env)
      const clientEnv = { ...env, RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token }
      const ours = await mustRun(process.execPath, [rma, 'returns', 'list', '--all', '-o', 'ndjson'], {
        env: clientEnv,
        peak: true,
      })
      if (ours.lines !== returns) throw new Error(`${ours.lines} records arrived, not ${returns}`)
      const loop = await run('bash', ['-c', LOOP], { env: clientEnv })
      await sandbox.stop()
      const complete = loop.code === 0 && loop.lines === returns
      const rate = (result) => (returns / result.ms) * 1000
      rows.push([
        returns.toLocaleString('en'),
        rate(ours).toFixed(0),
        complete ? rate(loop).toFixed(0) : 'not present',
        complete ? `${(rate(ours) / rate(loop)).toFixed(2)}×` : '',
        ours.peakMiB.toFixed(0),
      ])
    })
  }
  printTable(
    '`returns list --all -o ndjson`',
    ['returns', 'records/s', 'curl and jq, records/s', 'ratio', 'peak MiB (target ≤ 150, no growth)'],
    rows,
  )
}
