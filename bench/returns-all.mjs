// `returns list --all -o ndjson`: records a second and peak memory, against a loop of curl and jq over the same pages.
import { goal, grouped, homeEnv, inScratch, mustRun, rma, run, startSandbox } from './measure.mjs'

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
        `${grouped(returns)} returns`,
        `${grouped(rate(ours))}/s`,
        complete ? `${(rate(ours) / rate(loop)).toFixed(2)}× curl and jq in a loop` : 'no curl or jq',
      ])
      rows.push([
        'their peak memory',
        `${ours.peakMiB.toFixed(0)} MiB`,
        '',
        goal('≤ 150 MiB', ours.peakMiB <= 150),
      ])
    })
  }
  return rows
}
