import loading from 'jq-web'
import { AppError } from '../../errors.ts'
import { stringifyJson } from '../../wire/json.ts'

/** One text a result: strings raw, all else as JSON. */
export type JqFilter = (document: unknown) => Iterable<string>

/**
 * jq itself, as WebAssembly: reimplementations answer some expressions wrongly (`keys`, `.[1:]`, `-.x`).
 *
 * @throws AppError `usage` for an unreadable expression; the filter throws one if it fails on the document
 */
export async function compileJq(expression: string): Promise<JqFilter> {
  const { raw } = await loading
  const program = expression.trim() === '' ? '.' : expression
  // Compiles without running: there is no input.
  attempt(program, () => raw('', program, []))
  return (document) =>
    results(attempt(program, () => raw(Buffer.from(stringifyJson(document)), program, ['-c'])))
}

/** What tells one run of jq from several, but for the document. */
const REACHES_OUT = /\b(?:inputs?|input_line_number|input_filename|halt|halt_error)\b/

/**
 * Whether a program gives for a list what it gives for its parts, one after the other: it begins with all records
 * (`.returns[]`, `.[]`), at most takes something of each, and pipes it on. A pipe binds weakest, so that what follows
 * the first one sees one record at a time. False where that can't be told from the text alone.
 *
 * @param key of the list in the document; undefined if the list is the document
 */
export function goesByRecord(expression: string, key?: string): boolean {
  const list = key === undefined ? String.raw`\.` : String.raw`\.${key}(?:\s*\|\s*\.)?`
  const step = String.raw`\s*(?:\.[A-Za-z_]\w*|\.?\[(?:\d*|"[^"\\]*")\]|\?)`
  const program = new RegExp(String.raw`^\s*${list}\[\](?:${step})*\s*(?:$|\|(?!=))`)
  return program.test(expression) && !REACHES_OUT.test(expression)
}

/** A result a line: compact JSON holds no line feed. */
function* results(text: string | undefined): Generator<string> {
  if (text === undefined) return
  for (const line of text.split('\n')) yield line.startsWith('"') ? String(JSON.parse(line)) : line
}

function attempt<T>(program: string, act: () => T): T {
  const { exitCode } = process
  try {
    return act()
  } catch (cause) {
    const said = cause instanceof Error ? cause.message : String(cause)
    const [problem = said] = /(?<=jq: error(?: \([^)]*\))?: ).*/.exec(said) ?? []
    const message = `--jq: ${problem.replace(/ \(Unix shell quoting issues\?\)| at <top-level>.*$/g, '')}`
    throw new AppError('usage', message, {
      details: [{ message: program }],
      hints: ['test the expression on the whole result: the same command with --json instead of --jq'],
      cause,
    })
  } finally {
    // jq sets the exit code of its process, which is ours.
    process.exitCode = exitCode
  }
}
