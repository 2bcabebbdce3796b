import { readdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { installNew, replaceFile } from '../../../src/lib/files/temporary-file.ts'
import { expectPrivate, newFolder, textFile } from '../../helpers/files.ts'

let directory: string
let temporary: string
let path: string
beforeEach(() => {
  directory = newFolder()
  temporary = join(directory, '.new.tmp')
  path = join(directory, 'label.pdf')
  writeFileSync(temporary, 'new')
})

/** Error of a file system that has no hard links, or no more of them. */
const failing = (code: string) => () => {
  throw Object.assign(new Error(code), { code })
}

it.each(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK', 'EINVAL'])(
  'a new file is renamed where links fail with %s',
  async (code) => {
    expect(await installNew(temporary, path, failing(code))).toBe(true)
    expect(readdirSync(directory)).toEqual(['label.pdf'])
    expect(textFile(path)).toBe('new')
  },
)

it('a new file replaces nothing, not even a dangling link', async () => {
  writeFileSync(path, 'old')
  expect(await installNew(temporary, path, failing('EPERM'))).toBe(false)
  expect(textFile(path)).toBe('old')
  const link = join(directory, 'link.pdf')
  symlinkSync(join(directory, 'nowhere'), link)
  expect(await installNew(temporary, link, failing('EPERM'))).toBe(false)
  expect(readdirSync(directory)).not.toContain('nowhere')
})

it.each(['ENOSPC', 'EIO', 'EROFS'])(
  'the error %s of a link is passed on, and nothing is renamed',
  async (code) => {
    await expect(installNew(temporary, path, failing(code))).rejects.toMatchObject({ code })
    expect(readdirSync(directory)).toEqual(['.new.tmp'])
  },
)

it('a whole file replaces the old one, readable by its owner only', async () => {
  writeFileSync(path, 'old', { mode: 0o644 })
  await replaceFile(path, 'whole')
  expect(textFile(path)).toBe('whole')
  expectPrivate(path)
  expect(readdirSync(directory).sort()).toEqual(['.new.tmp', 'label.pdf'])
})

it('the old file stays until all of the new one is written', async () => {
  writeFileSync(path, 'old')
  await replaceFile(path, async (write) => {
    write('one, ')
    await Promise.resolve()
    write(Buffer.from('two'))
    expect(textFile(path)).toBe('old')
  })
  expect(textFile(path)).toBe('one, two')
})

it('the old file stays, with nothing beside it, when the content ends in an error', async () => {
  writeFileSync(path, 'old')
  const broken = replaceFile(path, async (write) => {
    write('half')
    throw new Error('no more')
  })
  await expect(broken).rejects.toThrow('no more')
  expect(textFile(path)).toBe('old')
  expect(readdirSync(directory).sort()).toEqual(['.new.tmp', 'label.pdf'])
})
