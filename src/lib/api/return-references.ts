import { usageError } from '../errors.ts'
import { HASH_HINT } from '../wire/return-names.ts'

/**
 * Reads names from arguments; `-` stands for the lines of standard input, which may be in quotes.
 * @throws AppError `usage` if none is named
 */
export async function readReferences(
  given: readonly string[],
  inputLines: () => AsyncIterable<string>,
): Promise<string[]> {
  const references: string[] = []
  const addLines = async () => {
    let number = 0
    for await (const line of inputLines()) {
      checkIdLine(line, 'The standard input', ++number)
      references.push(
        line
          .trim()
          .replace(/^"(.*)"$/, '$1')
          .trim(),
      )
    }
  }
  for (const one of given) {
    if (one !== '-') references.push(one.trim())
    else await addLines()
  }
  const named = references.filter((one) => one !== '')
  if (named.length === 0) throw noneNamed(given)
  return named
}

export function noneNamed(given: readonly string[] = []) {
  const hint = 'give ids or names, one a line: R#-1001'
  if (given.includes('-')) return usageError('The standard input names no return.', hint)
  return usageError('No return was named.', hint, HASH_HINT)
}

const CONTROL = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]/
/** Replacement for bytes that are not UTF-8. */
const UNDECODED = '\ufffd'

/** @throws AppError `usage` if a line is not text, like lines of a workbook */
export function checkIdLine(line: string, source: string, number: number) {
  const [control] = CONTROL.exec(line) ?? []
  if (control === undefined && !line.includes(UNDECODED)) return
  const code = control?.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const why = code === undefined ? 'is not UTF-8' : `holds the control character U+${code}`
  throw usageError(
    `${source} is not a list of ids: line ${number} ${why}.`,
    'give a text file in UTF-8, one id a line; a workbook has to be exported first',
  )
}
