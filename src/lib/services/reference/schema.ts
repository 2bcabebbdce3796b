import * as z from 'zod'
import type { CommandResult } from '../../cli/cli-config.ts'
import type { Context } from '../../cli/context.ts'
import { appError, nearHints, usageError } from '../../errors.ts'
import { integer, number, text } from '../../wire/fields.ts'
import { stringifyJson } from '../../wire/json.ts'
import { joinParts } from '../../wire/raw.ts'

/** The platform may send a number as text, and the reverse. */
const FORMS = new Map<unknown, object>([
  [number, { type: ['number', 'string'] }],
  [integer, { type: ['integer', 'string'] }],
  [text, { type: ['string', 'number'] }],
])

async function jsonSchemaOf(command: string, { json, view }: CommandResult): Promise<object | undefined> {
  const schema = json ?? view?.schema
  if (schema === undefined) return undefined
  const described = z.toJSONSchema(await schema(), {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, FORMS.get(zodSchema)),
  })
  return { title: `rma ${command} -o json`, ...described }
}

export async function showSchema(
  context: Context,
  words: readonly string[],
  commands: readonly string[],
  resultOf: (command: string) => Promise<CommandResult>,
) {
  const command = joinParts(
    words.flatMap((word) => word.split(/[\s:]+/)),
    ' ',
  )
  if (!commands.includes(command)) {
    throw usageError(
      `"${command}" is not a command of rma.`,
      ...nearHints(command, commands, (near) => `rma schema ${near}`),
      'rma commands lists them all',
    )
  }
  const json = await jsonSchemaOf(command, await resultOf(command))
  if (json === undefined) {
    throw appError(
      'not-found',
      `rma ${command} has no JSON result of a shape of its own.`,
      `rma ${command} --help`,
    )
  }
  await context.render({ kind: 'text', text: stringifyJson(json, 2), json })
}
