import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { fileOf, reportService, scans } from '../commands/tracking/report-service.ts'
import { shell, spawnEnv } from '../helpers/spawn-cli.ts'

/** Runs a script in which $RMA_DATA_DIR is a disk of its own, of so many KiB; it is gone with the script. */
async function onSmallDisk(kib: number, script: string) {
  const service = await reportService()
  const disk = mkdtempSync(join(tmpdir(), 'rma-disk-'))
  const env = { ...spawnEnv(), ...service.env, RMA_DATA_DIR: disk }
  const mounted = `mount -t tmpfs -o size=${kib}k tmpfs "$RMA_DATA_DIR"\n${script}`
  const define = 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  const result = await shell(`exec unshare -rm sh -ec '${(define + mounted).replaceAll("'", `'\\''`)}'`, {
    env,
  })
  return { ...service, ...result }
}

it('a disk that fills up: nothing is sent without its journal; with room again the job goes on exactly', async () => {
  const file = fileOf(scans(6000))
  const script = `
    rma tracking push --file ${file} --json -q || echo "exit $?"
    mount -o remount,size=10m "$RMA_DATA_DIR"
    rma jobs list --jq '.[].state' -q
    rma jobs resume --last --json -q
  `
  const { code, stdout, stderr, taken, reports } = await onSmallDisk(64, script)
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(
    /"unavailable".*journal .* can't be written: there is no room left \(ENOSPC\).*rma jobs resume/,
  )
  const [full = '', resumed = ''] = stdout.split('exit 7\nremaining\n')
  const { succeeded, remaining, unknown } = JSON.parse(full)
  expect([succeeded > 100, remaining > 100, unknown]).toEqual([true, true, 0])
  expect(succeeded + remaining).toBe(6000)
  expect(JSON.parse(resumed)).toMatchObject({ succeeded: 6000, failed: 0, unknown: 0, remaining: 0 })
  expect(reports).toHaveLength(6000)
  expect(new Set(taken.map(({ shipmentId }) => shipmentId)).size).toBe(6000)
}, 120_000)

it('no room for what comes in by standard input, for a job, or for a plan: said so, and nothing is sent or left', async () => {
  const file = fileOf(scans(6000))
  const script = `
    rma tracking push --file - < ${file} || echo "exit $?"
    rma tracking plan --file ${file} --out "$RMA_DATA_DIR/plan" || echo "exit $?"
    ls "$RMA_DATA_DIR"
    head -c 100000 /dev/zero > "$RMA_DATA_DIR/filler" || true
    rma tracking push --file ${file} || echo "exit $?"
    rm "$RMA_DATA_DIR/filler"
    rma jobs list --json -q
  `
  const { code, stdout, stderr, reports } = await onSmallDisk(64, script)
  expect([code, stdout]).toEqual([0, 'exit 7\nexit 7\nexit 7\n[]\n'])
  expect(stderr).toMatch(/standard input can't be kept in .*ENOSPC[\s\S]*plan can't be written: ENOSPC/)
  expect(stderr).not.toMatch(/fault of rma's own/)
  expect(reports).toEqual([])
}, 60_000)
