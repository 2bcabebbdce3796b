import { deflateSync, inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { greyPixels } from '../../../src/lib/labels/png.ts'

const chunk = (name: string, data: Buffer) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  return Buffer.concat([length, Buffer.from(name), data, Buffer.alloc(4)])
}

/** A grey PNG of 3 × 2 points, as its header and chunks say. */
function png(header: readonly number[], ...chunks: Buffer[]): Buffer {
  const sizes = [0, 0, 0, 3, 0, 0, 0, 2]
  const head = chunk('IHDR', Buffer.of(...sizes, ...header))
  return Buffer.concat([PNG.sync.write(new PNG({ width: 1, height: 1 })).subarray(0, 8), head, ...chunks])
}

const GREY = [8, 0, 0, 0, 0]
const packed = deflateSync(Buffer.of(0, 1, 2, 3, 1, 4, 5, 6))
const [first, second] = [packed.subarray(0, 5), packed.subarray(5)]
const end = chunk('IEND', Buffer.of())

it('the pixels of a grey PNG, of all its chunks, are handed on as they are', () => {
  const text = chunk('tEXt', Buffer.from('x'))
  const found = greyPixels(png(GREY, text, chunk('IDAT', first), chunk('IDAT', second), end))
  expect(found).toMatchObject({ columns: 3, rows: 2 })
  expect(inflateSync(found!.deflated)).toEqual(Buffer.of(0, 1, 2, 3, 1, 4, 5, 6))
})

it.each([
  ['in colour', png([8, 2, 0, 0, 0], chunk('IDAT', packed), end)],
  ['of 1 bit', png([1, 0, 0, 0, 0], chunk('IDAT', packed), end)],
  ['interlaced', png([8, 0, 0, 0, 1], chunk('IDAT', packed), end)],
  ['transparent', png(GREY, chunk('tRNS', Buffer.of(0, 0)), chunk('IDAT', packed), end)],
  ['cut off', png(GREY, chunk('IDAT', packed))],
  ['cut off in a chunk', png(GREY, chunk('IDAT', packed), end).subarray(0, -20)],
  ['nothing', Buffer.of()],
])('not one that is %s', (_name, bytes) => {
  expect(greyPixels(bytes)).toBeUndefined()
})
