import { mkdirSync, readdirSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { writeNewFile } from '../../../../src/lib/files/write-new-file.ts'
import { openLabelFolder } from '../../../../src/lib/labels/folder/label-folder.ts'
import { jsonFile, newFolder, textFile } from '../../../helpers/files.ts'
import { expectRejection } from '../../../helpers/rejections.ts'

let directory: string
let nowMs: number
beforeEach(() => {
  directory = join(newFolder(), 'new', 'folder')
  nowMs = Date.parse('2026-11-20T12:00:00Z')
})

const open = () => openLabelFolder(directory, { now: () => nowMs })
const manifestPath = () => join(directory, 'manifest.json')
const manifest = () => jsonFile(manifestPath())

async function label(id: string, parcel = 1) {
  mkdirSync(directory, { recursive: true })
  const path = join(directory, `${id}-${parcel}.pdf`)
  const { bytes, sha256 } = await writeNewFile({ what: id, path, content: [Buffer.from(`%PDF-${id}`)] })
  const shared = { clientShipmentId: id, parcel, path, bytes, sha256 }
  return { ...shared, format: 'PDF' as const, carrierTrackingCode: 'SBX1', source: 'base64' as const }
}

it('a folder lists added labels and recognizes them', async () => {
  const folder = await open()
  const labels = [await label('SHP-1', 1), await label('SHP-1', 2)]
  await folder.add(labels)
  await folder.close()
  expect(manifest()).toEqual({
    version: 1,
    labels: labels.map((one) => ({
      ...one,
      path: `SHP-1-${one.parcel}.pdf`,
      savedAt: '2026-11-20T12:00:00.000Z',
    })),
  })
  const again = await open()
  expect(await again.verified('SHP-1')).toEqual(labels)
  expect(await again.verified('SHP-2')).toBeUndefined()
  await again.close()
  expect(readdirSync(directory).sort()).toEqual(['SHP-1-1.pdf', 'SHP-1-2.pdf', 'manifest.json'])
})

it.each([
  ['missing', (path) => rmSync(path)],
  ['of another size', (path: string) => writeFileSync(path, 'x')],
  ['changed', (path: string) => writeFileSync(path, '%PDF-SHP-X')],
])('a label file that is %s is not verified', async (_name, damage) => {
  const folder = await open()
  const one = await label('SHP-1')
  await folder.add([one])
  await folder.close()
  damage(one.path)
  expect(await (await open()).verified('SHP-1')).toBeUndefined()
})

it('the manifest is not rewritten for every label', async () => {
  const folder = await open()
  const one = await label('SHP-0')
  const writes = new Set<bigint>()
  for (let n = 0; n < 1000; n++) {
    nowMs += 3
    await folder.add([{ ...one, clientShipmentId: `SHP-${n}` }])
    const written = statSync(manifestPath(), { bigint: true, throwIfNoEntry: false })
    if (written) writes.add(written.mtimeNs)
  }
  expect(writes.size).toBe(2)
  // A kill would leave this much.
  expect(manifest().labels.length).toBeGreaterThan(600)
  await folder.close()
  expect(statSync(manifestPath(), { bigint: true }).mtimeNs).not.toBe([...writes].at(-1))
  expect(manifest().labels).toHaveLength(1000)
})

it('an entry of the manifest replaces an older one of the same label and keeps the others', async () => {
  const one = {
    ...(await label('SHP-1')),
    path: 'SHP-1-1.pdf',
    savedAt: '2020-01-01T00:00:00Z',
    note: 'kept',
  }
  const two = { ...one, clientShipmentId: 'SHP-2' }
  writeFileSync(manifestPath(), JSON.stringify({ version: 1, shop: 'kept', labels: [one, two] }))
  const folder = await open()
  await folder.add([{ ...(await label('SHP-2')), source: 'url' }])
  await folder.close()
  expect(manifest()).toMatchObject({
    shop: 'kept',
    labels: [one, { clientShipmentId: 'SHP-2', source: 'url', path: 'SHP-2-1.pdf' }],
  })
  expect(manifest().labels).toHaveLength(2)
})

it('simultaneous writers of one manifest lose nothing', async () => {
  const folders = await Promise.all([open(), open(), open(), open()])
  const one = await label('SHP-0')
  for (const [index, folder] of folders.entries()) {
    await folder.add([{ ...one, clientShipmentId: `SHP-${index}` }])
  }
  await Promise.all(folders.map((folder) => folder.close()))
  expect(manifest().labels).toHaveLength(4)
  expect(readdirSync(directory).sort()).toEqual(['SHP-0-1.pdf', 'manifest.json'])
})

it.each([
  ['not JSON', '{"version":1,', 'is not valid JSON'],
  ['another document', '{"files":[]}', 'is not what rma wrote'],
  ['of a later version', '{"version":2,"labels":[]}', 'was written by a later version of rma'],
])('a manifest that is %s is an error, and left as it is', async (_name, text, problem) => {
  mkdirSync(directory, { recursive: true })
  writeFileSync(manifestPath(), text)
  await expectRejection(open(), 'config', `${manifestPath()} ${problem}.`)
  expect(textFile(manifestPath())).toBe(text)
})

it.each(['/etc/passwd', '../x.pdf', 'a/../../x.pdf', 'C:\\x.pdf', '..\\x.pdf', ''])(
  'a manifest that leads to %j is not believed',
  async (path) => {
    const entry = { ...(await label('SHP-1')), path, savedAt: '' }
    writeFileSync(manifestPath(), JSON.stringify({ version: 1, labels: [entry] }))
    await expect(open()).rejects.toMatchObject({
      kind: 'config',
      details: [{ path: 'labels.0.path', message: 'must be a path inside the folder' }],
    })
  },
)

it('a manifest damaged meanwhile keeps unwritten entries for the next time', async () => {
  const folder = await open()
  await folder.add([await label('SHP-1')])
  writeFileSync(manifestPath(), 'oops')
  await expectRejection(folder.close(), 'config')
  writeFileSync(manifestPath(), '{"version":1,"labels":[]}')
  await folder.close()
  expect(manifest().labels).toHaveLength(1)
})

it('leftovers of killed processes are removed from a label folder, but not files being written', async () => {
  mkdirSync(directory, { recursive: true })
  for (const [name, ageMs] of [
    ['.A.pdf.tmp-0123456789abcdef', 2 * 3600_000],
    ['.B.pdf.tmp-0123456789abcdef', 60_000],
    ['.C.pdf.tmp-mine', 2 * 3600_000],
  ] as const) {
    writeFileSync(join(directory, name), '')
    utimesSync(join(directory, name), (nowMs - ageMs) / 1000, (nowMs - ageMs) / 1000)
  }
  await (await open()).close()
  expect(readdirSync(directory).sort()).toEqual(['.B.pdf.tmp-0123456789abcdef', '.C.pdf.tmp-mine'])
})

it('a label folder that can not be made is named', async () => {
  mkdirSync(join(directory, '..'), { recursive: true })
  writeFileSync(directory, '')
  await expectRejection(open(), 'usage', expect.stringContaining(directory))
})
