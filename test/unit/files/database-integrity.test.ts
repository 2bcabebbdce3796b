import { join } from 'node:path'
import Database from 'libsql'
import { expect, it } from 'vitest'
import { checkIntegrity } from '../../../src/lib/files/database-integrity.ts'
import { newFolder } from '../../helpers/files.ts'

const GREATEST = '9223372036854775807'

it.each([
  ['is sound', "'last'", undefined],
  [
    'is not UTF-8 in the last row',
    "CAST(x'ff' AS TEXT)",
    'the table names holds text that is not valid UTF-8',
  ],
])('text in rows with gaps between their numbers %s', async (_name, last, problem) => {
  const file = join(newFolder(), 'names.db')
  const db = new Database(file)
  db.exec(`CREATE TABLE names (name TEXT);
    WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1300)
    INSERT INTO names (rowid, name) SELECT i * 7 - 3000, 'name' FROM n;
    INSERT INTO names (rowid, name) VALUES (${GREATEST}, ${last})`)
  db.close()
  const checked = checkIntegrity(file, async (_file, check) => check())
  if (problem === undefined) await expect(checked).resolves.toBeUndefined()
  else await expect(checked).rejects.toMatchObject({ code: 'SQLITE_CORRUPT', message: problem })
})
