import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, it } from 'vitest'
import { AppError } from '../../../../src/lib/errors.ts'
import { type LabelFolder, openLabelFolder } from '../../../../src/lib/labels/folder/label-folder.ts'
import { verifyFolder } from '../../../../src/lib/labels/folder/manifest.ts'
import {
  type FetchOptions,
  readLabel,
  saveLabels,
  servedLabels,
} from '../../../../src/lib/labels/folder/served-labels.ts'
import { newFolder } from '../../../helpers/files.ts'
import { expectRejection } from '../../../helpers/rejections.ts'

let directory: string
let folder: LabelFolder
beforeEach(async () => {
  directory = newFolder()
  folder = await openLabelFolder(directory, { now: () => 0 })
})

const PDF = Buffer.from('%PDF-1.7 label')
const ZPL = Buffer.from('^XA^FDlabel^FS^XZ')
const PNG = Buffer.from('\x89PNG\r\n\x1a\nlabel', 'latin1')
const base64 = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64')

/** Documents by URL; another URL is a mistake of the test. */
const web = (pages: Record<string, Uint8Array[]>): FetchOptions['fetchUrl'] =>
  async function* (url) {
    yield* pages[url] ?? expect.fail(`no ${url}`)
  }

const save = (
  shippingLabels: Record<string, unknown>[],
  more: Partial<Parameters<typeof saveLabels>[2]> = {},
) =>
  saveLabels({ clientShipmentId: 'SHP-1', shippingLabels }, 'SHP-1', { folder, fetchUrl: web({}), ...more })

it('saveLabels saves every parcel, from base64 or a URL, and label-free codes', async () => {
  const warned: string[] = []
  const saved = await save(
    [
      { base64: base64(PDF), url: 'https://x.example/not-read', format: 'pdf' },
      { url: 'https://x.example/2', base64: '' },
      { isLabelFree: true, labelFreeCode: { format: 'PDF', base64: base64(PNG) } },
      { base64: base64(PDF), labelFreeCode: { url: 'https://x.example/code' } },
    ],
    {
      fetchUrl: web({ 'https://x.example/2': [PDF, ZPL], 'https://x.example/code': [PNG] }),
      warn: async (text) => void warned.push(text),
    },
  )
  expect(
    saved.map(({ path, parcel, format, source }) => [
      path.slice(directory.length + 1),
      parcel,
      format,
      source,
    ]),
  ).toEqual([
    ['SHP-1-1of4.pdf', 1, 'PDF', 'base64'],
    ['SHP-1-2of4.pdf', 2, 'PDF', 'url'],
    ['SHP-1-3of4-code.png', 3, 'PNG', 'label-free'],
    ['SHP-1-4of4.pdf', 4, 'PDF', 'base64'],
    ['SHP-1-4of4-code.png', 4, 'PNG', 'label-free'],
  ])
  expect(warned).toEqual([expect.stringMatching(/^The label-free code .* is said to be PDF, but is PNG/)])
  expect(readFileSync(join(directory, 'SHP-1-2of4.pdf'))).toEqual(Buffer.concat([PDF, ZPL]))
  await folder.close()
  const check = await verifyFolder(directory)
  expect(check.labels.map(({ state }) => state)).toEqual(['ok', 'ok', 'ok', 'ok', 'ok'])
  expect(check.unlisted).toEqual([])
})

it('labels that a killed run saved are found, though no manifest lists them', async () => {
  await save([{ base64: base64(PDF) }])
  const next = await openLabelFolder(directory, { now: () => 0 })
  expect(await next.verified('SHP-1')).toBeUndefined()
  expect(await save([{ base64: base64(PDF) }], { folder: next })).toMatchObject([{ outcome: 'unchanged' }])
  await next.close()
  expect((await verifyFolder(directory)).labels).toHaveLength(1)
})

