import { expect, it } from 'vitest'
import { labelRequest, labelService } from '../helpers/label-service.ts'
import { refusal, scriptServer } from '../helpers/script-server.ts'
import { onSmallDisk } from '../helpers/small-disk.ts'

it('a disk without room for a line of the audit log keeps updates, raw calls and purchases from being sent', async () => {
  const posts: string[] = []
  const platform = await scriptServer(({ method, path }) => {
    if (method === 'POST') posts.push(path)
    return refusal('NF01', 'none', 404)
  })
  const labels = await labelService()
  const script = `
    head -c 1000000 /dev/zero > "$RMA_DATA_DIR/filler" 2> /dev/null || true
    rma tracking push R#-1 --status SHIPPING_IN_PROGRESS || echo "exit $?"
    echo '{}' | rma api POST /shipping_trackings --input - --yes || echo "exit $?"
    export RMA_BASE_URL=${labels.baseUrl}
    echo '${JSON.stringify(labelRequest('SHP-1'))}' | rma labels create --from - --out labels || echo "exit $?"
  `
  const { stdout, stderr } = await onSmallDisk(64, script, {
    RMA_BASE_URL: platform.baseUrl,
    RMA_TOKEN: 'secret',
  })
  expect([stdout, posts, labels.posts()]).toEqual(['exit 7\nexit 7\nexit 7\n', [], []])
  expect(stderr.match(/the disk is full \(ENOSPC\)/g)).toHaveLength(3)
})
