import { expect, it } from 'vitest'
import { onSmallDisk } from '../helpers/small-disk.ts'
import { fileOf, scans, trackingService } from '../helpers/tracking-service.ts'

/** A service that takes updates, and what became of a script whose disk has so many KiB. */
async function updatesFromSmallDisk(kib: number, script: string) {
  const service = await trackingService()
  return { ...service, ...(await onSmallDisk(kib, script, service.env)) }
}

it('a disk that fills up stops sending, and the job continues exactly once there is room', async () => {
  const file = fileOf(scans(3000))
  const script = `
    rma tracking push --file ${file} --timeout 3 --json -q || echo "exit $?"
    mount -o remount,size=10m "$RMA_DATA_DIR"
    rma jobs list --jq '.[].state' -q
    rma jobs resume --last --json -q
  `
  const { code, stdout, stderr, taken, updates } = await updatesFromSmallDisk(64, script)
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(
    /"unavailable".*journal .* can't be written: the disk is full \(ENOSPC\).*rma jobs resume/,
  )
  const [full = '', resumed = ''] = stdout.split('exit 7\nremaining\n')
  const { succeeded, remaining, unknown } = JSON.parse(full)
  expect([succeeded > 100, remaining > 100, unknown]).toEqual([true, true, 0])
  expect(succeeded + remaining).toBe(3000)
  expect(JSON.parse(resumed)).toMatchObject({ succeeded: 3000, failed: 0, unknown: 0, remaining: 0 })
  expect(updates).toHaveLength(3000)
  expect(new Set(taken.map(({ shipmentId }) => shipmentId)).size).toBe(3000)
})

it('a full disk for standard input, a job or a plan is reported, and nothing is sent or left', async () => {
  const file = fileOf(scans(3000))
  const script = `
    rma tracking push --file - < ${file} || echo "exit $?"
    rma tracking plan --file ${file} --out "$RMA_DATA_DIR/plan" || echo "exit $?"
    ls "$RMA_DATA_DIR"
    head -c 100000 /dev/zero > "$RMA_DATA_DIR/filler" || true
    rma tracking push --file ${file} || echo "exit $?"
    rm "$RMA_DATA_DIR/filler"
    rma jobs list --json -q
  `
  const { code, stdout, stderr, updates } = await updatesFromSmallDisk(64, script)
  expect([code, stdout]).toEqual([0, 'exit 7\nexit 7\nexit 7\n[]\n'])
  expect(stderr).toMatch(/standard input can't be kept in .*ENOSPC[\s\S]*plan can't be written: ENOSPC/)
  expect(stderr).not.toMatch("fault of rma's own")
  expect(updates).toEqual([])
})