it.each([
  [
    'truncated base64',
    { base64: `${base64(PDF)}AAAAA` },
    /^The label of SHP-1, parcel 2 of 2 can't be decoded: .* at character \d+ of its base64/,
  ],
  ['a wrong alphabet', { base64: 'JVBE*' }, /can't be decoded: "\*" is out of place at character 5/],
  [
    'a web page',
    { base64: base64(Buffer.from('<html><title>Sign in</title>')) },
    /^The label of SHP-1, parcel 2 of 2 is not a PDF, ZPL or PNG but an HTML page titled "Sign in"/,
  ],
  ['nothing', { base64: 'data:application/pdf;base64,' }, /is not a PDF, ZPL or PNG but nothing/],
  ['an empty file', { url: 'https://x.example/empty' }, /parcel 2 of 2 is not a PDF, ZPL or PNG but nothing/],
  [
    'no label at all',
    { base64: null, labelFreeCode: {} },
    /^The service sent no label of SHP-1, parcel 2 of 2:/,
  ],
  ['no text', { base64: 7, url: ['x'] }, /^The service sent no label of SHP-1, parcel 2 of 2:/],
  [
    'a file of this machine',
    { url: 'file:///etc/passwd' },
    /parcel 2 of 2 can't be fetched: its URL is not an https:\/\/ address/,
  ],
])('%s is an error that names the label, and leaves nothing of it', async (_name, label, message) => {
  const fetchUrl = web({ 'https://x.example/empty': [] })
  const failure = save([{ base64: base64(PDF) }, label], { fetchUrl })
  await expectRejection(failure, 'contract', expect.stringMatching(message))
  expect(readdirSync(directory).filter((name) => !name.startsWith('SHP-1-1of2'))).toEqual([])
})

it('a label URL that leads to a web page is not read to its end', async () => {
  let isClosed = false
  async function* page() {
    try {
      yield Buffer.from(`<!doctype html>${' '.repeat(2000)}`)
      yield expect.fail('read on')
    } finally {
      isClosed = true
    }
  }
  await expect(save([{ url: 'https://x.example/' }], { fetchUrl: page })).rejects.toThrow('an HTML page')
  expect(isClosed).toBe(true)
})

it.each([
  [
    'an error of ours',
    new AppError('unavailable', 'HTTP 503.', { status: 503, hints: ['later'] }),
    { status: 503, hints: ['later'], message: "The label of SHP-1 can't be fetched: HTTP 503." },
  ],
  [
    'one of the system',
    Object.assign(new Error('reset'), { code: 'ECONNRESET' }),
    { message: "The label of SHP-1 can't be fetched (ECONNRESET)." },
  ],
])('%s while a label URL is read names the label', async (_name, error, expected) => {
  async function* failing() {
    yield PDF
    yield Buffer.alloc(2000)
    throw error
  }
  await expect(save([{ url: 'http://x.example/' }], { fetchUrl: failing })).rejects.toMatchObject({
    kind: 'unavailable',
    ...expected,
  })
  expect(readdirSync(directory)).toEqual([])
})

it('readLabel asks for no more than 48 MiB of a label, as it reads into memory', async () => {
  const limits: unknown[] = []
  const [label] = servedLabels({ shippingLabels: [{ url: 'https://x.example/' }] }, 'SHP-1')
  async function* content(...[, { maxBytes }]: Parameters<FetchOptions['fetchUrl']>) {
    limits.push(maxBytes)
    yield PDF
  }
  await readLabel(label!, { fetchUrl: content })
  expect(limits).toEqual([48 * 2 ** 20])
})

it('a set without labels is an error with the shipment id', async () => {
  await expect(saveLabels({ shippingLabels: [] }, 'SHP-7', { folder, fetchUrl: web({}) })).rejects.toThrow(
    'The service sent no label of SHP-7',
  )
})

it('saveLabels passes limits on, and an abort leaves nothing behind', async () => {
  const abort = new AbortController()
  const limits: unknown[] = []
  async function* content(...[, given]: Parameters<FetchOptions['fetchUrl']>) {
    limits.push(given)
    yield PDF
    yield Buffer.alloc(2000)
    abort.abort()
    yield Buffer.alloc(2000)
  }
  const options = { fetchUrl: content, signal: abort.signal, timeoutMs: 5, maxBytes: 9000 }
  await expectRejection(save([{ url: 'http://x.example/' }], options), 'interrupted')
  expect(limits).toEqual([{ timeoutMs: 5, maxBytes: 9000, signal: abort.signal }])
  expect(readdirSync(directory)).toEqual([])
})
