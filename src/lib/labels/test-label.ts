/** Points of a millimetre. */
const MM = 72 / 25.4
const [WIDTH, HEIGHT] = [100 * MM, 150 * MM]
const RULER_MM = 80

/** Makes a PDF label of 100 × 150 mm with a title, a frame 3 mm from its edges, a ruler of 80 mm, and a barcode. */
export async function testLabel(title: string): Promise<Uint8Array> {
  const [{ PDFDocument, StandardFonts, rgb }, { toBuffer }] = await Promise.all([
    import('@cantoo/pdf-lib'),
    import('bwip-js/node'),
  ])
  const document = await PDFDocument.create()
  const page = document.addPage([WIDTH, HEIGHT])
  const font = await document.embedFont(StandardFonts.Helvetica)
  const [black, left] = [rgb(0, 0, 0), 10 * MM]
  const [width, height] = [WIDTH - 6 * MM, HEIGHT - 6 * MM]
  page.drawRectangle({ x: 3 * MM, y: 3 * MM, width, height, borderWidth: 0.5 * MM, borderColor: black })
  page.drawText('rma test label', { x: left, y: 130 * MM, size: 24, font })
  // Names and addresses of printers are ASCII, and may be long.
  page.drawText(title.slice(0, 120), { x: left, y: 120 * MM, size: 11, font, maxWidth: RULER_MM * MM })
  for (let mm = 0; mm <= RULER_MM; mm += 10) {
    const x = left + mm * MM
    page.drawLine({ start: { x, y: 90 * MM }, end: { x, y: 95 * MM }, thickness: 0.25 * MM, color: black })
  }
  const [start, end] = [
    { x: left, y: 90 * MM },
    { x: left + RULER_MM * MM, y: 90 * MM },
  ]
  page.drawLine({ start, end, thickness: 0.25 * MM, color: black })
  page.drawText(`${RULER_MM} mm`, { x: left, y: 84 * MM, size: 11, font })
  const code = await document.embedPng(
    await toBuffer({ bcid: 'code128', text: 'RMA-TEST', scale: 4, height: 12 }),
  )
  page.drawImage(code, { x: left, y: 40 * MM, width: 60 * MM, height: 25 * MM })
  page.drawText('RMA-TEST', { x: left, y: 34 * MM, size: 11, font })
  return document.save()
}
