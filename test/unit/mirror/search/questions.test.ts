import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { openMirror } from '../../../../src/lib/mirror/open.ts'
import { testSandbox } from '../../../helpers/sandbox-client.ts'
import { wrongAnswers } from '../../../helpers/support-questions.ts'

it('finds what a support desk asks for, in SQLite', async () => {
  const { sandbox, allReturns } = await testSandbox({ returns: 1200 })
  const mirror = await openMirror({ file: join(mkdtempSync(join(tmpdir(), 'rma-search-')), 'mirror.db') })
  onTestFinished(() => mirror.close())
  const syncedAt = '2026-04-15T12:00:00.000Z'
  await mirror.apply((await allReturns()).map((record) => ({ record, syncedAt })))
  sandbox.close()
  const { asked, wrong } = await wrongAnswers(mirror)
  expect(asked).toBe(100)
  expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(3)
})
