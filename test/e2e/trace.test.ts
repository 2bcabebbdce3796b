import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectEnd } from '../helpers/command-line.ts'
import { jsonFile, newFolder } from '../helpers/files.ts'
import { labelRequest, labelService } from '../helpers/label-service.ts'
import { shell, spawnEnvAt } from '../helpers/spawn-cli.ts'
import { times } from '../helpers/values-of.ts'

it('makes a purchase whose entry does not fit into the trace, and says so', async () => {
  const service = await labelService()
  const out = newFolder()
  const trace = join(out, 'trace.har')
  const parcels = times(500, (at) => ({ clientParcelId: `P-${at}`, description: 'Shoe' }))
  const stdin = JSON.stringify(labelRequest('SHP-1', { parcels }))
  const script = `trap '' XFSZ; ulimit -f 16; rma labels create --from - --out '${out}' --trace '${trace}'`
  const env = spawnEnvAt(service.baseUrl)
  const warning = `Warning: The trace file ${trace} can't be written (EFBIG): requests are missing from it.`
  expectEnd(await shell(script, { env, stdin }, 'bash'), 0, [warning])
  expect(service.posts()).toHaveLength(1)
  const { entries } = jsonFile(trace).log
  expect(entries.map((entry: { request: { method: string } }) => entry.request.method)).toEqual([
    'GET',
    'GET',
  ])
})
