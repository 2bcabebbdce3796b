import { join } from 'node:path'
import { expect, it } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { PDF } from '../helpers/label-service.ts'
import { homeAt, runCli } from '../helpers/run-cli.ts'
import { type Answer, scriptServer } from '../helpers/script-server.ts'
import '../../src/commands/labels/download.ts'

const SECRETS = ['NOBODY-SIGNED', 'NOBODY-KEY', 'NOBODY-TOKEN', 'NOBODY-KNOWS']
const query = SECRETS.map((secret, i) => `${['signature', 'Key-Pair-Id', 'token', 'q'][i]}=${secret}`).join(
  '&',
)

it.each<[string, number, Answer]>([
  ['is there', 0, { body: PDF }],
  ['has moved', 0, { status: 302, headers: { location: `/elsewhere.pdf?${query}#${query}` } }],
  ['is refused', 6, { status: 403, body: `<Error>SignatureDoesNotMatch: /label.pdf?${query}</Error>` }],
  [
    'is elsewhere inside',
    8,
    { status: 302, headers: { location: `https://127.0.0.2:1/label.pdf?${query}` } },
  ],
  ['breaks off', 7, { fault: 'reset' }],
])('a signed label URL that %s: nothing of its query is shown or traced', async (_name, exit, answer) => {
  const server = await scriptServer(({ path, headers }) => {
    if (path === '/shipping_labels') {
      const url = `http://${headers.host}/label.pdf?${query}#${query}`
      return { body: [{ clientShipmentId: 'SHP-1', shippingLabels: [{ format: 'PDF', url }] }] }
    }
    if (path === '/elsewhere.pdf') return { body: PDF }
    return answer
  })
  const folder = newFolder()
  const trace = join(folder, 'trace.har')
  const argv = typed`labels download SHP-1 --out ${folder} --verbose --trace ${trace} --retries 0`
  const env = homeAt(server.baseUrl)
  const { code, stdout, stderr } = await runCli(argv, { env })
  const traced = textFile(trace)
  expect(code, stderr).toBe(exit)
  // The exchange itself is told.
  for (const text of [stderr, traced]) expect(text).toContain('/label.pdf?***')
  for (const secret of SECRETS) expect(stdout + stderr + traced).not.toContain(secret)
})
