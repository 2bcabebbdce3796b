import { pipeline } from 'node:stream/promises'
import { createInflate } from 'node:zlib'
import {
  concatTransformationMatrix,
  decodePDFRawStream,
  drawObject,
  PDFArray,
  PDFBool,
  PDFDict,
  PDFDocument,
  PDFDropdown,
  type PDFField,
  PDFName,
  PDFNumber,
  PDFOptionList,
  type PDFPage,
  PDFRawStream,
  PDFRef,
  PDFStream,
  PDFTextField,
  PDFXRefStreamParser,
  popGraphicsState,
  pushGraphicsState,
} from '@cantoo/pdf-lib'
import { usageError } from '../../errors.ts'
import {
  type Box,
  bufferOf,
  type Placeable,
  quarterTurn,
  type SheetLabel,
  turnedSize,
  unreadable,
} from './sheet-layout.ts'

const MAX_UNPACKED_BYTES = 200_000_000

const MAX_DEFLATE_RATIO = 1032

const MAX_TABLE_ENTRIES = 1_000_000
/** Bytes of a table that some programs declare but do not write. */
const MAX_MISSING_TABLE_BYTES = 10_000

export async function pdfPages(target: PDFDocument, label: SheetLabel): Promise<Placeable[]> {
  const { name } = label
  const bytes = bufferOf(label)
  if (await isTooLarge(bytes)) {
    throw usageError(
      `The label ${name} is a PDF of more than 200 MB unpacked: no label is.`,
      'leave it out, and ask the carrier for the label again',
    )
  }
  boundTables()
  try {
    // The library loads truncated files and omits the missing objects without an error.
    const lastObject = bytes.lastIndexOf('endobj')
    if (['xref', 'trailer', '%%EOF'].every((word) => bytes.lastIndexOf(word) < lastObject))
      throw new Error('its end is missing')
    const source = await PDFDocument.load(label.bytes, {
      updateMetadata: false,
      // An empty password opens files that are only protected against changes.
      // The library reports encrypted objects as invalid.
      ...(bytes.includes('/Encrypt') ? { password: '' } : { throwOnInvalidObject: true }),
    })
    const pages = source.getPages()
    if (pages.length === 0) throw new Error('it has no page')
    const boxes = pages.map(shownBox)
    drawFieldValues(source)
    for (const page of pages) {
      await keepPacked(page)
      // The library can't embed a page without content.
      page.pushOperators()
      drawAnnotations(page)
    }
    const contents = await target.embedPages(pages, boxes)
    for (const content of contents) await content.embed()
    return contents.map((content, index) => {
      // A page's rotation is clockwise.
      const turn = quarterTurn(-(pages[index]?.getRotation().angle ?? 0))
      const unit = pages[index]?.node.lookupMaybe(PDFName.of('UserUnit'), PDFNumber)?.asNumber() || 1
      const size = turnedSize({ width: content.width * unit, height: content.height * unit }, turn)
      return { label, size, turn, content }
    })
  } catch (cause) {
    if (cause instanceof FieldError) throw unreadable(label, cause.message, cause)
    const needsPassword = cause instanceof Error && /password|encrypted/i.test(cause.message)
    throw unreadable(label, needsPassword ? 'it needs a password' : 'it is broken or cut off', cause)
  }
}

/** Returns the part of the page inside its crop box, as viewers and printers show it. */
function shownBox(page: PDFPage) {
  const edgesOf = ({ x, y, width, height }: Box) => ({
    left: x,
    bottom: y,
    right: x + width,
    top: y + height,
  })
  const [media, crop] = [edgesOf(page.getMediaBox()), edgesOf(page.getCropBox())]
  const [left, bottom] = [Math.max(media.left, crop.left), Math.max(media.bottom, crop.bottom)]
  const [right, top] = [Math.min(media.right, crop.right), Math.min(media.top, crop.top)]
  return left < right && bottom < top ? { left, bottom, right, top } : media
}

let areTablesBounded = false

