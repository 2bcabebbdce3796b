import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'
import type { Entry, ZipFile } from 'yauzl'
import { MAX_RECORD_BYTES } from '../row.ts'
import dateStyles from './date-styles.json'

const WORKBOOK = 'xl/workbook.xml'
/** All texts of a workbook are in memory while it is read. */
const MAX_SHARED_BYTES = 2 ** 28
const BYTES_OF_A_STRING = 64

export interface Worksheet {
  name: string
  path: string
}

export type Workbook = Awaited<ReturnType<typeof readWorkbook>>

const MAX_UNPACKED_BYTES = 1e9

export async function* inZip<T>(path: string, use: (zip: Zip) => AsyncGenerator<T>): AsyncGenerator<T> {
  const { openPromise } = await import('yauzl')
  const file = await openPromise(path, { autoClose: false })
  try {
    const entries = new Map<string, Entry>()
    let unpacked = 0
    for await (const entry of file.eachEntry()) {
      unpacked += entry.uncompressedSize
      if (unpacked > MAX_UNPACKED_BYTES) throw new TooLargeError('is larger than 1 GB unpacked')
      entries.set(entry.fileName.toLowerCase(), entry)
    }
    yield* use(new Zip(file, entries))
  } finally {
    file.close()
  }
}

export class Zip {
  constructor(
    readonly file: ZipFile,
    readonly entries: ReadonlyMap<string, Entry>,
  ) {}

  has(name: string): boolean {
    return this.entries.has(name.toLowerCase())
  }

  async open(name: string): Promise<Readable> {
    const entry = this.entries.get(name.toLowerCase())
    if (entry === undefined) throw new Error(`${name} is missing`)
    return this.file.openReadStreamPromise(entry)
  }

  unpackedBytes(name: string): number {
    return this.entries.get(name.toLowerCase())?.uncompressedSize ?? 0
  }

  isWorkbook() {
    return this.has(WORKBOOK)
  }
}

export async function readWorkbook(zip: Zip) {
  const { targets, strings, styles } = await readRelations(zip)
  const visible: Worksheet[] = []
  const hidden: Worksheet[] = []
  let is1904 = false
  await readWholeXml(await zip.open(WORKBOOK), {
    open(name, attributes) {
      if (name === 'workbookPr') is1904 = /^(?:1|true)$/.test(attributes.date1904 ?? '')
      if (name !== 'sheet') return
      // Writers choose the prefix: `r:id`.
      const [, id = ''] = Object.entries(attributes).find(([key]) => local(key) === 'id') ?? []
      const path = targets.get(id)
      if (path === undefined) return
      const list = (attributes.state ?? 'visible') === 'visible' ? visible : hidden
      list.push({ name: attributes.name ?? '', path })
    },
  })
  return {
    /** Hidden sheets are last. */
    sheets: [...visible, ...hidden],
    sharedStrings: zip.has(strings) ? await readStrings(await zip.open(strings)) : [],
    /** Indexed by the number of the cell format. */
    cellStyles: zip.has(styles) ? await readStyles(await zip.open(styles)) : [],
    is1904,
  }
}

/** Leaves out chart sheets, which have no cells. */
async function readRelations(zip: Zip) {
  const targets = new Map<string, string>()
  let strings = 'xl/sharedStrings.xml'
  let styles = 'xl/styles.xml'
  await readWholeXml(await zip.open('xl/_rels/workbook.xml.rels'), {
    open(name, { Id = '', Type = '', Target = '' }) {
      if (name !== 'Relationship') return
      const path = Target.startsWith('/') ? Target.slice(1) : `xl/${Target}`
      if (Type.endsWith('/worksheet')) targets.set(Id, path)
      if (Type.endsWith('/sharedStrings')) strings = path
      if (Type.endsWith('/styles')) styles = path
    },
  })
  return { targets, strings, styles }
}

async function readStrings(stream: Readable) {
  const found: string[] = []
  let bytes = 0
  const cell = new CellText()
  await readWholeXml(stream, {
    open(name) {
      cell.see(name, true)
      if (name === 'si') cell.text = ''
    },
    text: (piece) => cell.add(piece),
    close(name) {
      cell.see(name, false)
      if (name !== 'si') return
      bytes += BYTES_OF_A_STRING + 2 * cell.text.length
      if (bytes > MAX_SHARED_BYTES)
        throw new TooLargeError('holds more different texts than there is memory for')
      found.push(unescaped(cell.text))
    },
  })
  return found
}

/** Text of a cell without its phonetic reading. */
export class CellText {
  text = ''
  #isText = false
  #isPhonetic = false

