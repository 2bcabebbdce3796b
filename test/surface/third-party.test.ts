import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync } from 'node:zlib'
import { PDFDict, PDFDocument, PDFName } from '@cantoo/pdf-lib'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { expect, it } from 'vitest'
import { labelPdf } from '../../src/lib/sandbox/labels/pdf.ts'
import { content } from '../helpers/label-content.ts'
import { root } from '../helpers/run-cli.ts'
import { NOW } from '../helpers/sandbox-client.ts'
import { times } from '../helpers/values-of.ts'
import { zplSheets } from '../helpers/zpl-sheets.ts'

/* Third-party parts of the built package: licences, fonts and the bill of materials. */

interface Part {
  name: string
  fonts?: string[]
  notices?: string[]
}

const readText = (path: string) => readFileSync(join(root, path), 'utf8')
const parts: Part[] = JSON.parse(readText('tools/licences/parts.json'))
const page = readText('dist/THIRD-PARTY-LICENSES.md')

const filesBelow = (folder: string) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** Binary contents: the file itself unless it is text, and its base64 data. */
function binariesIn(file: string) {
  const bytes = readFileSync(file)
  if (file.endsWith('.br')) return [brotliDecompressSync(bytes)]
  if (file.endsWith('.node')) return [bytes]
  const inside = bytes.toString('latin1').matchAll(/[A-Za-z\d+/]{400,}/g)
  return Array.from(inside, ([text]) => Buffer.from(text, 'base64'))
}

/**
 * Strings of an OpenType font by name id: 0 is the copyright, 6 the PostScript name. Empty if the bytes are no font.
 */
function openTypeTexts(bytes: Buffer) {
  const directory = times(Math.min(bytes.readUInt16BE(4), 40), (at) => 12 + 16 * at)
  const record = directory.find((at) => bytes.toString('latin1', at, at + 4) === 'name')
  if (record === undefined) return new Map()
  const table = bytes.subarray(bytes.readUInt32BE(record + 8))
  const entries = times(table.readUInt16BE(2), (at) => 6 + 12 * at)
  return new Map(
    entries.map((at) => {
      const start = table.readUInt16BE(4) + table.readUInt16BE(at + 10)
      const text = table.toString('latin1', start, start + table.readUInt16BE(at + 8))
      return [table.readUInt16BE(at + 6), text.replaceAll('\0', '')]
    }),
  )
}

/** A CFF font begins with a header and an index of one name. */
const CFF = '\\u0001\\0\\u0004[\\u0001-\\u0004]\\0\\u0001\\u0001\\u0001'
const FONT_NAMES = [/%!PS-AdobeFont-1\.\d: (\S+)/g, RegExp(`${CFF}.([A-Za-z][\\w-]+)`, 'gs')]
const NOTICE = /(?:(?:copyright (?:\(c\) )?|© ?)(?:19|20)\d\d|all rights reserved)[\x20-\x7e]{0,60}/gi

it('every font and notice inside WebAssembly, native libraries and chunks has its source and licence written down', () => {
  const libraries = ['libsql', 'napi-rs'].flatMap((scope) => filesBelow(`node_modules/@${scope}`))
  const shipped = [
    ...filesBelow('dist'),
    ...libraries.filter((file) => /(?:libsql|keyring).*\.node$/.test(file)),
  ]
  const fonts = new Set<string>()
  const notices = new Set<string>()
  for (const bytes of shipped.flatMap(binariesIn)) {
    const text = bytes.toString('latin1')
    const { 0: copyright, 6: name } = Object.fromEntries(openTypeTexts(bytes))
    const named = FONT_NAMES.flatMap((pattern) =>
      Array.from(text.matchAll(pattern), ([, found = '']) => found),
    )
    for (const font of name === undefined ? named : [...named, name]) fonts.add(font)
    for (const notice of [...(text.match(NOTICE) ?? []), ...(copyright ? [copyright] : [])])
      notices.add(notice)
  }
  expect([...fonts].sort()).toEqual(parts.flatMap((part) => part.fonts ?? []).sort())
  expect([...notices].sort()).toEqual(parts.flatMap((part) => part.notices ?? []).sort())
})