/** Makes the library refuse huge or truncated tables: it would allocate as many entries as they declare. */
function boundTables() {
  if (areTablesBounded) return
  areTablesBounded = true
  const { forStream } = PDFXRefStreamParser
  PDFXRefStreamParser.forStream = (stream) => {
    const { dict } = stream
    const lengths = numbers(dict, 'Index').filter((_first, index) => index % 2 === 1)
    const size = () => dict.lookup(PDFName.of('Size'), PDFNumber).asNumber()
    const entries = lengths.length > 0 ? total(lengths) : size()
    const width = Math.max(1, total(numbers(dict, 'W')))
    const bytes = decodePDFRawStream(stream).decode().length
    if (entries >= MAX_TABLE_ENTRIES || entries * width > bytes + MAX_MISSING_TABLE_BYTES)
      throw new Error('its table of objects is cut off')
    return forStream(stream)
  }
}

function total(counts: readonly number[]) {
  return counts.reduce((sum, each) => sum + Math.abs(each), 0)
}

/** True for more than 200 MB unpacked: the library keeps several copies in memory. */
async function isTooLarge(pdf: Buffer) {
  let unpacked = 0
  for (let at = pdf.indexOf('stream'); at !== -1; at = pdf.indexOf('stream', at + 6)) {
    if (pdf.subarray(at - 3, at).toString('latin1') === 'end') continue
    const start = at + (pdf[at + 6] === 0x0d ? 8 : 7)
    if (((pdf[start] ?? 0) & 0x0f) !== 8 || pdf.readUInt16BE(Math.min(start, pdf.length - 2)) % 31 !== 0)
      continue
    const before = pdf.subarray(Math.max(0, at - 400), at).toString('latin1')
    const dictionary = before.slice(before.lastIndexOf('obj') + 1)
    if (/\/(?:FlateDecode|LZWDecode|Fl|LZW)\b[^\]]*\/(?:FlateDecode|LZWDecode|Fl|LZW)\b/.test(dictionary))
      return true
    if (pdf.length * MAX_DEFLATE_RATIO < MAX_UNPACKED_BYTES) continue
    const end = pdf.indexOf('endstream', start)
    const count = (bytes: number) => {
      unpacked += bytes
      return unpacked <= MAX_UNPACKED_BYTES
    }
    await unpack(pdf.subarray(start, end === -1 ? pdf.length : end), count).catch(() => undefined)
    if (unpacked > MAX_UNPACKED_BYTES) return true
  }
  return false
}

/** @throws Error if the data are broken */
async function unpack(packed: Uint8Array, mayContinue: (bytes: number) => boolean) {
  await pipeline([packed], createInflate(), async (chunks) => {
    for await (const chunk of chunks) if (!mayContinue(chunk.length)) return
  })
}

/** Smaller contents unpack to at most 50 MB. */
const LARGE_CONTENT_BYTES = 50_000

/** Moves large contents into a form, which the library copies compressed. */
async function keepPacked(page: PDFPage) {
  const { node } = page
  const { context } = page.doc
  const contents = node.Contents()
  const stream = contents instanceof PDFArray && contents.size() === 1 ? contents.lookup(0) : contents
  if (!(stream instanceof PDFRawStream) || stream.contents.length < LARGE_CONTENT_BYTES) return
  const [Filter, parameters] = ['Filter', 'DecodeParms'].map((name) => stream.dict.lookup(PDFName.of(name)))
  if (Filter !== PDFName.of('FlateDecode') || parameters !== undefined) return
  await unpack(stream.contents, () => true)
  const { x, y, width, height } = page.getMediaBox()
  const BBox = [x, y, x + width, y + height]
  const Resources = node.Resources() ?? {}
  const dict = context.obj({ Type: 'XObject', Subtype: 'Form', Filter, BBox, Resources })
  const form = context.register(PDFRawStream.of(dict, stream.contents))
  node.delete(PDFName.of('Contents'))
  node.set(PDFName.of('Resources'), context.obj({}))
  page.pushOperators(drawObject(node.newXObject('Contents', form)))
}

class FieldError extends Error {}

