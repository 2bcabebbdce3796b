import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { AppError, nearest } from '../../errors.ts'
import { integer, number, text } from '../../wire/fields.ts'
import { stringifyJson } from '../../wire/json.ts'
import { INSIGHT_RESULTS } from './results/insight.ts'
import { JOB_RESULTS } from './results/jobs.ts'
import { LABEL_RESULTS } from './results/labels.ts'
import { LOCAL_RESULTS } from './results/local.ts'
import { PLATFORM_RESULTS } from './results/platform.ts'
import { REFERENCE_RESULTS } from './results/reference.ts'
import { SANDBOX_RESULTS } from './results/sandbox.ts'

/** By the words of the command: what it prints with `-o json`. */
const RESULTS: Readonly<Record<string, z.ZodType>> = {
  ...PLATFORM_RESULTS,
  ...INSIGHT_RESULTS,
  ...JOB_RESULTS,
  ...LABEL_RESULTS,
  ...LOCAL_RESULTS,
  ...SANDBOX_RESULTS,
  ...REFERENCE_RESULTS,
}

/** Values of the platform that are printed as it sent them: a number may be a text, and the reverse. */
const FORMS = new Map<unknown, object>([
  [number, { type: ['number', 'string'] }],
  [integer, { type: ['integer', 'string'] }],
  [text, { type: ['string', 'number'] }],
])

/** JSON Schema, draft 2020-12; undefined where the result has no shape of its own. */
function resultSchema(command: string): object | undefined {
  const result = RESULTS[command]
  if (result === undefined) return undefined
  const schema = z.toJSONSchema(result, {
    io: 'input',
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => void Object.assign(jsonSchema, FORMS.get(zodSchema)),
  })
  return { title: `rma ${command} -o json`, ...schema }
}

/** @throws AppError `usage` for no command, `not-found` for one whose result has no shape of its own */
export async function showSchema(
  context: Pick<Context, 'render'>,
  words: readonly string[],
  commands: readonly string[],
): Promise<void> {
  const command = words
    .flatMap((word) => word.split(/[\s:]+/))
    .filter(Boolean)
    .join(' ')
  if (!commands.includes(command)) {
    const near = nearest(command, commands)
    throw new AppError('usage', `"${command}" is not a command of rma.`, {
      hints: [...(near === undefined ? [] : [`rma schema ${near}`]), 'rma commands lists them all'],
    })
  }
  const json = resultSchema(command)
  if (json === undefined) {
    throw new AppError('not-found', `rma ${command} has no JSON result of a shape of its own.`, {
      hints: [`rma ${command} --help`],
    })
  }
  await context.render({ kind: 'text', text: stringifyJson(json, 2), json })
}