it('labels and sheets as PDF hold no font program, whose licence would go along', async () => {
  const pdfs = [await labelPdf(content(), NOW), (await zplSheets('^XA^FO60,60^A0N,60^FDR-1001^FS^XZ')).pdf]
  for (const pdf of pdfs) {
    const objects = (await PDFDocument.load(pdf)).context.enumerateIndirectObjects()
    const dictionaries = objects.flatMap(([, object]) => (object instanceof PDFDict ? [object] : []))
    expect(dictionaries.length).toBeGreaterThan(3)
    const programs = ['FontFile', 'FontFile2', 'FontFile3'].map((name) => PDFName.of(name))
    expect(dictionaries.filter((one) => programs.some((name) => one.has(name)))).toEqual([])
  }
})

it('every crate that the native library names is listed, with its version', () => {
  const listed = Object.keys(JSON.parse(readText('tools/licences/libsql-crates.json')))
  for (const file of filesBelow('node_modules/@libsql').filter((name) => name.endsWith('.node'))) {
    const paths = readFileSync(file, 'latin1').matchAll(
      /(?:registry\/src\/[^/]+|\/rust\/deps)\/([\w-]+)-(\d[\w.]*)\//g,
    )
    const named = new Set(Array.from(paths, ([, name, version]) => `${name} ${version}`))
    expect(named.size).toBeGreaterThan(50)
    expect([...named].filter((crate) => !listed.includes(crate))).toEqual([])
  }
})

it('each text of a licence in the sources says where it is from, and is used', () => {
  const sources = JSON.parse(readText('tools/licences/sources.json'))
  const files = readdirSync(join(root, 'tools/licences')).filter(
    (name) => !/^(?:parts|sources)\.json$/.test(name),
  )
  expect(Object.keys(sources).sort()).toEqual(files.sort())
  const unused = files.filter(
    (name) => name.endsWith('.txt') && !page.includes(readText(`tools/licences/${name}`).trim()),
  )
  expect(unused).toEqual([])
})

it('the page of licences leads from each of its files to a text, and every file and text exists', () => {
  const rows = [...page.matchAll(/^\| `([^`]+)` \| .+ \| .+ \| \[(\d+)\]\(#text-\2\) \|$/gm)]
  const numbers = Array.from(page.matchAll(/^## Text (\d+)$/gm), ([, number]) => number)
  expect(new Set(rows.map(([, , number]) => number))).toEqual(new Set(numbers))
  const files = new Set(rows.flatMap(([, file = '']) => (file.startsWith('dist/') ? [join(root, file)] : [])))
  expect([...files].filter((file) => !filesBelow('dist').includes(file))).toEqual([])
  // Licence comments kept by esbuild and rolldown occur only in listed files.
  const credited = filesBelow('dist/chunks').filter((file) =>
    /^ \* (?:@license|Copyright)/m.test(readFileSync(file, 'utf8')),
  )
  expect(credited.filter((file) => !files.has(file))).toEqual([])
})

it('the bill of materials is valid, and a graph that reaches each component over what brings it', async () => {
  const text = readText('dist/sbom.cdx.json')
  expect(await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)).toBeNull()
  const bom = JSON.parse(text)
  const needs = new Map<string, string[]>(
    bom.dependencies.map(({ ref, dependsOn }: { ref: string; dependsOn: string[] }) => [ref, dependsOn]),
  )
  const reached = new Set<string>([bom.metadata.component['bom-ref']])
  for (const ref of reached) for (const needed of needs.get(ref) ?? []) reached.add(needed)
  const refs = bom.components.map((one: { 'bom-ref': string }) => one['bom-ref'])
  expect([...reached].slice(1).sort()).toEqual(refs.sort())
  const [own = '', npm = '', jq = '', inner = ''] = [
    'npm/rma-cli',
    'npm/jq-web',
    'generic/jq',
    'generic/oniguruma',
  ].map((name) => [...needs.keys()].find((ref) => ref.replace(/@[^@]*$/, '') === `pkg:${name}`) ?? name)
  expect([needs.get(own), needs.get(npm), needs.get(jq)]).toEqual(
    [npm, jq, inner].map((ref) => expect.arrayContaining([ref])),
  )
  expect(needs.get(own)).not.toContain(jq)
})
