import fc from 'fast-check'
import { expect, it } from 'vitest'
import { centred, fitInto, SHEETS, slots } from '../../../../src/lib/labels/paper/sheet-layout.ts'
import type { Sheet } from '../../../../src/lib/wire/enumerations.ts'

const side = fc.double({ min: 20, max: 1500, noNaN: true })
it('a label on a sheet is inside its slot, never enlarged, and made smaller only where it must be', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('a4', 'letter', 'a6', '4x6'),
      fc.constantFrom(1, 2, 4),
      fc.record({ width: side, height: side }),
      fc.constantFrom(0, 90, 180, 270),
      (sheet, perPage, size, turn) => {
        for (const slot of slots(sheet, perPage)) {
          const { scale, isRotated } = fitInto(size, slot)
          const width = size.width * scale
          const height = size.height * scale
          const [across, up] = isRotated ? [height, width] : [width, height]
          expect(scale).toBeLessThanOrEqual(1)
          // Half a millimetre may be lost.
          expect(across).toBeLessThanOrEqual(slot.width + 1.5)
          expect(up).toBeLessThanOrEqual(slot.height + 1.5)
          if (scale < 1) {
            expect(Math.min(slot.width / across, slot.height / up)).toBeCloseTo(1, 6)
          }
          // The corners of what is drawn, turned about its lower left one.
          const at = centred({ width, height }, turn, slot)
          const lies = turn % 180 !== 0
          const radians = (turn * Math.PI) / 180
          const far = {
            x: at.x + width * Math.cos(radians) - height * Math.sin(radians),
            y: at.y + width * Math.sin(radians) + height * Math.cos(radians),
          }
          expect((at.x + far.x) / 2).toBeCloseTo(slot.x + slot.width / 2, 6)
          expect((at.y + far.y) / 2).toBeCloseTo(slot.y + slot.height / 2, 6)
          expect(Math.abs(at.x - far.x)).toBeCloseTo(lies ? height : width, 6)
        }
      },
    ),
  )
})

it('slots cover a sheet without overlapping', () => {
  for (const sheet of Object.keys(SHEETS) as Sheet[]) {
    for (const perPage of [1, 2, 4] as const) {
      const area = slots(sheet, perPage).reduce((sum, { width, height }) => sum + width * height, 0)
      expect(area).toBeCloseTo(SHEETS[sheet].width * SHEETS[sheet].height, 3)
      expect(new Set(slots(sheet, perPage).map(({ x, y }) => `${x} ${y}`)).size).toBe(perPage)
    }
  }
})
