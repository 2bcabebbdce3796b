import { brotliDecompressSync } from 'node:zlib'
import { isLatin } from './latin.ts'

/** Units of an em. */
export const EM = 200

/** On a grid of `EM` to the em, y upwards from the baseline. */
export type Point = readonly [x: number, y: number]

/** A closed contour: a line to each `to`, or a quadratic curve by way of `by`. Glyphs are filled by the non-zero rule. */
export interface Contour {
  start: Point
  segments: { by: Point | undefined; to: Point }[]
}

export interface Glyph {
  advance: number
  contours: Contour[]
}

/** Where the glyphs up to a code point are. Read only for a text that has such: together they are 3 MB. */
const FILES = [
  [0x33ff, () => import('./glyphs/signs.json')],
  [0x56ff, () => import('./glyphs/han-3400.json')],
  [0x68ff, () => import('./glyphs/han-5700.json')],
  [0x7bff, () => import('./glyphs/han-6900.json')],
  [0x8eff, () => import('./glyphs/han-7c00.json')],
  [0x9fff, () => import('./glyphs/han-8f00.json')],
  [0xd7a3, () => import('./glyphs/hangul.json')],
  [0x3ffff, () => import('./glyphs/han-fa0e.json')],
] as const

type GlyphData = Map<number, { advance: number; bytes: Uint8Array }>

const files: Promise<GlyphData>[] = []

/** The glyphs for a text that the fonts of printers and of PDF do not have; undefined for one that they have. */
export async function outlinesFor(text: string): Promise<Outlines | undefined> {
  if (isLatin(text)) return undefined
  const foreign = [...text].filter((character) => !isLatin(character))
  const needed = new Set([0, ...foreign.map((character) => fileOf(character.codePointAt(0) ?? 0))])
  const data: GlyphData[] = []
  for (const no of needed) {
    const load = FILES[no]?.[1]
    if (load === undefined) continue
    files[no] ??= load().then(({ default: { glyphs } }) => unpacked(glyphs))
    data[no] = await files[no]
  }
  return new Outlines(data)
}

function fileOf(code: number): number {
  return FILES.findIndex(([last]) => code <= last)
}

/** Glyphs of Noto Sans in medium weight: Latin, Japanese, Korean and Chinese. */
export class Outlines {
  readonly #data: readonly GlyphData[]

  constructor(data: readonly GlyphData[]) {
    this.#data = data
  }

  /** A character as it is shown: a question mark for one without a glyph. */
  shown(character: string): string {
    return this.#find(character) === undefined ? '?' : character
  }

  advance(character: string): number {
    return this.#find(this.shown(character))?.advance ?? 0
  }

  /** In ems. */
  width(text: string): number {
    return [...text].reduce((sum, character) => sum + this.advance(character), 0) / EM
  }

  glyph(character: string): Glyph {
    const found = this.#find(this.shown(character))
    return found === undefined ? { advance: 0, contours: [] } : { ...found, contours: contours(found.bytes) }
  }

  #find(character: string) {
    const code = character.codePointAt(0) ?? 0
    return this.#data[fileOf(code)]?.get(code)
  }
}

/*
 * `label-font.mjs` writes the files and says how.
 */

function unpacked(base64: string): GlyphData {
  const bytes = brotliDecompressSync(Buffer.from(base64, 'base64'))
  const reader = new Reader(bytes)
  let code = 0
  const heads = Array.from({ length: reader.number() }, () => {
    code += reader.number()
    return { code, length: reader.number(), advance: reader.number() }
  })
  let at = reader.at
  return new Map(
    heads.map(({ code, length, advance }) => {
      const from = at
      at += length
      return [code, { advance, bytes: bytes.subarray(from, at) }]
    }),
  )
}

function contours(bytes: Uint8Array): Contour[] {
  const reader = new Reader(bytes)
  let [x, y] = [0, 0]
  return Array.from({ length: reader.number() }, () =>
    contour(
      Array.from({ length: reader.number() }, () => {
        x += reader.step()
        const step = reader.step()
        y += step >> 1
        return { at: [x, y], isOn: (step & 1) === 1 }
      }),
    ),
  )
}

/** Of points as TrueType has them: the first is on the curve, and so is the middle of two that are not. */
function contour(points: readonly { at: Point; isOn: boolean }[]): Contour {
  const [first, ...others] = points
  const start = first?.at ?? [0, 0]
  const segments: Contour['segments'] = []
  let by: Point | undefined
  for (const { at, isOn } of [...others, { at: start, isOn: true }]) {
    if (isOn || by !== undefined) segments.push({ by, to: isOn || by === undefined ? at : middle(by, at) })
    by = isOn ? undefined : at
  }
  return { start, segments }
}

function middle(a: Point, b: Point): Point {
  return [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2]
}

class Reader {
  at = 0
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  number(): number {
    const byte = this.#byte()
    return byte < 128 ? byte : byte - 128 + 128 * this.number()
  }

  step(): number {
    const byte = this.#byte()
    if (byte !== 128) return signed(byte, 8)
    const low = this.#byte()
    return signed(low + 256 * this.#byte(), 16)
  }

  #byte(): number {
    return this.#bytes[this.at++] ?? 0
  }
}

function signed(value: number, bits: number): number {
  return value < 2 ** (bits - 1) ? value : value - 2 ** bits
}
