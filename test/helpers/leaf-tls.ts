import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run-cli.ts'

const fixture = (name: string) => join(root, 'test/fixtures/tls', name)

/** Certificate of the authority behind `leafTls`. */
export const caFile = fixture('ca.pem')

/** Certificate and key of a server: `expired`, or `wrong`, which is made for another host. */
export const tlsPair = (name: string) => ({
  key: readFileSync(fixture(`${name}.key`), 'utf8'),
  cert: readFileSync(fixture(`${name}.pem`), 'utf8'),
})

/** Certificate and key of a server on 127.0.0.1. */
export const leafTls = tlsPair('leaf')