  /** Has to be called for every tag. */
  see(name: string, isOpen: boolean) {
    if (name === 'v' || name === 't') this.#isText = isOpen && !this.#isPhonetic
    else if (name === 'rPh') this.#isPhonetic = isOpen
  }

  add(piece: string) {
    if (!this.#isText) return
    this.text += piece
    if (this.text.length > MAX_RECORD_BYTES) throw new TooLargeError(TOO_LONG)
  }
}

async function readStyles(stream: Readable): Promise<(CellStyle | undefined)[]> {
  const codes = new Map<number, string>()
  const styles: (CellStyle | undefined)[] = []
  let isCells = false
  await readWholeXml(stream, {
    open(name, { numFmtId, formatCode }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode ?? '')
      else if (name === 'cellXfs') isCells = true
      else if (name === 'xf' && isCells) {
        const id = Number(numFmtId ?? 0)
        styles.push(cellStyleOf(id, codes.get(id)))
      }
    },
    close(name) {
      if (name === 'cellXfs') isCells = false
    },
  })
  return styles
}

interface XmlHandlers {
  /** @param name without its prefix, which some writers put before every name */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** The message is printed after the file's name. */
export class TooLargeError extends Error {}

const TOO_LONG = 'holds a cell longer than 1 MiB'
/** Size of a 1 MiB text with every character written as a reference (`&#x1F600;`). */
const MAX_RUN_BYTES = 16 * 2 ** 20

/** Yields after each chunk, so that the caller can pass on what its handlers gathered. */
export async function* readXml(stream: Readable, handlers: XmlHandlers): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('opentag', ({ name, attributes }) => handlers.open(local(name), attributes))
  parser.on('closetag', ({ name }) => handlers.close?.(local(name)))
  if (handlers.text) parser.on('text', (text) => handlers.text?.(text))
  const decoder = new StringDecoder('utf8')
  let sinceTag = 0
  for await (const chunk of stream) {
    const lastTag = chunk.lastIndexOf('<')
    // The parser keeps a text until it ends.
    sinceTag = lastTag === -1 ? sinceTag + chunk.length : chunk.length - lastTag
    if (sinceTag > MAX_RUN_BYTES) throw new TooLargeError(TOO_LONG)
    parser.write(decoder.write(chunk))
    yield
  }
  parser.write(decoder.end())
  parser.close()
  yield
}

async function readWholeXml(stream: Readable, handlers: XmlHandlers) {
  for await (const _ of readXml(stream, handlers));
}

function local(name: string) {
  return name.slice(name.indexOf(':') + 1)
}

/** XML writes characters that it can't hold as `_x000B_`. */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}

const MS_PER_DAY = 86_400_000
/** Day 0 for dates before and after 29 February 1900, which spreadsheets count by mistake. */
const FROM_1904 = Date.UTC(1904, 0, 1)
const FROM_1900 = Date.UTC(1899, 11, 31)
const AFTER_FEBRUARY_1900 = Date.UTC(1899, 11, 30)

type DateStyle = 'date' | 'date-time' | 'time'
/** Kind of date, or digits of a number that is shown with leading zeros. */
type CellStyle = DateStyle | number

/** Built-in formats, whose codes are not in the file (ECMA-376 part 1, 18.8.30). */
const BUILT_IN = dateStyles as Readonly<Record<number, DateStyle>>

/** @param code `dd/mm/yyyy hh:mm`, if the file has it */
export function cellStyleOf(id: number, code: string | undefined): CellStyle | undefined {
  if (code === undefined) return BUILT_IN[id]
  const [shown = ''] = code.replace(/"[^"]*"|\\.|[_*].|\[(?![hms]+\])[^\]]*\]/gi, '').split(';')
  if (/general/i.test(shown)) return undefined
  if (/^0+$/.test(shown)) return shown.length
  const isTime = /[hs]|\[m/i.test(shown)
  if (/[dy]/i.test(shown) || (/m/i.test(shown) && !isTime)) return isTime ? 'date-time' : 'date'
  return isTime ? 'time' : undefined
}

export function dateText(serial: number, style: DateStyle, is1904: boolean): string | undefined {
  if (!Number.isFinite(serial) || serial < 0 || serial >= 2_958_466) return undefined
  if (!is1904 && Math.floor(serial) === 60) return undefined
  const base = is1904 ? FROM_1904 : serial < 60 ? FROM_1900 : AFTER_FEBRUARY_1900
  const [day = '', time = ''] = new Date(base + Math.round(serial * MS_PER_DAY)).toISOString().split('T')
  const shortTime = time.replace(/(?:\.000)?Z$/, '')
  if (style === 'time') return serial < 1 ? shortTime : undefined
  return style === 'date' && shortTime === '00:00:00' ? day : `${day}T${shortTime}`
}
