import { spawn } from 'node:child_process'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { ended, ndjson } from '../helpers/command-line.ts'
import { usePlatform } from '../helpers/platform.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { BIN, RUNNER, spawnCli, spawnEnv, spawnEnvAt } from '../helpers/spawn-cli.ts'

const platform = usePlatform()

it("takes what departs from the specification, over pipes to the SDK's own client", async () => {
  const record = {
    id: 7,
    name: 'R#-X1',
    shopCode: ['A'],
    status: 'BRAND_NEW',
    customer: 'nobody',
    totalRefund: '1e400',
  }
  const page = { returns: [record, null, 'x'], pageInfo: { totalRecords: '3', totalPages: 1 } }
  const server = await scriptServer(() => ({ body: page }))
  const client = new Client({ name: 'test', version: '1' })
  const env = spawnEnvAt(server.baseUrl)
  await client.connect(
    new StdioClientTransport({ command: RUNNER, args: [BIN, 'mcp'], env, stderr: 'ignore' }),
  )
  const { content } = await client.callTool({ name: 'list', arguments: { limit: 3, fields: ['*'] } })
  await client.close()
  const [{ text }] = content as [{ text: string }]
  expect(JSON.parse(text).returns).toEqual([
    { id: '7', name: 'R#-X1', status: 'BRAND_NEW', totalRefund: '1e400' },
  ])
})

it('input of another protocol, or without an end, leaves standard output to the protocol', async () => {
  const child = spawn(RUNNER, [BIN, 'mcp'], { env: spawnEnv(platform.env()) })
  let stdout = ''
  child.stdout.on('data', (part) => {
    stdout += part
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  child.stdin.on('error', () => {})
  child.stdin.write('GET / HTTP/1.1\r\n\r\nnull\n[]\n{"jsonrpc":"1.0"}\n{{{\n')
  const clientInfo = { name: 'raw', version: '1' }
  send({
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo },
  })
  send({ method: 'notifications/initialized' })
  send({ id: 2, method: 'tools/call', params: { name: 'list', arguments: { limit: 1 } } })
  send({ id: 3, method: 'tools/call', params: {} })
  send({ id: 5, method: 'tools/call', params: { name: 'get', arguments: { reveal: true } } })
  child.stdin.end()
  expect(await ended).toBe(0)
  const lines = ndjson(stdout)
  expect(lines.every(({ jsonrpc }) => jsonrpc === '2.0')).toBe(true)
  const refused = lines.filter(({ id }) => id === null).map(({ error }) => error.code)
  expect(refused).toEqual([-32700, -32700, -32600, -32600, -32600, -32700])
  const answer = (wanted: number) => lines.find(({ id }) => id === wanted)
  expect(answer(1).result.serverInfo.name).toBe('rma')
  expect(JSON.parse(answer(2).result.content[0].text).returns).toHaveLength(1)
  expect(answer(3).error).toEqual({ code: -32602, message: 'params.name: is missing' })
  expect(answer(5).result.content[0].text).toBe('return: is missing\narguments: has unknown keys: reveal')
})

it('an oversized message ends the session', async () => {
  expect(
    ended(
      await spawnCli(['mcp'], {
        env: spawnEnv(platform.env()),
        stdin: 'x'.repeat(2_000_000),
      }),
      2,
    ).stdout,
  ).toBe('')
})
