/** Base64 variants that clients send. */
export const BASE64_STYLES: readonly ((text: string) => string)[] = [
  (text) => text,
  (text) => text.replace(/=+$/, ''),
  (text) => text.replaceAll('+', '-').replaceAll('/', '_'),
  (text) => text.replace(/.{1,76}/g, '$&\r\n'),
  (text) => `data:application/pdf;base64,${text}`,
]
