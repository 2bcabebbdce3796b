import { expect, it } from 'vitest'
import { checkedBaseUrl } from '../../../../src/lib/api/http/origin-guard.ts'
import type { AppError } from '../../../../src/lib/errors.ts'

function refusal(url: string) {
  try {
    checkedBaseUrl(url, true)
  } catch (error) {
    return error as AppError
  }
  return expect.fail(`${url} was accepted`)
}

it.each([
  ['https://api.example.com/integration/v1/', 'https://api.example.com/integration/v1'],
  ['http://127.0.0.1:4010', 'http://127.0.0.1:4010/'],
  ['http://127.9.8.7//', 'http://127.9.8.7/'],
  ['http://127.1/', 'http://127.0.0.1/'],
  ['http://[::1]:4010/', 'http://[::1]:4010/'],
  ['http://LOCALHOST/v1', 'http://localhost/v1'],
])('checkedBaseUrl takes %s', (url, href) => {
  expect(checkedBaseUrl(url, true).href).toBe(href)
})

it.each([
  'http://api.example.com',
  'http://127.0.0.1.example.com',
  'http://localhost.example.com',
  'http://10.0.0.1',
  'http://[::2]',
  'http://0.0.0.0',
])('checkedBaseUrl refuses to send a token to %s', (url) => {
  const error = refusal(url)
  expect(error).toMatchObject({ kind: 'config', message: expect.stringContaining('nothing was sent') })
  expect(error.hints.join()).toContain('https://')
  expect(checkedBaseUrl(url, false).host).toBe(new URL(url).host)
})
