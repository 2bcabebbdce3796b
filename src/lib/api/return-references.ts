import { AppError } from '../errors.ts'
import { HASH_HINT } from '../wire/return-names.ts'
import { checkIdLine } from './id-lines.ts'

/**
 * Reads names from arguments; `-` stands for the lines of standard input.
 * @throws AppError `usage` if none is named
 */
export async function readReferences(
  given: readonly string[],
  inputLines: () => AsyncIterable<string>,
  textOf: (line: string) => string = (line) => line.trim(),
): Promise<string[]> {
  const references: string[] = []
  const addLines = async () => {
    let number = 0
    for await (const line of inputLines()) {
      checkIdLine(line, 'The standard input', ++number)
      references.push(textOf(line))
    }
  }
  for (const one of given) {
    if (one !== '-') references.push(one.trim())
    else await addLines()
  }
  const named = references.filter((one) => one !== '')
  if (named.length === 0) throw noneNamed()
  return named
}

export function noneNamed(): AppError {
  return new AppError('usage', 'No return was named.', {
    hints: ['give ids or names, one a line: R#-1001', HASH_HINT],
  })
}
