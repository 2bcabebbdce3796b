import type { Readable } from 'node:stream'
import { StringDecoder } from 'node:string_decoder'

export interface XmlHandlers {
  /** @param name without a prefix: some writers prefix every name */
  open(name: string, attributes: Readonly<Record<string, string>>): void
  close?(name: string): void
  text?(text: string): void
}

/** The file can't be read within the limits of time and memory. The message follows the file's name. */
export class TooLargeError extends Error {}

export const TOO_LONG = 'holds a cell longer than 1 MiB'
/** A text of 1 MiB whose every character is written as a reference (`&#x1F600;`). */
const MAX_RUN_BYTES = 16 * 2 ** 20

/** Reads a stream of XML; yields after each piece, so that what the handlers gathered can be passed on. */
export async function* readXml(stream: Readable, handlers: XmlHandlers): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: false, position: false })
  parser.on('opentag', ({ name, attributes }) => handlers.open(local(name), attributes))
  parser.on('closetag', ({ name }) => handlers.close?.(local(name)))
  if (handlers.text) parser.on('text', (text) => handlers.text?.(text))
  const decoder = new StringDecoder('utf8')
  let sinceTag = 0
  for await (const chunk of stream) {
    const lastTag = chunk.lastIndexOf('<')
    // The parser keeps a text until it ends.
    sinceTag = lastTag === -1 ? sinceTag + chunk.length : chunk.length - lastTag
    if (sinceTag > MAX_RUN_BYTES) throw new TooLargeError(TOO_LONG)
    parser.write(decoder.write(chunk))
    yield
  }
  parser.write(decoder.end())
  parser.close()
  yield
}

/** The same for what is wanted as a whole. */
export async function readWholeXml(stream: Readable, handlers: XmlHandlers): Promise<void> {
  for await (const _ of readXml(stream, handlers));
}

function local(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** An attribute whose prefix the writer chose: `r:id`. */
export function attribute(attributes: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(attributes).find(([key]) => local(key) === name)?.[1]
}

/** Characters that XML can't hold are written as `_x000B_`. */
export function unescaped(text: string): string {
  return text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
    : text
}
