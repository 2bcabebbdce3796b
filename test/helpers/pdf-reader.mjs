import { join } from 'node:path'
import { parentPort } from 'node:worker_threads'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'

/*
 * Worker thread that reads PDF with pdf.js. It answers `{ id, bytes, dpi? }` with `{ id, pages }`: the drawn pages if
 * `dpi` is given, else size and text of each. Failures give `{ id, error }`.
 */

const MM_PER_POINT = 25.4 / 72
const assets = (folder) => `${join(import.meta.dirname, '../../node_modules/pdfjs-dist', folder)}/`

parentPort.on('message', async ({ id, bytes, dpi }) => {
  try {
    const pages = await eachPage(
      bytes,
      dpi === undefined ? textOf : (page, canvas) => drawn(page, canvas, dpi),
    )
    // Copied because since Node.js 22 the memory of a canvas can't be transferred.
    parentPort.postMessage({ id, pages })
  } catch (error) {
    parentPort.postMessage({ id, error })
  }
})

async function textOf(page) {
  const { width, height } = page.getViewport({ scale: 1 })
  const { items } = await page.getTextContent()
  let text = ''
  let end = { x: 0, y: Number.NaN }
  for (const item of items) {
    if (!('str' in item)) continue
    const [, , , , x, y] = item.transform
    // pdf.js reports line breaks only within a block of text.
    const gap = end.y === y ? ' ' : '\n'
    const touches = text === '' || /\s$/.test(text) || (end.y === y && Math.abs(x - end.x) < 1)
    text += `${touches ? '' : gap}${item.str}${item.hasEOL ? '\n' : ''}`
    end = { x: x + item.width, y }
  }
  return { widthMm: width * MM_PER_POINT, heightMm: height * MM_PER_POINT, text }
}

/** Draws a page with @napi-rs/canvas, which pdf.js depends on. */
async function drawn(page, canvasFactory, dpi) {
  const viewport = page.getViewport({ scale: dpi / 72 })
  const [width, height] = [Math.round(viewport.width), Math.round(viewport.height)]
  const { context } = canvasFactory.create(width, height)
  await page.render({ canvas: null, canvasContext: context, viewport }).promise
  return { data: context.getImageData(0, 0, width, height).data, width, height }
}

async function eachPage(bytes, read) {
  const task = getDocument({
    data: new Uint8Array(bytes),
    standardFontDataUrl: assets('standard_fonts'),
    cMapUrl: assets('cmaps'),
    wasmUrl: assets('wasm'),
    verbosity: VerbosityLevel.ERRORS,
  })
  try {
    const pdf = await task.promise
    const results = []
    for (let number = 1; number <= pdf.numPages; number++) {
      results.push(await read(await pdf.getPage(number), pdf.canvasFactory))
    }
    return results
  } finally {
    await task.destroy()
  }
}
