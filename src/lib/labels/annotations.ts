import type { PDFDict, PDFDocument, PDFField, PDFPage, PDFRef } from '@cantoo/pdf-lib'

type PdfLib = typeof import('@cantoo/pdf-lib')
type Four = readonly [number, number, number, number]
type Matrix = readonly [number, number, number, number, number, number]

/** Error whose message follows the label's name. */
export class FieldError extends Error {}

const HIDDEN = 2
const PRINT = 4

/** Draws form fields that the file leaves to viewers. @throws FieldError for a value that can't be drawn */
export function drawFieldValues(lib: PdfLib, document: PDFDocument): void {
  const dict = document.catalog.lookupMaybe(lib.PDFName.of('AcroForm'), lib.PDFDict)
  if (dict === undefined) return
  // The library would drop this second description of the form with a message.
  dict.delete(lib.PDFName.of('XFA'))
  const areAllOld = dict.lookup(lib.PDFName.of('NeedAppearances')) === lib.PDFBool.True
  const form = document.getForm()
  for (const field of form.getFields()) {
    if (!areAllOld && !field.needsAppearancesUpdate()) continue
    const text = textOf(lib, field)
    if (text === undefined) continue
    const font = form.getDefaultFont()
    const known = new Set(font.getCharacterSet())
    // The library would print question marks.
    const strange = [...text].find(
      (character) => !(/\s/.test(character) || known.has(character.codePointAt(0) ?? 0)),
    )
    if (strange !== undefined)
      throw new FieldError(`a form field holds "${strange}", for which there is no font`)
    field.defaultUpdateAppearances(font)
  }
}

function textOf(lib: PdfLib, field: PDFField): string | undefined {
  if (field instanceof lib.PDFTextField) return field.getText() ?? ''
  if (field instanceof lib.PDFDropdown || field instanceof lib.PDFOptionList)
    return field.getSelected().join('')
  return undefined
}

/** Draws annotations, form fields among them, into the page: only page contents can be put on a sheet. */
export function drawAnnotations(lib: PdfLib, page: PDFPage): void {
  const name = lib.PDFName.of('Annots')
  const annotations = page.node.lookupMaybe(name, lib.PDFArray)
  for (let index = 0; index < (annotations?.size() ?? 0); index++) {
    const annotation = annotations?.lookup(index)
    if (annotation instanceof lib.PDFDict) drawAnnotation(lib, page, annotation)
  }
  page.node.delete(name)
}

function drawAnnotation(lib: PdfLib, page: PDFPage, annotation: PDFDict): void {
  const flags = annotation.lookupMaybe(lib.PDFName.of('F'), lib.PDFNumber)?.asNumber() ?? 0
  if ((flags & HIDDEN) !== 0 || (flags & PRINT) === 0) return
  const look = appearance(lib, annotation)
  const stream = look && page.doc.context.lookup(look)
  const rectangle = numbers(lib, annotation, 'Rect')
  if (look === undefined || !(stream instanceof lib.PDFStream) || !isFour(rectangle)) return
  const box = numbers(lib, stream.dict, 'BBox')
  const own = numbers(lib, stream.dict, 'Matrix')
  const matrix = isFour(box) ? placement(box, isSix(own) ? own : [1, 0, 0, 1, 0, 0], rectangle) : undefined
  if (matrix === undefined) return
  page.pushOperators(
    lib.pushGraphicsState(),
    lib.concatTransformationMatrix(...matrix),
    lib.drawObject(page.node.newXObject('Annotation', look)),
    lib.popGraphicsState(),
  )
}

/** Returns the appearance of the present state. */
function appearance(lib: PdfLib, annotation: PDFDict): PDFRef | undefined {
  const normal = lib.PDFName.of('N')
  const looks = annotation.lookupMaybe(lib.PDFName.of('AP'), lib.PDFDict)
  const states = looks?.lookup(normal)
  if (!(states instanceof lib.PDFDict)) return asRef(lib, looks?.get(normal))
  const state = annotation.lookup(lib.PDFName.of('AS'))
  return state instanceof lib.PDFName ? asRef(lib, states.get(state)) : undefined
}

function asRef(lib: PdfLib, value: unknown): PDFRef | undefined {
  return value instanceof lib.PDFRef ? value : undefined
}

/** Maps a form's box, after its matrix, onto the annotation's rectangle (PDF 32000-1, 12.5.5). */
function placement(box: Four, [a, b, c, d, e, f]: Matrix, rectangle: Four): Matrix | undefined {
  const corners = [0, 2].flatMap((i) => [1, 3].map((j) => [box[i] ?? 0, box[j] ?? 0] as const))
  const xs = corners.map(([x, y]) => a * x + c * y + e)
  const ys = corners.map(([x, y]) => b * x + d * y + f)
  const [left, bottom] = [Math.min(...xs), Math.min(...ys)]
  const [width, height] = [Math.max(...xs) - left, Math.max(...ys) - bottom]
  if (width === 0 || height === 0) return undefined
  const [x0, y0, x1, y1] = rectangle
  const [scaleX, scaleY] = [Math.abs(x1 - x0) / width, Math.abs(y1 - y0) / height]
  return [scaleX, 0, 0, scaleY, Math.min(x0, x1) - left * scaleX, Math.min(y0, y1) - bottom * scaleY]
}

function numbers(lib: PdfLib, holder: PDFDict, name: string): number[] {
  const list = holder.lookup(lib.PDFName.of(name))
  if (!(list instanceof lib.PDFArray)) return []
  return Array.from({ length: list.size() }, (_unused, index) => {
    const value = list.lookup(index)
    return value instanceof lib.PDFNumber ? value.asNumber() : 0
  })
}

function isFour(list: readonly number[]): list is Four {
  return list.length === 4
}

function isSix(list: readonly number[]): list is Matrix {
  return list.length === 6
}
