import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { Context } from '../../../../src/lib/cli/context.ts'
import { readByIds } from '../../../../src/lib/mirror/store/read.ts'
import { withFreshMirror } from '../../../../src/lib/services/mirror/refresh.ts'
import { typed } from '../../../helpers/command-line.ts'
import { expectRejection } from '../../../helpers/rejections.ts'
import { homeAt, runCli } from '../../../helpers/run-cli.ts'
import { type Answer, type Handler, pageOf, scriptServer } from '../../../helpers/script-server.ts'

const NOW = Date.parse('2026-04-15T12:00:00Z')
const record = (id: number) => ({
  id: `${id}`,
  name: `R#-${id}`,
  shopCode: 'S',
  createdAt: '2026-04-01 10:00:00Z',
  updatedAt: '2026-04-01 10:00:00Z',
})
const page = (...returns: object[]): Answer => ({
  body: pageOf(returns),
})

/** A platform with two returns, and what looks for something in the mirror of it. */
async function openPlatform() {
  const state: { answer: Handler } = {
    answer: ({ query }) => (query.has('updated_from') ? page() : page(record(1), record(2))),
  }
  const server = await scriptServer((request, index) => state.answer(request, index))
  const env = homeAt(server.baseUrl)
  const { signal } = new AbortController()
  async function look(now: number, freshness = { isOffline: false }) {
    const stderr = new PassThrough()
    const io = {
      stdin: new PassThrough(),
      stdout: new PassThrough(),
      stderr,
      env,
      now: () => now,
      pause: async () => {},
      timers: { after: () => () => {}, every: () => () => {} },
      interrupt: signal,
      halt: () => signal,
      terminate: () => signal,
      interruptOnTermination: () => {},
    }
    const context = new Context(io, {}, '0')
    const before = server.requests.length
    try {
      const found = await withFreshMirror(context, freshness, (mirror) =>
        readByIds(mirror.db, ['1', '2', '3']),
      )
      return {
        found: found.length,
        requests: server.requests.length - before,
        said: stderr.read(stderr.readableLength)?.toString() ?? '',
      }
    } finally {
      await context.close(undefined)
    }
  }
  const agree = async () => {
    await runCli(typed`mirror sync --yes --with none`, { env, now: NOW })
  }
  return { state, look, agree }
}

it('the mirror is refreshed once a minute, with one request when nothing changed', async () => {
  const { state, look, agree } = await openPlatform()
  await expectRejection(look(NOW), 'usage')
  await expectRejection(look(NOW, { isOffline: true }), 'not-found')
  await agree()
  expect(await look(NOW + 59_000)).toEqual({ found: 2, requests: 0, said: '' })
  expect(await look(NOW + 61_000)).toEqual({ found: 2, requests: 1, said: '' })
  state.answer = () => page({ ...record(3), updatedAt: '2030-01-01 00:00:00Z' })
  expect(await look(NOW + 200_000, { isOffline: true })).toMatchObject({ found: 2, requests: 0 })
  expect(await look(NOW + 200_000)).toEqual({ found: 3, requests: 1, said: '' })
  expect(await look(NOW + 210_000)).toEqual({ found: 3, requests: 0, said: '' })
})

it('a message tells the age of the data if the platform is silent, slow or down', async () => {
  const { state, look, agree } = await openPlatform()
  await agree()
  state.answer = () => ({ fault: 'hang' })
  const began = performance.now()
  const silent = await look(NOW + 12 * 60_000)
  expect(silent).toMatchObject({
    found: 2,
    said: expect.stringContaining('(no end within 2 s): what follows is 12 min old'),
  })
  expect(performance.now() - began).toBeGreaterThan(1900)
  state.answer = () => ({ status: 503, headers: { 'retry-after': '60' } })
  expect((await look(NOW + 5 * 3_600_000)).said).toMatch('what follows is 5 h old')
})
