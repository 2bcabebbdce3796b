import type { Context } from '../../cli/context.ts'
import { AppError } from '../../errors.ts'
import { type PlayedStep, skippedStep } from '../../sandbox/scenarios/play.ts'
import { readScenario, type Scenario } from '../../sandbox/scenarios/scenario.ts'
import { playedView } from './sandbox.result.ts'
import { type ControlledSandbox, openControlledSandbox } from './target.ts'

/** @throws AppError `usage` that names every mistake, `rejected` that names the step that failed */
export async function playFile(context: Context, { file, dir }: { file: string; dir: string | undefined }) {
  const { value, name: source } = await context.input.json(file, [EXAMPLE])
  const sandbox = await openControlledSandbox(context, dir)
  const scenario = readScenario(value, await sandbox.shops(), source)
  context.progress.stop()
  await context.note(`Playing ${scenario.title ?? source} on the sandbox ${sandbox.where}`)
  const played: PlayedStep[] = []
  context.streams.outliveReader()
  await context.render({
    kind: 'list',
    items: play(scenario, sandbox, played),
    view: playedView,
    envelope: { key: 'steps', rest: () => ({ passed: failureOf(played) === undefined }) },
  })
  const failed = failureOf(played)
  if (failed === undefined) return
  const { step, do: verb, return: name, detail } = failed
  const about = name === null ? '' : ` ${name}`
  throw new AppError(
    'rejected',
    `Step ${step} (${verb}${about}) did not come out as ${source} says; those after it were not done.`,
    { details: detail.split('; ').map((message) => ({ message })), hints: [goOn(scenario, played, step)] },
  )
}

/** Starting again would make everything twice. */
function goOn({ returns, steps }: Scenario, played: readonly PlayedStep[], step: number) {
  const left = new Set(steps.slice(step - 1).flatMap((one) => ('return' in one ? [one.return] : [])))
  const made = played.map(({ as, return: name }) => [as, name])
  const known = [...Object.entries(returns ?? {}), ...made].filter(([as]) => left.has(as ?? ''))
  const names = known.length === 0 ? '' : `, with "returns": ${JSON.stringify(Object.fromEntries(known))}`
  return `to go on, play a file of the steps from ${step} on${names}`
}

const EXAMPLE = 'a scenario is {"steps":[{"do":"create","as":"r","shop":"LUMBRE-ES","orderName":"1001"}]}'

/** Steps are shown as they end. */
async function* play(
  { returns = {}, steps }: Scenario,
  sandbox: ControlledSandbox,
  played: PlayedStep[],
): AsyncGenerator<PlayedStep> {
  const names = { ...returns }
  for (const [i, step] of steps.entries()) {
    const failed = failureOf(played)
    const [after] = failed
      ? [skippedStep(step, failed.time)]
      : await sandbox.play({ returns: names, steps: [step] })
    if (after === undefined) throw new Error('A step has no result')
    const row: PlayedStep = { ...after, step: i + 1 }
    if (row.as !== undefined && row.returnId !== null) names[row.as] = row.returnId
    played.push(row)
    yield row
  }
}

function failureOf(played: readonly PlayedStep[]): PlayedStep | undefined {
  return played.find(({ outcome }) => outcome === 'failed')
}
