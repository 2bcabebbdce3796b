import { expect } from 'vitest'

type Value = string | number | readonly string[] | undefined

/** Environment variables. */
export type Env = Record<string, string>

/** Environment variables of a home. */
export type Home = Env & Record<'HOME' | 'RMA_CONFIG_DIR' | 'RMA_DATA_DIR' | 'RMA_CACHE_DIR', string>

/**
 * Splits a command line, without `rma`, into arguments: typed`labels print ${files} --out 'a b.pdf'`.
 * Unquoted blanks end a word. A value stays one word; a list gives one word for each item.
 */
export function typed(texts: TemplateStringsArray, ...values: Value[]): string[] {
  const words: string[] = []
  let word: string | undefined
  for (const [index, text] of texts.entries()) {
    for (const [part] of text.matchAll(/'[^']*'|"[^"]*"|\s+|[^\s'"]+/g)) {
      if (part.trim() === '') {
        if (word !== undefined) words.push(word)
        word = undefined
      } else word = (word ?? '') + part.replace(/^(['"])(.*)\1$/s, '$2')
    }
    if (index === values.length) break
    const value = values[index]
    if (typeof value === 'object') words.push(...value)
    else word = `${word ?? ''}${value}`
  }
  return word === undefined ? words : [...words, word]
}

/** Token with claims and without a signature. */
export const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`

/** Function of a command line, called with its arguments or as a tag: run`labels print --help`. */
export interface Typed<O, R> {
  (argv: string[], options?: O): R
  (texts: TemplateStringsArray, ...values: Value[]): R
}

/** Makes a function of arguments callable as a tag, too. */
export function asTyped<R, O = never>(run: (argv: string[], options?: O) => R): Typed<O, R> {
  return (words: string[] | TemplateStringsArray, ...rest: unknown[]) =>
    'raw' in words ? run(typed(words, ...(rest as Value[]))) : run(words, rest[0] as O)
}

interface Ended {
  code: number | null
  stderr?: string
  /** Both outputs of a command on a terminal, interleaved. */
  raw?: string
}

/** Asserts the exit code of a command, and shows the command's output if it differs. */
export function ended<T extends Ended>(result: T, exitCode: number): T {
  expect(result.code, result.stderr ?? result.raw).toBe(exitCode)
  return result
}

export function succeeded<T extends Ended>(result: T): T {
  return ended(result, 0)
}

/** Asserts exit code and standard error of a command: the whole text, a pattern, or a list of parts and patterns. */
export function expectEnd<T extends Ended>(result: T, exitCode: number, said: unknown): T {
  const { code, stderr } = result
  if (Array.isArray(said)) for (const part of said) expect(ended(result, exitCode).stderr).toMatch(part)
  else expect([code, stderr]).toEqual([exitCode, said instanceof RegExp ? expect.stringMatching(said) : said])
  return result
}

// biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
export function jsonOf({ stdout }: { stdout: string }): any {
  return JSON.parse(stdout)
}

/** Items of a list in JSON. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
export function itemsOf({ stdout }: { stdout: string }): any[] {
  return JSON.parse(stdout)
}

/** Returns the error of a command with `-o json`, which must be alone on standard error. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
export function errorOf({ stderr }: { stderr: string }): any {
  return JSON.parse(stderr).error
}

/** Returns the error of a command with `-o json` that warned before. */
export const lastErrorOf = ({ stderr }: { stderr: string }) =>
  errorOf({ stderr: stderr.trim().split('\n').at(-1) ?? '' })

/** Records of NDJSON. */
// biome-ignore lint/suspicious/noExplicitAny: each test knows what it asked for
export const ndjson = <T = any>(text: string): T[] =>
  text === ''
    ? []
    : text
        .trimEnd()
        .split('\n')
        .map((line): T => JSON.parse(line))
