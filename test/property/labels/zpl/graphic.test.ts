import fc from 'fast-check'
import { expect, it } from 'vitest'
import { zplGraphic } from '../../../../src/lib/labels/zpl/graphic.ts'
import { drawnZpl } from '../../../helpers/label-readers.ts'
import { times } from '../../../helpers/values-of.ts'

const bitmap = fc.integer({ min: 1, max: 120 }).chain((bytesPerRow) =>
  fc.record({
    width: fc.constant(bytesPerRow * 8),
    height: fc.constant(24),
    /** Runs as labels have them: white, black, alike from row to row, and noise between. */
    rows: fc
      .array(fc.tuple(fc.constantFrom(0x00, 0xff, 0xf0, 0xa5), fc.integer({ min: 1, max: 60 })), {
        minLength: 1,
        maxLength: 80,
      })
      .map((runs) => {
        const bytes = runs.flatMap(([byte, count]) => times(count, () => byte))
        return Buffer.from(times(bytesPerRow * 24, (i) => bytes[i % bytes.length] ?? 0))
      }),
  }),
)

it('a graphic is drawn dot by dot as it was', async () => {
  await fc.assert(
    fc.asyncProperty(bitmap, async ({ width, height, rows }) => {
      const [drawn] = await drawnZpl(Buffer.from(zplGraphic({ width, height, rows })), width / 8, height / 8)
      const dots = Buffer.alloc(rows.length)
      for (let dot = 0; dot < width * height; dot++) {
        if ((drawn?.data[dot * 4] ?? 255) < 128) dots[dot >> 3] = (dots[dot >> 3] ?? 0) | (0x80 >> (dot & 7))
      }
      expect([drawn?.width, drawn?.height]).toEqual([width, height])
      expect(dots.equals(rows)).toBe(true)
    }),
    { numRuns: 25 },
  )
})
