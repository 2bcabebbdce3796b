import { deflateSync, inflateSync } from 'node:zlib'
import { PNG } from 'pngjs'
import { expect, it } from 'vitest'
import { checkedPixels, type StoredPixels, storedPixels } from '../../../../src/lib/labels/paper/png-label.ts'

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

it('the pixels of a PNG, of all its chunks, are handed on as they are', () => {
  const text = chunk('tEXt', Buffer.from('x'))
  const found = storedPixels(png(GREY, text, chunk('IDAT', first), chunk('IDAT', second), end))
  expect(found).toMatchObject({ columns: 3, rows: 2, samples: 1, bits: 8 })
  expect(inflateSync(found!.deflated)).toEqual(Buffer.of(0, 1, 2, 3, 1, 4, 5, 6))
})

it.each([
  ['interlaced', png([8, 0, 0, 0, 1], chunk('IDAT', packed), end)],
  ['transparent', png(GREY, chunk('tRNS', Buffer.of(0, 0)), chunk('IDAT', packed), end)],
  ['without its palette', png([8, 3, 0, 0, 0], chunk('IDAT', packed), end)],
  ['of no type there is', png([8, 5, 0, 0, 0], chunk('IDAT', packed), end)],
  ['cut off', png(GREY, chunk('IDAT', packed))],
  ['cut off in a chunk', png(GREY, chunk('IDAT', packed), end).subarray(0, -20)],
  ['nothing', Buffer.of()],
])('a PNG that is %s is refused', (_name, bytes) => {
  expect(storedPixels(bytes)).toBeUndefined()
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

/** A picture of 40 × 30 points, by what each point is. */
function picture(pointAt: (x: number, y: number) => readonly [number, number, number, number]) {
  const image = new PNG({ width: 40, height: 30 })
  for (let y = 0; y < 30; y += 1)
    for (let x = 0; x < 40; x += 1) image.data.set(pointAt(x, y), 4 * (40 * y + x))
  return image
}

const ink = (x: number, y: number) => ((x * y) % 7 === 0 ? 0 : 255)
const grey = picture((x, y) => [ink(x, y), ink(x, y), ink(x, y), 255])
const coloured = picture((x, y) => [ink(x, y), 3 * x, y, 255])
const faded = picture((x, y) => [ink(x, y), 3 * x, y, x === 39 && y === 29 ? 254 : 255])

/** Picture of a PDF, put into a PNG again and read by an independent reader. */
function shown({ columns, rows, bits, samples, deflated, alpha }: StoredPixels) {
  const read = (count: number, data: Buffer) => {
    const head = chunk('IHDR', Buffer.of(0, 0, 0, columns, 0, 0, 0, rows, bits, count === 1 ? 0 : 2, 0, 0, 0))
    const start = PNG.sync.write(grey).subarray(0, 8)
    return PNG.sync.read(Buffer.concat([start, head, chunk('IDAT', data), end]), { checkCRC: false }).data
  }
  const pixels = read(samples, deflated)
  const mask = alpha && read(1, alpha)
  if (mask) for (let at = 0; at < pixels.length; at += 4) pixels[at + 3] = mask[at] ?? 0
  return pixels
}

it.each(
  [
    ['grey', grey, [3, false]],
    ['coloured', coloured, [3, false]],
    ['faded at its last point', faded, [3, true]],
  ].flatMap(([name, image, expected]) =>
    [0, 1, 2, 3, 4].map((filter) => [name, filter, image, expected] as const),
  ),
)(
  'a picture with alpha, %s, by filter %i, is the same picture',
  async (_name, filterType, image, expected) => {
    const bytes = PNG.sync.write(image as PNG, { filterType, colorType: 6 })
    const found = await checkedPixels(bytes)
    expect([found?.samples, found?.alpha !== undefined]).toEqual(expected)
    expect(shown(found!)).toEqual((image as PNG).data)
  },
)

it('a PNG without alpha is taken unchanged', async () => {
  const bytes = PNG.sync.write(coloured, { colorType: 2 })
  expect(await checkedPixels(bytes)).toEqual(storedPixels(bytes))
})
