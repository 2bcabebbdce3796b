import { expect, test } from 'vitest'
import { RequestLog } from '../../../../src/lib/sandbox/http/request-log.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { send } from '../../../helpers/wire-client.ts'

function logOf(...statuses: (number | null)[]) {
  const log = new RequestLog(4)
  for (const [index, status] of statuses.entries()) {
    log.add({
      time: 0,
      method: index % 2 === 0 ? 'GET' : 'POST',
      path: `/p${index + 1}`,
      status,
      durationMs: 1,
      requestId: 'r',
      faultId: null,
      bytes: 10,
    })
  }
  return log
}

test.each([
  [{}, [3, 4, 5, 6]],
  [{ last: 2 }, [5, 6]],
  [{ last: 0 }, []],
  [{ last: 99 }, [3, 4, 5, 6]],
  [{ after: 4 }, [5, 6]],
  [{ status: '404' }, [4]],
  [{ status: '5xx' }, [6]],
  [{ status: 'none' }, [5]],
  [{ status: '4XX' }, [4]],
  [{ route: 'POST *' }, [4, 6]],
  [{ route: '* /p3' }, [3]],
  [{ route: 'GET *', last: 1 }, [5]],
])('keeps the latest, and gives those asked for: %o', (filter, numbers) => {
  const log = logOf(200, 200, 200, 404, null, 503)
  expect(log.read(filter).map(({ number }) => number)).toEqual(numbers)
  expect(log.total).toBe(6)
})

test('the log cuts long paths', () => {
  const log = logOf()
  const [entry] = logOf(200).read()
  if (entry) log.add({ ...entry, time: 0, path: 'x'.repeat(5000) })
  expect(log.read()[0]?.path).toHaveLength(301)
})

test("the log keeps nothing of a request's query, token or body", async () => {
  const { sandbox, listen } = await testSandbox({ returns: 5 })
  const listener = await listen()
  const token = sandbox.issueToken()
  const headers = { authorization: `Bearer ${token}` }
  const listed = await send(`${listener.baseUrl}/returns?name=SECRET`, { headers })
  await send(`${listener.baseUrl}/shipping_labels`, {
    method: 'POST',
    headers,
    body: '{"clientShipmentId":"SECRET"}',
  })
  await send(`${new URL(listener.baseUrl).origin}/labels/SECRET-NOT`, { headers })
  await expect.poll(() => sandbox.requests().length).toBe(3)
  const entries = sandbox.requests()
  expect(entries).toMatchObject([
    {
      number: 1,
      time: '2026-04-15T12:00:00.000Z',
      method: 'GET',
      path: '/returns',
      status: 200,
      requestId: listed.headers['x-request-id'],
      faultId: null,
    },
    { number: 2, method: 'POST', path: '/shipping_labels', status: 400 },
    { number: 3, path: '/labels/SECRET-NOT', status: 404 },
  ])
  expect(JSON.stringify(entries.slice(0, 2))).not.toMatch(new RegExp(`SECRET|${token.slice(-20)}`))
  expect(entries[0]?.bytes).toBeGreaterThan(listed.text.length)
  expect(entries[0]?.bytes).toBeLessThan(listed.text.length + 500)
  expect(entries[0]?.durationMs).toBeGreaterThan(0)
})
