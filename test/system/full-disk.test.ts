import { expect, it } from 'vitest'
import { changingPlatform } from '../helpers/changing-platform.ts'
import { newFile, newFolder } from '../helpers/files.ts'
import { ZPL } from '../helpers/label-service.ts'
import { plainPlatform } from '../helpers/plain-platform.ts'
import { onSmallDisk } from '../helpers/small-disk.ts'
import { shell, spawnEnv } from '../helpers/spawn-cli.ts'

/** Runs a script in which $DISK is a disk of 64 KiB that has so many left; it is gone with the script. */
function onFullDisk(freeKib: number, script: string) {
  const env = { ...spawnEnv(), DISK: newFolder() }
  const mounted = `
    mount -t tmpfs -o size=64k tmpfs "$DISK"
    head -c ${(64 - freeKib) * 1024} /dev/zero > "$DISK/filler" 2>/dev/null || true
    ${script}`
  const define = 'rma() { "$NODE_BIN" "$RMA_BIN" "$@"; }\n'
  return shell(`exec unshare -rm sh -ec '${(define + mounted).replaceAll("'", `'\\''`)}'`, { env })
}

it('settings on a full disk fail for lack of room, not of permission', async () => {
  const { stdout, stderr } = await onFullDisk(
    4,
    `
    export RMA_CONFIG_DIR="$DISK"
    rma profiles add live --environment staging --base-url https://api.example.com || echo "exit $?"
    rm "$DISK/filler"
    rma profiles add live --environment staging --base-url https://api.example.com -q
    rma profiles list --jq '.[].name' -q
  `,
  )
  expect(stderr).toMatch(/settings file .*the disk is full \(ENOSPC\).*\n.*make room/)
  expect(stderr).not.toMatch('permission')
  expect(stdout).toMatch(/^exit 3\n.*live\n$/s)
})

it('output that fits only partly on the disk is a failure', async () => {
  const { stdout, stderr } = await onFullDisk(
    20,
    `
    rma returns list --limit 10 --json > "$DISK/part" || echo "exit $?"
    rm "$DISK/part"
    rma returns list --limit 1 --json > "$DISK/whole"
    tail -n 1 "$DISK/whole"
  `,
  )
  expect([stdout, stderr]).toEqual(['exit 7\n}\n', expect.stringContaining('the disk is full (ENOSPC)')])
})

it('sheets of labels on a full disk fail for lack of room, with nothing said of downloads', async () => {
  const { stdout, stderr } = await onFullDisk(
    0,
    `
    printf "^XA^FO9,9^GB99,99,9^FS^XZ" > "$RMA_CACHE_DIR.zpl"
    rma labels print "$RMA_CACHE_DIR.zpl" --out "$DISK/sheets.pdf" || echo "exit $?"
  `,
  )
  expect(stdout).toBe('exit 7\n')
  expect(stderr).toMatch(/can't be saved .*the disk is full \(ENOSPC\)\.\nTry: .*, then run it again\n$/)
})

it('the sandbox on a full disk does not advise to remove the data', async () => {
  const { stdout, stderr } = await onFullDisk(
    0,
    `
    export RMA_DATA_DIR="$DISK"
    rma returns list --limit 1 || echo "exit $?"
  `,
  )
  expect(stdout).toBe('exit 7\n')
  expect(stderr).toMatch(/disk is full.*make room/s)
  expect(stderr).not.toMatch('remove the file')
})

it('a watch whose first look met a full disk starts again once there is room', async () => {
  const { server } = await changingPlatform()
  const script = `
    head -c 1000000 /dev/zero > "$RMA_DATA_DIR/filler" 2> /dev/null || true
    rma returns watch --since-last --interval 1s || echo "exit $?"
    rm "$RMA_DATA_DIR/filler"
    timeout --preserve-status -s TERM 8 "$NODE_BIN" "$RMA_BIN" returns watch --since-last --interval 1s || echo "exit $?"
    find "$RMA_DATA_DIR" -type f -path '*watch*' ! -name '*.lock' -printf '%m\\n'
  `
  const { stdout, stderr } = await onSmallDisk(64, script, {
    RMA_BASE_URL: server.baseUrl,
    RMA_TOKEN: 'secret',
  })
  expect([stdout, stderr]).toEqual(['exit 7\n600\n', expect.stringContaining('ENOSPC')])
})

it('a label update that was made is exit 0 and can be undone if its undo file can not be completed', async () => {
  const labels = [{ carrierTrackingCode: 'OLD' }]
  const ids = { id: 'T1', returnName: 'R#-1', shopCode: 'LU', clientReference: 'P#R#LU1' }
  const { env, transport, puts } = await plainPlatform({ ...ids, labels })
  const script = `
    rma labels update "R#-1" --tracking-code K0 --json -q > /dev/null
    head -c 1000000 /dev/zero > "$RMA_DATA_DIR/filler" 2> /dev/null || true
    truncate -s -4096 "$RMA_DATA_DIR/filler"
    rma labels update "R#-1" --tracking-code K1 --jq .undo > "$SCRIPTS/undo"
    rm "$RMA_DATA_DIR/filler"
    . "$SCRIPTS/undo"
  `
  const { code, stderr } = await onSmallDisk(400, script, { ...env, SCRIPTS: newFolder() })
  expect(code, stderr).toBe(0)
  expect(stderr).toMatch(/Warning: The update was made, but its undo may be refused: .*ENOSPC/)
  const codes = ['K0', 'K1', 'K0'].map((carrierTrackingCode) => [{ carrierTrackingCode }])
  expect([puts(), transport.labels]).toMatchObject([
    codes.map((shippingLabels) => ({ shippingLabels })),
    codes[0],
  ])
})

it('a print that a full disk keeps as failed is exit 0 with a warning', async () => {
  const script = `
    printf '#!/bin/sh\ncat > /dev/null\nhead -c 1000000 /dev/zero > %s\necho request id is q-1\n' \
      "$RMA_DATA_DIR/filler" > "$SCRIPTS/lp"
    chmod +x "$SCRIPTS/lp"
    PATH="$SCRIPTS:$PATH"
    rma labels print ${newFile('one.zpl', ZPL)} -P cups:q --json > /dev/null
    rm "$RMA_DATA_DIR/filler"
    rma labels print --history --jq '.runs[].failed'
  `
  const { code, stdout, stderr } = await onSmallDisk(400, script, { SCRIPTS: newFolder() })
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('not finished')])
  expect(stderr).toContain('Warning: Run 1 was printed, but is kept as failed (ENOSPC)')
})
