import { AppError, nearest } from '../errors.ts'

/** A list of words that a platform may go beyond: the specification does not fix it. */
export interface WordList {
  /** With its article: `a status of a return`. */
  what: string
  words: readonly string[]
}

/**
 * A known word however it is written, another as it was typed, with what there is to say about that.
 *
 * @throws AppError `usage` for an empty one, which a platform takes for none
 */
export function readWord(
  flag: string,
  typed: string,
  { what, words }: WordList,
): { value: string; note: string | undefined } {
  const known = knownWord(typed, words)
  if (known !== undefined) return { value: known, note: undefined }
  if (typed.trim() === '') throw new AppError('usage', `${flag} is empty.`, { hints: [oneOf(words)] })
  const near = nearest(wordForm(typed), words)
  const guess = near === undefined ? '' : ` Did you mean ${near}?`
  const note = `${flag}: ${JSON.stringify(typed)} is not ${what} that is known here; it is taken as it is.${guess} Known: ${words.join(', ')}`
  return { value: typed, note }
}

/** @throws AppError `usage` for one that is not known */
export function readKnownWord(flag: string, typed: string, { what, words }: WordList): string {
  const known = knownWord(typed, words)
  if (known !== undefined) return known
  const near = nearest(wordForm(typed), words)
  throw new AppError('usage', `${flag}: ${JSON.stringify(typed)} is not ${what}.`, {
    hints: [...(near === undefined ? [] : [`${flag} ${near}`]), oneOf(words)],
  })
}

function knownWord(typed: string, words: readonly string[]): string | undefined {
  const form = wordForm(typed)
  return words.find((word) => word === form)
}

function wordForm(typed: string): string {
  return typed.trim().toUpperCase().replaceAll(/[ -]/g, '_')
}

function oneOf(words: readonly string[]): string {
  return `one of ${words.join(', ')}`
}
