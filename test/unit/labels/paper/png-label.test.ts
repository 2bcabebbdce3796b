import { deflateSync, inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { checkedPixels } from '../../../../src/lib/labels/paper/png-label.ts'

const chunk = (name: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
}

const [COLUMNS, ROWS] = [3, 2]

/** PNG of 3 × 2 points, by its header and chunks. */
function png(header: readonly number[], ...chunks: Buffer[]) {
  const sizes = [0, 0, 0, COLUMNS, 0, 0, 0, ROWS]
  const head = chunk('IHDR', Buffer.of(...sizes, ...header))
  return Buffer.concat([PNG.sync.write(new PNG({ width: 1, height: 1 })).subarray(0, 8), head, ...chunks])
}

const GREY = [8, 0, 0, 0, 0]
const packed = deflateSync(Buffer.of(0, 1, 2, 3, 1, 4, 5, 6))
const [first, second] = [packed.subarray(0, 5), packed.subarray(5)]
const end = chunk('IEND', Buffer.of())

it('the pixels of a PNG, of all its chunks, are handed on as they are', async () => {
  const text = chunk('tEXt', Buffer.from('x'))
  const found = await checkedPixels(png(GREY, text, chunk('IDAT', first), chunk('IDAT', second), end))
  expect(found).toMatchObject({ columns: 3, rows: 2, samples: 1, bits: 8 })
  expect(inflateSync(found!.deflated)).toEqual(Buffer.of(0, 1, 2, 3, 1, 4, 5, 6))
})

it.each([
  ['interlaced', png([8, 0, 0, 0, 1], chunk('IDAT', packed), end)],
  ['transparent', png(GREY, chunk('tRNS', Buffer.of(0, 0)), chunk('IDAT', packed), end)],
  ['without its palette', png([8, 3, 0, 0, 0], chunk('IDAT', packed), end)],
  ['with alpha', png([8, 4, 0, 0, 0], chunk('IDAT', packed), end)],
  ['of no type there is', png([8, 5, 0, 0, 0], chunk('IDAT', packed), end)],
  ['cut off', png(GREY, chunk('IDAT', packed))],
  ['cut off in a chunk', png(GREY, chunk('IDAT', packed), end).subarray(0, -20)],
  ['nothing', Buffer.of()],
])('a PNG that is %s is refused', async (_name, bytes) => {
  expect(await checkedPixels(bytes)).toBeUndefined()
})

it.each([
  ['too few pixels', Buffer.of(0, 1, 2, 3, 1, 4, 5)],
  ['too many', Buffer.alloc(9)],
  ['no filter there is', Buffer.of(0, 1, 2, 3, 5, 4, 5, 6)],
])('a PNG from outside with %s is refused', async (_name, pixels) => {
  expect(await checkedPixels(png(GREY, chunk('IDAT', deflateSync(pixels)), end))).toBeUndefined()
  const half = deflateSync(Buffer.alloc(8)).subarray(0, 9)
  expect(await checkedPixels(png(GREY, chunk('IDAT', half), end))).toBeUndefined()
})
