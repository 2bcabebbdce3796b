import { strToU8, Zip, ZipDeflate } from 'fflate'
import { escapeMarkup, plainDate, plainText } from '../../../wire/plain.ts'
import { asNumber } from '../../../wire/raw.ts'
import type { Return } from '../../../wire/returns.ts'
import { EXPORT_COLUMNS, type ExportColumn, type ExportWriter } from './columns.ts'

const SHEET_ROWS = 2 ** 20
const MAX_TEXT = 32_767
const DAY_MS = 86_400_000
/** Serial date of 1970-01-01 in a spreadsheet. */
const EPOCH_DAY = 25_569
const CHUNK_CHARACTERS = 64 * 1024

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const SPREADSHEET = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const CONTENT_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Cell style 1 formats dates. */
const STYLES =
  `${XML}<styleSheet xmlns="${SPREADSHEET}"><numFmts count="1"><numFmt numFmtId="164" ` +
  'formatCode="yyyy\\-mm\\-dd\\ hh:mm:ss"/></numFmts><fonts count="1"><font/></fonts><fills count="2">' +
  '<fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
  '<borders count="1"><border/></borders><cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="2"><xf/>' +
  '<xf numFmtId="164" applyNumberFormat="1"/></cellXfs>' +
  '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'

/**
 * Streams a workbook row by row, since libraries keep all rows in memory. Texts are inline. Rows beyond a sheet's
 * limit go into the next one.
 */
export const writeXlsx: ExportWriter = async (records, write, onLost) => {
  const zip = new Zip((error, piece) => {
    if (error) throw error
    write(piece)
  })
  const add = (name: string, text: string) => {
    const file = new ZipDeflate(name)
    zip.add(file)
    file.push(strToU8(text), true)
  }
  let sheets = 0
  let sheet: Sheet | undefined
  const nextSheet = () => {
    sheet?.end()
    sheets += 1
    const file = new ZipDeflate(`xl/worksheets/sheet${sheets}.xml`)
    zip.add(file)
    return new Sheet(file)
  }
  sheet = nextSheet()
  for await (const record of records) {
    if (sheet.isFull) sheet = nextSheet()
    sheet.row(EXPORT_COLUMNS.map((column) => cell(column, record, onLost)))
  }
  sheet.end()
  add('xl/styles.xml', STYLES)
  const numbers = Array.from({ length: sheets }, (_, index) => index + 1)
  add(
    'xl/workbook.xml',
    `${XML}<workbook xmlns="${SPREADSHEET}" xmlns:r="${OFFICE}"><sheets>${numbers
      .map((n) => `<sheet name="returns${n === 1 ? '' : ` ${n}`}" sheetId="${n}" r:id="rId${n}"/>`)
      .join('')}</sheets></workbook>`,
  )
  add(
    'xl/_rels/workbook.xml.rels',
    relationships([
      ...numbers.map((n) => ['worksheet', `worksheets/sheet${n}.xml`] as const),
      ['styles', 'styles.xml'],
    ]),
  )
  add('_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']]))
  const override = (part: string, type: string) =>
    `<Override PartName="/xl/${part}.xml" ContentType="${CONTENT_TYPE}.${type}+xml"/>`
  add(
    '[Content_Types].xml',
    `${XML}<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ` +
      'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
      override('workbook', 'sheet.main') +
      override('styles', 'styles') +
      `${numbers.map((n) => override(`worksheets/sheet${n}`, 'worksheet')).join('')}</Types>`,
  )
  zip.end()
}

class Sheet {
  #text = `${XML}<worksheet xmlns="${SPREADSHEET}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`
  #rows = 0

  constructor(private readonly file: ZipDeflate) {
    this.row(EXPORT_COLUMNS.map(({ name }) => textCell(name)))
  }

  get isFull() {
    return this.#rows === SHEET_ROWS
  }

  row(cells: readonly string[]) {
    this.#rows += 1
    this.#text += `<row>${cells.join('')}</row>`
    if (this.#text.length > CHUNK_CHARACTERS) this.#push(false)
  }

  end() {
    this.#text += '</sheetData></worksheet>'
    this.#push(true)
  }

  #push(isLast: boolean) {
    this.file.push(strToU8(this.#text), isLast)
    this.#text = ''
  }
}

function cell({ kind, value }: ExportColumn, record: Return, onLost: () => void) {
  const sent = value(record)
  const number = kind === 'number' ? asNumber(sent) : undefined
  if (number !== undefined) return `<c><v>${number}</v></c>`
  const date = kind === 'date' ? plainDate(sent) : null
  if (date !== null) return `<c s="1"><v>${Date.parse(date) / DAY_MS + EPOCH_DAY}</v></c>`
  const text = plainText(sent)
  if (text && text.length > MAX_TEXT) onLost()
  return text === null ? '<c/>' : textCell(text)
}

function textCell(text: string) {
  const shown = text
    .slice(0, MAX_TEXT)
    // XML has no form for other control characters.
    .replace(/[^\t\n\r\x20-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
  return `<c t="inlineStr"><is><t xml:space="preserve">${escapeMarkup(shown)}</t></is></c>`
}

function relationships(targets: readonly (readonly [type: string, target: string])[]) {
  const rows = targets.map(
    ([type, target], index) =>
      `<Relationship Id="rId${index + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  )
  return `${XML}<Relationships xmlns="${PACKAGE}/relationships">${rows.join('')}</Relationships>`
}
