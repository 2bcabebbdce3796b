import { createHash, randomBytes } from 'node:crypto'
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { writeNewFile } from '../../../src/lib/files/write-new-file.ts'
import { typed } from '../../helpers/command-line.ts'
import { newFolder, textFile } from '../../helpers/files.ts'
import { expectRejection } from '../../helpers/rejections.ts'
import { times } from '../../helpers/values-of.ts'

type NewFile = Parameters<typeof writeNewFile>[0]

let directory: string
let path: string
beforeEach(() => {
  directory = newFolder()
  path = join(directory, 'SHP-1.pdf')
})

const write = (text: string, more: Partial<NewFile> = {}) =>
  writeNewFile({ what: 'label of SHP-1', path, content: [Buffer.from(text)], ...more })

it.each([0, 1, 5 * 1024 * 1024])('writeNewFile writes %d bytes as they are', async (size) => {
  const content = randomBytes(size)
  const pieces = times(Math.ceil(size / 100_000), (index) =>
    content.subarray(index * 100_000, (index + 1) * 100_000),
  )
  const sha256 = createHash('sha256').update(content).digest('hex')
  const written = await writeNewFile({ what: 'label', path, content: pieces })
  expect(written).toEqual({ bytes: size, sha256, unchanged: false })
  expect(readFileSync(path).equals(content)).toBe(true)
  expect(readdirSync(directory)).toEqual(['SHP-1.pdf'])
})

it('the file is readable by its owner alone once writeNewFile has made it', async () => {
  await write('label')
  expect(lstatSync(path).mode & 0o777).toBe(0o600)
})

it('writeNewFile leaves an existing file with the same bytes alone', async () => {
  await write('label')
  const before = lstatSync(path)
  expect(await write('label')).toMatchObject({ bytes: 5, unchanged: true })
  expect(lstatSync(path).ino).toBe(before.ino)
  expect(readdirSync(directory)).toEqual(['SHP-1.pdf'])
})

it('writeNewFile keeps an existing file with other bytes without force, and replaces it with force', async () => {
  await write('first')
  await expect(write('second')).rejects.toMatchObject({
    kind: 'usage',
    message: `The label of SHP-1 is not saved: ${path} is there with other content.`,
    hints: typed`'--force replaces the file' 'or choose another place with --out'`,
  })
  expect(textFile(path)).toBe('first')
  expect(await write('second', { force: true })).toMatchObject({ unchanged: false })
  expect(textFile(path)).toBe('second')
  expect(readdirSync(directory)).toEqual(['SHP-1.pdf'])
})

it.each([false, true])(
  'a link in its place is not followed by writeNewFile, force or not (%s)',
  async (force) => {
    const victim = join(directory, 'victim')
    writeFileSync(victim, 'precious')
    for (const target of [victim, join(directory, 'not-there')]) {
      path = join(directory, `link-to-${existsSync(target)}`)
      symlinkSync(target, path)
      await expectRejection(
        write('label', { force }),
        'usage',
        `The label of SHP-1 can't be saved: ${path} is a link, a folder or a device.`,
      )
      expect(lstatSync(path).isSymbolicLink()).toBe(true)
    }
    expect(textFile(victim)).toBe('precious')
    expect(readdirSync(directory)).toHaveLength(3)
  },
)

it('writeNewFile refuses a folder in place of the file', async () => {
  mkdirSync(path)
  await expect(write('label', { force: true })).rejects.toThrow('is a link, a folder or a device')
  expect(readdirSync(directory)).toEqual(['SHP-1.pdf'])
})

it('writeNewFile does not overwrite a name that another takes meanwhile', async () => {
  async function* slow() {
    yield Buffer.from('mine')
    writeFileSync(path, 'theirs')
  }
  await expect(write('', { content: slow() })).rejects.toThrow('is there with other content')
  expect(textFile(path)).toBe('theirs')
})

it('writeNewFile lets one of many writers of one name succeed, or all with the same bytes', async () => {
  const different = await Promise.allSettled(times(8, (n) => write(`label ${n}`)))
  expect(different.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
  path = join(directory, 'SHP-2.pdf')
  const same = await Promise.all(times(8, () => write('label')))
  expect(same.filter(({ unchanged }) => !unchanged)).toHaveLength(1)
  expect(readdirSync(directory)).toEqual(['SHP-1.pdf', 'SHP-2.pdf'])
})

it('writeNewFile leaves nothing of content that breaks off, and keeps its own error', async () => {
  async function* broken() {
    yield Buffer.from('%PDF')
    throw new RangeError('cut off')
  }
  await expect(write('', { content: broken() })).rejects.toThrow(new RangeError('cut off'))
  expect(readdirSync(directory)).toEqual([])
})

it('writeNewFile leaves nothing after an abort in the middle, from that very moment on', async () => {
  const abort = new AbortController()
  const seen: string[][] = []
  async function* content() {
    yield Buffer.from('%PDF')
    seen.push(readdirSync(directory))
    abort.abort()
    seen.push(readdirSync(directory))
    yield Buffer.from('more')
  }
  await expectRejection(
    write('', { content: content(), signal: abort.signal }),
    'interrupted',
    'Interrupted: the label of SHP-1 is not saved.',
  )
  expect(seen).toEqual([[expect.stringMatching(/^\.SHP-1\.pdf\.tmp-/)], []])
  expect(readdirSync(directory)).toEqual([])
  await expectRejection(write('label', { signal: abort.signal }), 'interrupted')
  expect(readdirSync(directory)).toEqual([])
})

it('writeNewFile names a place that can not be written to, with the label', async () => {
  path = join(directory, 'not-there', 'SHP-1.pdf')
  await expectRejection(
    write('label'),
    'usage',
    `The label of SHP-1 can't be saved at ${path}: there is no such folder (ENOENT).`,
  )
  writeFileSync(join(directory, 'file'), '')
  path = join(directory, 'file', 'SHP-1.pdf')
  await expect(write('label')).rejects.toThrow('a part of the path is a file, not a folder (ENOTDIR)')
})
