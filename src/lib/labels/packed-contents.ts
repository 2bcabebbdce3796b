import type { PDFPage } from '@cantoo/pdf-lib'
import { unpack } from './pdf-size.ts'

/** Fewer unpack to at most 50 MB. */
const MANY_PACKED_BYTES = 50_000

/**
 * Makes a form of what a page draws, if that is much, and the page draw the form: the library holds the unpacked
 * contents of a page twice, and hands on those of a form as they are.
 *
 * @throws Error if the contents are broken
 */
export async function keepPacked(lib: typeof import('@cantoo/pdf-lib'), page: PDFPage): Promise<void> {
  const { node } = page
  const { context } = page.doc
  const contents = node.Contents()
  const stream = contents instanceof lib.PDFArray && contents.size() === 1 ? contents.lookup(0) : contents
  if (!(stream instanceof lib.PDFRawStream) || stream.contents.length < MANY_PACKED_BYTES) return
  const [filter, parameters] = ['Filter', 'DecodeParms'].map((name) =>
    stream.dict.lookup(lib.PDFName.of(name)),
  )
  if (filter !== lib.PDFName.of('FlateDecode') || parameters !== undefined) return
  await unpack(stream.contents, () => true)
  const { x, y, width, height } = page.getMediaBox()
  const dict = context.obj({
    Type: 'XObject',
    Subtype: 'Form',
    Filter: filter,
    BBox: [x, y, x + width, y + height],
    Resources: node.Resources() ?? {},
  })
  const form = context.register(lib.PDFRawStream.of(dict, stream.contents))
  node.delete(lib.PDFName.of('Contents'))
  node.set(lib.PDFName.of('Resources'), context.obj({}))
  page.pushOperators(lib.drawObject(node.newXObject('Contents', form)))
}
