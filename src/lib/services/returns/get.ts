import { getReturn, ReturnsByReference } from '../../api/returns-by-reference.ts'
import type { Connection } from '../../cli/connection.ts'
import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { returnDetails, returnsView } from '../../output/views/returns.ts'

/** Prints the returns that are named. @throws AppError `not-found` that names those that there are not */
export async function showReturns(
  context: Context,
  connection: Pick<Connection, 'returns'>,
  given: readonly string[],
): Promise<void> {
  await context.checkOutput(returnsView)
  const references = await readReferences(given, context)
  const returns = await connection.returns()
  context.progress.start('Reading returns')
  const [only] = given
  if (given.length === 1 && only !== undefined && only !== '-') {
    const record = await getReturn(returns, only)
    return context.render({ kind: 'record', record, view: returnsView, details: returnDetails })
  }
  const items = new ReturnsByReference(returns, references)
  await context.render({ kind: 'list', items: context.counted(items, 'returns'), view: returnsView })
  items.checkComplete()
}

/** The returns named on the command line, `-` standing for the lines of standard input. */
async function readReferences(
  given: readonly string[],
  { streams }: Pick<Context, 'streams'>,
): Promise<string[]> {
  const references: string[] = []
  for (const one of given) {
    if (one !== '-') references.push(one.trim())
    else for await (const line of streams.inputLines()) references.push(line.trim())
  }
  const named = references.filter((one) => one !== '')
  if (named.length > 0) return named
  throw new AppError('usage', 'No return was named.', { hints: ['give ids or names, one a line: R#-1001'] })
}
