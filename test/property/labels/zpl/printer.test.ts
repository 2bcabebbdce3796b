import fc from 'fast-check'
import { expect, it } from 'vitest'
import { differing } from '../../../helpers/label-ink.ts'
import { barcodesInDrawings, drawnZpl } from '../../../helpers/label-readers.ts'
import { zplDots } from '../../../helpers/zpl-sheets.ts'

const CELLS = [150, 450].flatMap((x) => [150, 450, 750].map((y) => [x, y]))
const turn = fc.constantFrom('N', 'R', 'I', 'B')
const word = fc.stringMatching(/^[A-Za-z0-9.#-]{2,4}$/)
const dots = fc.integer({ min: 3, max: 5 })
const field = fc.oneof(
  fc
    .tuple(fc.constantFrom('0', 'A', 'D', 'F'), turn, fc.integer({ min: 18, max: 40 }), word)
    .map(([font, way, height, text]) => `^A${font}${way},${height}^FD${text}^FS`),
  fc
    .tuple(turn, fc.constantFrom('L', 'C', 'R'), word, word)
    .map(([way, align, one, two]) => `^A0${way},24^FB140,3,4,${align}^FD${one} ${two}\\&${one}^FS`),
  fc
    .tuple(
      turn,
      fc.integer({ min: 1, max: 2 }),
      fc.constantFrom('N', 'Y', 'Y,Y'),
      fc.constantFrom('AB', '>:x-', '>;123456'),
    )
    .map(([way, wide, line, data]) => `^BY${wide}^BC${way},60,${line}^FD${data}^FS`),
  fc.tuple(turn, dots, word).map(([way, size, data]) => `^BX${way},${size},200^FD${data}^FS`),
  fc
    .tuple(fc.integer({ min: 20, max: 140 }), fc.integer({ min: 20, max: 140 }), dots)
    .map(([width, height, thick]) => `^GB${width},${height},${thick}^FS`),
)

it('draws any label of usual fields as an independent renderer does', async () => {
  const places = fc.tuple(field, fc.constantFrom('O', 'T'))
  await fc.assert(
    fc.asyncProperty(fc.array(places, { minLength: 6, maxLength: 6 }), async (fields) => {
      // The renderer places areas by their upper edge, whatever ^FT says.
      const placed = fields.map(
        ([text, by], at) => `^F${text.startsWith('^GB') ? 'O' : by}${CELLS[at]?.join()}${text}`,
      )
      const zpl = `^XA^CI28^PW600^LL900${placed.join('')}^XZ`
      const [expected] = await drawnZpl(Buffer.from(zpl), 75, 112.5)
      const [page] = await zplDots(zpl)
      expect(differing(page!, expected!)).toBeLessThan(0.01)
      expect(await barcodesInDrawings([page!])).toEqual(await barcodesInDrawings([expected!]))
    }),
    { numRuns: 8 },
  )
})
