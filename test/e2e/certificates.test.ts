import { writeFileSync } from 'node:fs'
import https from 'node:https'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { selfSigned } from '../../src/lib/sandbox/http/self-signed.ts'
import { expectEnd, jsonOf } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { caFile, leafTls, tlsPair } from '../helpers/leaf-tls.ts'
import { homeAt, runIn } from '../helpers/run-cli.ts'
import { closing, listening, pageOf } from '../helpers/script-server.ts'
import { times, valuesOf } from '../helpers/values-of.ts'

interface Update {
  shipmentId: string
  trackingDate: string
}

/** Takes updates; once `turnAt` are there it breaks all connections off, and shows another certificate from then on. */
async function turningPlatform(turnAt: number) {
  let bad: { key: string; cert: string } | undefined
  const taken: Update[] = []
  const server = https.createServer(leafTls, async (request, response) => {
    let text = ''
    for await (const chunk of request) text += chunk
    const name = new URL(request.url ?? '/', 'https://x').searchParams.get('name') ?? 'R#-0'
    const id = request.url?.split('/')[2]
    const answer = (body: unknown) =>
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    if (request.method === 'GET' && id?.startsWith('R')) {
      const events = taken.filter(({ shipmentId }) => `${shipmentId.replace('#', '')}` === id)
      const trackingEvents = events.map(({ trackingDate }) => ({
        status: 'SHIPPING_IN_PROGRESS',
        date: trackingDate,
        applied: true,
      }))
      answer({ transportations: [{ id: 't', status: 'REQUESTED', trackingEvents }] })
    } else if (request.method === 'GET') {
      const record = { id: name.replace('#', ''), name, shopCode: 'S', activeTransportation: { id: 't' } }
      answer(pageOf([record]))
    } else {
      taken.push(JSON.parse(text))
      if (taken.length === turnAt && bad) {
        server.setSecureContext(bad)
        server.closeAllConnections()
      } else answer({ statusCode: 'OK', description: 'Registered' })
    }
  })
  onTestFinished(closing(server))
  server.on('tlsClientError', () => {})
  const port = await listening(server)
  const baseUrl = `https://127.0.0.1:${port}`
  return {
    // The job that resumes waits as long as a request of the first may take.
    env: homeAt(baseUrl, { NODE_EXTRA_CA_CERTS: caFile, RMA_TIMEOUT: '3' }),
    taken,
    turnTo: (other: typeof bad) => {
      bad = other
    },
    mend: () => {
      bad = undefined
      server.setSecureContext(leafTls)
    },
  }
}

const BAD = [
  [96, 'has expired', () => tlsPair('expired'), /it has expired/],
  [30, 'was made for another host', () => tlsPair('wrong'), /it was made for another host/],
  [
    30,
    'is of an authority that is not known',
    () => selfSigned(['127.0.0.1'], Date.now()),
    /self-signed|not trusted/,
  ],
] as const

it.each(BAD)(
  'a certificate that is bad from row %i of 100 on and %s stops the job at once, which goes on once it is mended',
  async (turnAt, _, bad, words) => {
    const platform = await turningPlatform(turnAt)
    platform.turnTo(bad())
    const file = join(newFolder(), 'scans.csv')
    const names = times(100, (at) => `R#-${at + 1}`)
    const rows = names.map((name) => `${name},SHIPPING_IN_PROGRESS,2026-03-02T10:00:00Z`)
    writeFileSync(file, ['shipmentId,trackingStatus,trackingDate', ...rows].join('\n'))
    const begun = performance.now()
    const { stderr } = expectEnd(await runIn(platform.env)`tracking push --file ${file}`, 7, [
      'go on with: rma jobs resume',
    ])
    expect(stderr).toEqual(expect.stringMatching(words))
    expect(performance.now() - begun).toBeLessThan(20_000)
    platform.mend()
    const resumed = await runIn(platform.env)`jobs resume --last --json`
    expect([resumed.code, jsonOf(resumed)]).toEqual([
      0,
      expect.objectContaining({ total: 100, succeeded: 100, remaining: 0 }),
    ])
    expect(valuesOf(platform.taken, 'shipmentId').sort()).toEqual([...names].sort())
  },
)