function drawFieldValues(document: PDFDocument) {
  const dict = document.catalog.lookupMaybe(PDFName.of('AcroForm'), PDFDict)
  if (dict === undefined) return
  // The library would warn that it drops this XML copy of the form.
  dict.delete(PDFName.of('XFA'))
  const areAllStale = dict.lookup(PDFName.of('NeedAppearances')) === PDFBool.True
  const form = document.getForm()
  for (const field of form.getFields()) {
    if (!areAllStale && !field.needsAppearancesUpdate()) continue
    const text = textOf(field)
    if (text === undefined) continue
    const font = form.getDefaultFont()
    const known = new Set(font.getCharacterSet())
    // The library would print question marks.
    const unsupported = [...text].find(
      (character) => !(/\s/.test(character) || known.has(character.codePointAt(0) ?? 0)),
    )
    if (unsupported !== undefined)
      throw new FieldError(`a form field holds "${unsupported}", for which there is no font`)
    field.defaultUpdateAppearances(font)
  }
}

function textOf(field: PDFField) {
  if (field instanceof PDFTextField) return field.getText() ?? ''
  if (field instanceof PDFDropdown || field instanceof PDFOptionList) return field.getSelected().join('')
  return undefined
}

/** Draws annotations into the content, as only content is put on sheets. */
function drawAnnotations(page: PDFPage) {
  const name = PDFName.of('Annots')
  for (const annotation of page.node.lookupMaybe(name, PDFArray)?.asArray() ?? []) {
    const dict = page.doc.context.lookup(annotation)
    if (dict instanceof PDFDict) drawAnnotation(page, dict)
  }
  page.node.delete(name)
}

function drawAnnotation(page: PDFPage, annotation: PDFDict) {
  const flags = annotation.lookupMaybe(PDFName.of('F'), PDFNumber)?.asNumber() ?? 0
  const [isHidden, isPrinted] = [(flags & 2) !== 0, (flags & 4) !== 0]
  const look = isPrinted && !isHidden ? appearance(annotation) : undefined
  const stream = look && page.doc.context.lookup(look)
  const rectangle = numbers(annotation, 'Rect')
  if (look === undefined || !(stream instanceof PDFStream) || rectangle.length !== 4) return
  const box = numbers(stream.dict, 'BBox')
  const own = numbers(stream.dict, 'Matrix')
  const matrix =
    box.length === 4 ? placement(box, own.length === 6 ? own : [1, 0, 0, 1, 0, 0], rectangle) : undefined
  if (matrix === undefined) return
  page.pushOperators(
    pushGraphicsState(),
    concatTransformationMatrix(...matrix),
    drawObject(page.node.newXObject('Annotation', look)),
    popGraphicsState(),
  )
}

function appearance(annotation: PDFDict) {
  const normal = PDFName.of('N')
  const looks = annotation.lookupMaybe(PDFName.of('AP'), PDFDict)
  const states = looks?.lookup(normal)
  const state = annotation.lookup(PDFName.of('AS'))
  const isNamed = state instanceof PDFName
  const look = states instanceof PDFDict ? isNamed && states.get(state) : looks?.get(normal)
  return look instanceof PDFRef ? look : undefined
}

/** Maps a form's box, after its matrix, onto the annotation's rectangle (PDF 32000-1, 12.5.5). */
function placement(box: readonly number[], matrix: readonly number[], rectangle: readonly number[]) {
  const [a = 0, b = 0, c = 0, d = 0, e = 0, f = 0] = matrix
  const corners = [0, 2].flatMap((i) => [1, 3].map((j) => [box[i] ?? 0, box[j] ?? 0] as const))
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom]
  if (width === 0 || height === 0) return undefined
  const [x0 = 0, y0 = 0, x1 = 0, y1 = 0] = rectangle
  const [scaleX, scaleY] = [Math.abs(x1 - x0) / width, Math.abs(y1 - y0) / height]
  const [toX, toY] = [Math.min(x0, x1) - left * scaleX, Math.min(y0, y1) - bottom * scaleY]
  return [scaleX, 0, 0, scaleY, toX, toY] as const
}

function numbers(holder: PDFDict, name: string) {
  const list = holder.lookup(PDFName.of(name))
  if (!(list instanceof PDFArray)) return []
  return Array.from({ length: list.size() }, (_unused, index) => {
    const value = list.lookup(index)
    return value instanceof PDFNumber ? value.asNumber() : 0
  })
}
