import { expect, it } from 'vitest'
import { expectEnd } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { label, labelRequest, labelService, PDF } from '../helpers/label-service.ts'
import { onSmallDisk } from '../helpers/small-disk.ts'
import { shell, spawnEnvAt } from '../helpers/spawn-cli.ts'

/** Leaves so many pages of 4 KiB free, which is the least that a file with content takes there. */
const fill = (pages: number) => `
  for n in $(seq ${pages}); do echo > "$RMA_DATA_DIR/page$n"; done
  head -c 1000000 /dev/zero > "$RMA_DATA_DIR/filler" 2> /dev/null || true
  rm -f "$RMA_DATA_DIR"/page*
`

it('a disk without room for the settings lock leaves none, and later writes work at once', async () => {
  const script = `
    export RMA_CONFIG_DIR="$RMA_DATA_DIR/config"
    ${fill(0)}
    mkdir "$RMA_CONFIG_DIR"
    rma profiles add one --base-url https://one.example || echo "exit $?"
    ls -A "$RMA_CONFIG_DIR"
    rm "$RMA_DATA_DIR/filler"
    rma profiles add two --base-url https://two.example -q
    ls -A "$RMA_CONFIG_DIR"
  `
  const { stdout, stderr } = await onSmallDisk(64, script)
  expect(stdout.split('\n'), stderr).toEqual([
    'exit 3',
    'Added the profile two (development). Use it with: rma profiles use two',
    'config.json',
    '',
  ])
  expect(stderr).toMatch('ENOSPC')
})

it('a disk with room for the label alone leaves no lock, and later the list has it at once', async () => {
  const service = await labelService()
  service.made.set('SHP-1', [{ clientShipmentId: 'SHP-1', shippingLabels: [label(PDF)] }])
  const script = `
    out="$RMA_DATA_DIR/labels"
    mkdir "$out"
    ${fill(1)}
    rma labels download SHP-1 --out "$out" -q > /dev/null || echo "exit $?"
    ls -A "$out"
    rm "$RMA_DATA_DIR/filler"
    rma labels download SHP-1 --out "$out" -q --jq '.files[].clientShipmentId'
    ls -A "$out"
    rma labels verify "$out" -q > "$RMA_DATA_DIR/verified" && echo verified
  `
  const env = { RMA_BASE_URL: service.baseUrl, RMA_TOKEN: 'token' }
  const { stdout, stderr } = await onSmallDisk(64, script, env)
  const listed = ['exit 7', 'SHP-1.pdf', 'SHP-1', 'SHP-1.pdf', 'manifest.json', 'verified', '']
  expect(stdout.split('\n'), stderr).toEqual(listed)
  expect(stderr).toMatch(/The list of saved labels can't be written at .*the disk is full \(ENOSPC\)/)
})

it('a sandbox that runs on a full disk says so, and writes again once there is room', async () => {
  const script = `
    "$NODE_BIN" "$RMA_BIN" sandbox start --port 0 --returns 10 -o json > "$OUT/started" 2> "$OUT/told" &
    until [ -s "$OUT/started" ]; do sleep 0.1; done
    ${fill(0)}
    for n in 1 2; do rma sandbox advance 1d || echo "exit $?"; done
    rm "$RMA_DATA_DIR/filler"
    rma sandbox advance 1d --jq 'keys[0]'
    kill $!
    wait
    cat "$OUT/told" >&2
  `
  const { stdout, stderr } = await onSmallDisk(900, script, { OUT: newFolder() })
  expect(stdout.split('\n'), stderr).toEqual(['exit 7', 'exit 7', 'events', ''])
  expect(stderr.match(/The sandbox can't use .*sandbox.db: the disk is full/g)).toHaveLength(3)
  expect(stderr).not.toMatch('Internal error')
})

it('a file size limit too low for a lock is reported with the way to raise it', async () => {
  const service = await labelService()
  const env = spawnEnvAt(service.baseUrl)
  const order = `'${JSON.stringify(labelRequest('SHP-1'))}'`
  for (const command of [
    'returns watch --since-last',
    `labels create --from - --out "$RMA_DATA_DIR/labels" <<< ${order}`,
  ]) {
    expectEnd(
      await shell(`trap '' XFSZ; ulimit -f 0; rma ${command}`, { env }, 'bash'),
      7,
      /may not become larger.*EFBIG.*ulimit -f/s,
    )
  }
  expect(service.posts()).toEqual([])
})
