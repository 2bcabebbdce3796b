import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepareQuery } from '../../../../src/lib/sandbox/store/database.ts'
import { openDatabase } from '../../../../src/lib/sandbox/store/open.ts'
import { NOW } from '../../../helpers/sandbox-client.ts'

test('a commit waits for the disk', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'rma-pragmas-')), 'data.db')
  const db = await openDatabase(file, { seed: 1, returns: 1, now: NOW })
  const value = (name: string) => Object.values(prepareQuery<object>(db, `PRAGMA ${name}`).all()[0] ?? {})[0]
  expect([value('journal_mode'), value('synchronous')]).toEqual(['wal', 2])
  db.close()
})
