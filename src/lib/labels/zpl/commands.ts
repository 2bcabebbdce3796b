import type { QuarterTurn } from '../paper/sheet-layout.ts'
import codePages from './code-pages.json'

/** The message ends the sentence "The label X can't be drawn on a sheet: …". */
export class Undrawable extends Error {}

export interface ZplCommand {
  /** With its prefix: `^FO`, `~DG`. */
  name: string
  operands: Operands
}

const TURNS: Readonly<Record<string, QuarterTurn>> = { N: 0, R: 90, I: 180, B: 270 }

/** Like printers, uses the default for a missing or invalid operand. */
export class Operands {
  readonly #all: readonly string[]

  constructor(
    readonly text: string,
    delimiter = ',',
  ) {
    this.#all = text.split(delimiter)
  }

  at(index: number): string {
    return this.#all[index]?.trim() ?? ''
  }

  number(index: number, missing: number, least = -Infinity, most = Infinity): number {
    const isNumber = /^-?\d{1,5}(?:\.\d+)?$/.test(this.at(index))
    const value = isNumber ? Math.round(Number(this.at(index))) : missing
    return Math.min(Math.max(value, least), most)
  }

  isYes(index: number, missing: boolean) {
    const letter = this.at(index).toUpperCase()
    return letter === 'Y' || (letter !== 'N' && missing)
  }

  turn(letter: string, missing: QuarterTurn): QuarterTurn {
    return TURNS[letter.toUpperCase()] ?? missing
  }
}

const SIGN_COMMANDS: Readonly<Record<string, 'caret' | 'tilde' | 'delimiter'>> = {
  CC: 'caret',
  CT: 'tilde',
  CD: 'delimiter',
}
const BINARY_GRAPHIC = /GFB,(\d+),\d+,\d+,/iy

/** `zpl` has a character per byte. Files may redefine `^`, `~` and `,`. */
export function* zplCommands(zpl: string): Generator<ZplCommand> {
  const signs = { caret: '^', tilde: '~', delimiter: ',' }
  let prefix = /[\^~]/g
  const next = (from: number) => {
    prefix.lastIndex = from
    return prefix.exec(zpl)?.index ?? zpl.length
  }
  for (let at = next(0); at < zpl.length; ) {
    const code = zpl.slice(at + 1, at + 3).toUpperCase()
    const sign = SIGN_COMMANDS[code]
    if (sign !== undefined) {
      signs[sign] = zpl.charAt(at + 3) || signs[sign]
      prefix = new RegExp(`[${hex(signs.caret)}${hex(signs.tilde)}]`, 'g')
      at = next(at + 4)
      continue
    }
    BINARY_GRAPHIC.lastIndex = at + 1
    const binary = BINARY_GRAPHIC.exec(zpl)
    const end = binary ? BINARY_GRAPHIC.lastIndex + Number(binary[1]) : next(at + 1)
    const name = code.startsWith('A') && code !== 'A@' ? 'A' : code
    const text = zpl.slice(at + 1 + name.length, end)
    const operands = new Operands(binary ? text : text.replace(/[\r\n\t]/g, ''), signs.delimiter)
    yield { name: `${zpl.charAt(at) === signs.tilde ? '~' : '^'}${name}`, operands }
    at = next(end)
  }
}

/** True if the last label has no end. */
export function isCutOff(zpl: string): boolean {
  let isOpen = false
  for (const { name } of zplCommands(zpl)) if (/^.X[AZ]$/.test(name)) isOpen = name === '^XA'
  return isOpen
}

export function hex(sign: string): string {
  return `\\x${sign.charCodeAt(0).toString(16).padStart(2, '0')}`
}

/** Characters 128 to 255 of code page 850, the default of printers. */
const CODE_PAGE_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
/** Characters 128 to 159, which some Node.js releases decode as Latin-1. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
/** Encodings by value of `^CI`, except 27 (Windows-1252) and 28 (UTF-8). */
const CODE_PAGES: Readonly<Record<number, string>> = codePages

/** Valid UTF-8 wins over `^CI`, as many programs send it undeclared. */
export function decodeText(bytes: string, characterSet: number): string {
  if (!/[\x80-\xff]/.test(bytes)) return bytes
  const buffer = Buffer.from(bytes, 'latin1')
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(buffer)
  } catch {
    const page = CODE_PAGES[characterSet]
    if (page !== undefined) return new TextDecoder(page).decode(buffer)
    const table = characterSet === 27 || characterSet === 28 ? WINDOWS_1252 : CODE_PAGE_850
    return bytes.replace(/[\x80-\xff]/g, (byte) => table.charAt(byte.charCodeAt(0) - 128) || byte)
  }
}

export function unescapeHex(text: string, sign: string): string {
  return text.replace(new RegExp(`${hex(sign)}([\\da-f]{2})`, 'gi'), (_, digits) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}
