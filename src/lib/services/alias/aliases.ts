import type { Context } from '../../cli/context.ts'
import { splitWords } from '../../config/command-words.ts'
import { createAliasStore } from '../../config/settings-file.ts'
import { usageError } from '../../errors.ts'
import { prose } from '../../output/result.ts'
import { lazySchema, type RecordOf, type View } from '../../output/view.ts'

function storeOf({ paths }: Context) {
  return createAliasStore(paths.configDir)
}

const ALIAS_NAME = /^[A-Za-z][\w-]*$/

export async function setAlias(
  context: Context,
  alias: { name: string; expansion: string },
  commandOf: (words: readonly string[]) => { first: string | undefined; id: string | undefined },
) {
  const { name } = alias
  if (!ALIAS_NAME.test(name)) {
    throw usageError(
      `An alias can't be called ${JSON.stringify(name)}.`,
      'a letter, then letters, digits, dashes and underscores',
    )
  }
  if (commandOf([name]).first === name) {
    throw usageError(`${name} is a command of rma's own.`, 'choose another name')
  }
  const expansion = alias.expansion.trim().replace(/^rma\s+/, '')
  const { words, isOpen } = splitWords(expansion)
  if (isOpen) throw usageError('A quote is not closed.', `in: ${expansion}`)
  if (commandOf(words).id === undefined) {
    throw usageError(
      `${JSON.stringify(expansion)} does not begin with a command of rma.`,
      "for example: rma alias set late 'returns stuck --offline'",
      'rma --help lists the commands',
    )
  }
  await storeOf(context).set({ name, expansion })
  await context.render(prose(`rma ${name} stands for: rma ${expansion}`, { name, expansion }))
}

export async function listAliases(context: Context) {
  await context.renderList(await storeOf(context).list(), aliasesView)
}

export async function removeAlias(context: Context, name: string) {
  const removed = await storeOf(context).remove(name)
  const text = `Removed the alias ${name}, which stood for: rma ${removed.expansion}`
  await context.render(prose(text, removed))
}

export const aliasSchema = lazySchema((z, { text }) => z.object({ name: text, expansion: text }))

export const aliasesView: View<RecordOf<typeof aliasSchema>> = {
  columns: [
    { name: 'name', identifies: true },
    { name: 'expansion', header: 'STANDS FOR', flexible: true },
  ],
  schema: aliasSchema,
  empty: 'No aliases. Make one: rma alias set NAME COMMAND',
}
