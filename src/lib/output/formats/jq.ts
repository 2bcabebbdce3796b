import { setImmediate as nextTurn } from 'node:timers/promises'
import vm from 'node:vm'
import loading from 'jq-web'
import { AppError, messageOf, rethrowUnless } from '../../errors.ts'
import { stringifyJson } from '../../wire/json.ts'
import { at } from '../../wire/raw.ts'
import type { Envelope } from './json.ts'

/** Called if the filter fails on a document. Unless it throws, the document is shown as it is. */
type OnFailure = (error: AppError) => void

/**
 * jq itself, as WebAssembly: reimplementations answer some expressions wrongly (`keys`, `.[1:]`, `-.x`).
 * @param whole expression shown in errors
 * @throws AppError `usage`
 */
export async function compileJq(expression: string, onFailure: OnFailure, whole = expression) {
  const { raw } = await loading
  const program = expression.trim() === '' ? '.' : expression
  // Empty input only compiles the program.
  attempt(whole, () => raw('', program, []))
  return (json: string) => {
    try {
      return results(attempt(whole, () => raw(Buffer.from(json), program, ['-c'])))
    } catch (error) {
      rethrowUnless(error, 'usage')
      onFailure(error)
      return [json]
    }
  }
}

/** Compact JSON holds no line feed. */
function* results(text: string | undefined) {
  if (text === undefined) return
  for (const line of text.split('\n')) yield line.startsWith('"') ? String(JSON.parse(line)) : line
}

const script = new vm.Script('act()')
const context = vm.createContext({ act: () => {} })

/** Lets Ctrl-C end an endless filter, as WebAssembly blocks the event loop. */
function interruptibly<T>(act: () => T): T {
  context.act = act
  return script.runInContext(context, { breakOnSigint: true })
}

function attempt<T>(program: string, act: () => T): T {
  const { exitCode } = process
  try {
    return interruptibly(act)
  } catch (cause) {
    if (at(cause, 'code') === 'ERR_SCRIPT_EXECUTION_INTERRUPTED') {
      // Node.js swallowed the signal, which must also end a running job.
      process.kill(process.pid, 'SIGINT')
      throw new AppError('interrupted', 'Interrupted while --jq was at work.', {
        details: [{ message: program }],
      })
    }
    const text = messageOf(cause)
    const [problem = text] = /(?<=jq: error(?: \([^)]*\))?: ).*/.exec(text) ?? []
    const message = `--jq: ${problem.replace(/ \(Unix shell quoting issues\?\)| at <top-level>.*$/g, '')}`
    throw new AppError('usage', message, {
      details: [{ message: program }],
      hints: ['test the expression on the whole result: the same command with --json instead of --jq'],
    })
  } finally {
    // jq sets the exit code of this process.
    process.exitCode = exitCode
  }
}

/** Items per run of jq, which takes milliseconds to start. */
const MAX_ITEMS_PER_RUN = 500

/** Words whose result depends on whether jq runs once per item. */
const PER_ITEM_WORDS = /\b(?:inputs?|input_line_number|input_filename|halt|halt_error)\b|\$__loc__/

export async function* jqOfList(
  expression: string,
  items: AsyncIterable<string>,
  envelope: Envelope | undefined,
  onFailure: OnFailure,
): AsyncGenerator<string> {
  const filter = await compileJq(expression, onFailure)
  const all: string[] = []
  for await (const item of items) all.push(item)
  const members = Object.entries(envelope?.rest?.() ?? {}).map(
    ([name, value]) => `,${stringifyJson(name)}:${stringifyJson(value)}`,
  )
  const list = `[${all.join(',')}]`
  yield* filter(envelope ? `{${stringifyJson(envelope.key)}:${list}${members.join('')}}` : list)
}

export async function* jqOfEach(
  expression: string,
  items: AsyncIterable<string>,
  onFailure: OnFailure,
): AsyncGenerator<string> {
  if (PER_ITEM_WORDS.test(expression)) {
    const filter = await compileJq(expression, onFailure)
    for await (const item of items) yield* filter(item)
    return
  }
  const fail: OnFailure = (error) => {
    throw error
  }
  // The line feed ends a comment in the expression.
  const filter = await compileJq(`.[] | (${expression.trim() || '.'}\n)`, fail, expression)
  /** Halves a failing part, so that only the failing record stays unfiltered. */
  function* filtered(part: string[]): Generator<string> {
    let texts: Iterable<string>
    try {
      texts = filter(`[${part.join(',')}]`)
    } catch (error) {
      rethrowUnless(error, 'usage')
      if (part.length === 1) {
        onFailure(error)
        return yield* part
      }
      const middle = part.length >> 1
      yield* filtered(part.slice(0, middle))
      return yield* filtered(part.slice(middle))
    }
    yield* texts
  }
  for await (const part of inParts(items)) yield* filtered(part)
}

async function* inParts<T>(items: AsyncIterable<T>) {
  const iterator = items[Symbol.asyncIterator]()
  let next = iterator.next()
  for (let first = await next; !first.done; first = await next) {
    const part = [first.value]
    next = iterator.next()
    while (part.length < MAX_ITEMS_PER_RUN) {
      const more = await Promise.race([next, nextTurn()])
      if (more === undefined || more.done) break
      part.push(more.value)
      next = iterator.next()
    }
    yield part
  }
}
