import { join } from 'node:path'
import Libsql from 'libsql'
import { expect, it } from 'vitest'
import { mirrorFailure } from '../../../../src/lib/mirror/store/failure.ts'
import { newFolder } from '../../../helpers/files.ts'

it('a mirror locked by another process is a temporary error', () => {
  const file = join(newFolder(), 'mirror.db')
  const [other, own] = [new Libsql(file), new Libsql(file, { timeout: 1 })]
  other.exec('BEGIN IMMEDIATE')
  let failure: unknown
  try {
    own.exec('BEGIN IMMEDIATE')
  } catch (error) {
    failure = mirrorFailure(error, file)
  }
  expect(failure).toMatchObject({ kind: 'unavailable', hints: ['the same again later'] })
  other.close()
  own.close()
})
