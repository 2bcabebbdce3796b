/** Characters 128 to 255 of code page 850, in which printers read text unless a label says otherwise. */
const CODE_PAGE_850 =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├─┼ãÃ╚╔╩╦╠═╬¤' +
  'ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0'
/** Windows-1252 from 128 to 159. Some releases of Node.js decode it as Latin-1, which it is beyond. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ'
/** Values of `^CI`, besides 27 for Windows-1252 and 28 for UTF-8. */
const CODE_PAGES: Readonly<Record<number, string>> = {
  31: 'windows-1250',
  33: 'windows-1251',
  34: 'windows-1253',
  35: 'windows-1254',
  36: 'windows-1255',
}

/** Decodes bytes by the character set of `^CI`. Valid UTF-8 wins, as many programs send it without saying so. */
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

/** Replaces what `^FH` announces: a sign and two hexadecimal digits are one byte. */
export function unescapeHex(text: string, sign: string): string {
  const code = sign.charCodeAt(0).toString(16).padStart(2, '0')
  return text.replace(new RegExp(`\\x${code}([\\da-f]{2})`, 'gi'), (_, hex) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  )
}
