import { expect, it } from 'vitest'
import { freshHome } from '../helpers/run-cli.ts'
import { onSmallDisk } from '../helpers/small-disk.ts'
import { startSandbox } from '../helpers/start-sandbox.ts'

it('a sync on a full disk says so, and continues once there is room', async () => {
  const platform = await startSandbox(freshHome(), '--returns', '3000')
  const { stdout, stderr } = await onSmallDisk(
    80_000,
    `
    head -c 76000000 /dev/zero > "$RMA_DATA_DIR/filler"
    rma mirror sync --yes --keep forever --with none --json || echo "exit $?"
    rm "$RMA_DATA_DIR/filler"
    rma mirror sync --with none --json
  `,
    { RMA_BASE_URL: platform.baseUrl, RMA_TOKEN: platform.token },
  )
  await platform.stop()
  expect(stderr).toMatch(/disk is full.*make room/s)
  const [first, ...rest] = stdout.split('\n')
  expect(first).toBe('exit 7')
  expect(JSON.parse(rest.join('\n'))).toMatchObject({ held: 3000, isComplete: true })
})
