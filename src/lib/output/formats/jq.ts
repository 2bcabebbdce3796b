import loading from 'jq-web'
import { AppError } from '../../errors.ts'
import { stringifyJson } from '../../wire/json.ts'

/** A compiled expression: one text a result, strings as they are and all else as JSON. */
export type JqFilter = (document: unknown) => Iterable<string>

/**
 * Read a jq expression. It is jq itself, compiled to WebAssembly: reimplementations answer some expressions wrongly
 * without a word (`keys`, `.[1:]`, `-.x`). Numbers keep the value sent.
 *
 * @throws AppError `usage` for an expression that cannot be read; the filter throws one if it fails on the document
 */
export async function compileJq(expression: string): Promise<JqFilter> {
  const { raw } = await loading
  const program = expression.trim() === '' ? '.' : expression
  // Without input nothing runs, and only what the expression itself lacks is said.
  attempt(program, () => raw('', program, []))
  return (document) => results(attempt(program, () => raw(stringifyJson(document), program, ['-c'])))
}

/** Compact JSON holds no line feed, so that each line is a result. */
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
    throw new AppError(
      'usage',
      `--jq: ${problem.replace(/ \(Unix shell quoting issues\?\)| at <top-level>.*$/g, '')}`,
      {
        details: [{ message: program }],
        hints: ['test the expression on the whole result: the same command with --json instead of --jq'],
        cause,
      },
    )
  } finally {
    // The program that jq was before sets the exit code of its process, which here is ours.
    process.exitCode = exitCode
  }
}
