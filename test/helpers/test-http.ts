import { onTestFinished } from 'vitest'
import { createHttp } from '../../src/lib/api/http/client.ts'

/** A client that does not wait between attempts, closed when the test ends. */
export function testHttp(baseUrl: string, options: Partial<Parameters<typeof createHttp>[0]> = {}) {
  const http = createHttp({
    ...{ baseUrl, timeoutMs: 2000, retries: 0, userAgent: 'rma-test', env: {}, sleep: async () => {} },
    ...options,
  })
  onTestFinished(() => http.close())
  return http
}
