import { expect, it } from 'vitest'
import { verboseObserver } from '../../../../src/lib/api/trace/verbose.ts'
import { scriptServer } from '../../../helpers/script-server.ts'
import { testHttp } from '../../../helpers/test-http.ts'

async function linesOf(answers: Parameters<typeof scriptServer>[0], body?: unknown) {
  const server = await scriptServer(answers)
  const lines: string[] = []
  let time = 0
  const http = testHttp(server.baseUrl, {
    token: 'secret-token',
    retries: 1,
    observers: [verboseObserver((line) => lines.push(line))],
    now: () => (time += 12),
  })
  const method = body === undefined ? 'GET' : 'PUT'
  await http.request({ method, path: '/returns', query: { name: 'R#-1' }, body }).catch(() => {})
  return lines.map((line) => line.replaceAll(server.baseUrl, 'BASE'))
}

it('--verbose shows request and answer, masked', async () => {
  const body = { customer: { fullName: 'Ana García' }, name: 'R#-1\x1b[31m\u202e' }
  const lines = await linesOf([{ body, headers: { 'x-request-id': 'r-1', 'x-note': 'a@b.co' } }], {
    email: 'a@b.co',
  })
  expect(lines).toEqual(
    expect.arrayContaining([
      '> PUT BASE/returns?name=R%23-1',
      '> authorization: Bearer ***',
      '> {"email":"***"}',
      expect.stringMatching(/^< 200 OK 12 ms \d+ B request-id r-1$/),
      '< x-note: ***',
      '< {"customer":{"fullName":"***"},"name":"R#-1\\u001b[31m\\u202e"}',
    ]),
  )
  expect(lines.join()).not.toMatch(/secret-token|a@b\.co|Ana/)
})

it('--verbose shows each attempt and its failure', async () => {
  const lines = await linesOf([{ fault: 'reset' }, { body: '<b>\x1b[2J</b>\nnext' }])
  expect(lines).toContain('* GET failed after 12 ms: the connection broke off (ECONNRESET)')
  expect(lines).toContain('> GET BASE/returns?name=R%23-1 (attempt 2)')
  expect(lines).toEqual(expect.arrayContaining(['< <b>\x1b[2J</b>', '< next']))
})

it('--verbose cuts long bodies with a note', async () => {
  const lines = await linesOf([{ body: ['x '.repeat(2_500)] }])
  expect(lines.at(-1)).toBe('< … 3004 more characters')
  expect(lines.find((line) => line.startsWith('< 200'))).toContain('5.0 kB')
})
