import vm from 'node:vm'
import loading from 'jq-web'
import { AppError } from '../../errors.ts'
import { at } from '../../wire/raw.ts'

/** One text a result of a document in JSON: strings raw, all else as JSON. */
export type JqFilter = (json: Uint8Array) => Iterable<string>

/**
 * jq itself, as WebAssembly: reimplementations answer some expressions wrongly (`keys`, `.[1:]`, `-.x`).
 *
 * @param whole what the expression is a part of: errors show it
 * @throws AppError `usage` for an unreadable expression; the filter throws one if it fails on the document
 */
export async function compileJq(expression: string, whole = expression): Promise<JqFilter> {
  const { raw } = await loading
  const program = expression.trim() === '' ? '.' : expression
  // Compiles without running: there is no input.
  attempt(whole, () => raw('', program, []))
  return (json) => results(attempt(whole, () => raw(json, program, ['-c'])))
}

/** A result a line: compact JSON holds no line feed. */
function* results(text: string | undefined): Generator<string> {
  if (text === undefined) return
  for (const line of text.split('\n')) yield line.startsWith('"') ? String(JSON.parse(line)) : line
}

const script = new vm.Script('act()')
const place = vm.createContext({ act: () => {} })

/** WebAssembly holds up the event loop: without this no Ctrl-C would end a filter that has no end. */
function breakable<T>(act: () => T): T {
  place.act = act
  return script.runInContext(place, { breakOnSigint: true })
}

function attempt<T>(program: string, act: () => T): T {
  const { exitCode } = process
  try {
    return breakable(act)
  } catch (cause) {
    if (at(cause, 'code') === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') {
      // Node.js took the signal; a job under way is to end by it as well.
      process.kill(process.pid, 'SIGINT')
      throw new AppError('interrupted', 'Interrupted while --jq was at work.', {
        details: [{ message: program }],
      })
    }
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
