import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CERTAINLY_UNDONE } from '../../src/lib/api/http/network-failure.ts'
import { ANSWER_FAULTS, type AnswerFault } from '../helpers/answer-faults.ts'
import { COMMANDS, type Command, type Effect, type Seen, tried } from '../helpers/faulty-platform.ts'
import { markdownTable, wrappedItem } from '../helpers/markdown-table.ts'
import { root, runCli } from '../helpers/run-cli.ts'

const PAGE = join(root, 'docs/reliability.md')
const AT_ONCE = 40

/** Asserts what must hold for every kind of answer, whatever the page says. */
function expectHonest({ says, name }: AnswerFault, command: Command, effect: Effect, seen: Seen) {
  expect(seen.effects).toBeLessThanOrEqual(1)
  expect(seen.code === 0).toBe(seen.effects === 1)
  if (effect === 'done') expect(seen).toMatchObject({ sent: 1, code: 0 })
  if (effect === 'not shown') expect(seen).toMatchObject({ sent: 1, code: 10, outcome: 'unknown' })
  const isProven = command.startsWith('rma tracking') || name.startsWith('503')
  if (says === 'open' && effect === 'not done') {
    expect(seen).toMatchObject(isProven ? { sent: 2, code: 0 } : { sent: 1, code: 10, outcome: 'unknown' })
  }
}

const effectsOf = (command: Command, { says }: AnswerFault): readonly Effect[] => {
  if (says === 'open') return COMMANDS[command].effects
  return [says === 'refused' ? 'not done' : 'done']
}

const cellOf = (command: Command, { sent, outcome, code }: Seen) =>
  `${sent} ${COMMANDS[command].method}${sent === 1 ? '' : 's'}, ${outcome}, ${code}`

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>) {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    for (let at = next++; at < items.length; at = next++) {
      const item = items[at]
      if (item !== undefined) results[at] = await work(item)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return results
}

/** The page below the mark is written from what the commands do here; `npx vitest run -u` writes it anew. */
it('docs/reliability.md shows the outcome of every bad answer to a write', {
  timeout: 240_000,
}, async () => {
  const mark = '<!-- written by test/system/reliability-page.test.ts -->'
  const [prose = ''] = readFileSync(PAGE, 'utf8').split(mark)
  const commands = Object.keys(COMMANDS) as Command[]
  const cells = commands.flatMap((command) =>
    ANSWER_FAULTS.flatMap((fault) =>
      effectsOf(command, fault).map((effect) => ({
        command,
        fault,
        effect,
        key: `${command}|${fault.name}|${effect}`,
      })),
    ),
  )
  const seen = new Map<string, Seen>()
  await inTurn(cells, async ({ command, fault, effect, key }) => {
    const one = await tried(command, fault, effect, (argv, env) => runCli(argv, { env }))
    expect.soft(() => expectHonest(fault, command, effect, one), key).not.toThrow()
    seen.set(key, one)
  })
  const cellsOf = (command: Command, name: string) =>
    COMMANDS[command].effects.map((effect) => {
      const one = seen.get(`${command}|${name}|${effect}`)
      return one ? cellOf(command, one) : ''
    })
  const kinds = grouped(ANSWER_FAULTS, ({ name }) =>
    JSON.stringify(commands.map((command) => cellsOf(command, name))),
  ).map((faults) => faults.map(({ name }) => name))
  const kindOf = (names: readonly string[]) =>
    KINDS.find(({ example }) => names.includes(example))?.kind ?? ''
  const tableOf = (command: Command) =>
    markdownTable(
      ['Answer', ...COMMANDS[command].effects.map((effect) => HEADERS[effect])],
      kinds.map((names) => [kindOf(names), ...cellsOf(command, names[0] ?? '')]),
    )
  const sections = grouped(commands, tableOf).map(
    (alike) => `## ${alike.map((command) => `\`${command}\``).join(' and ')}\n\n${tableOf(alike[0]!)}\n`,
  )
  const answers = kinds.map((names) => wrappedItem(`**${kindOf(names)}**: ${names.join('; ')}`))
  const list = [
    'A request certainly did not happen when',
    '',
    ...CERTAINLY_UNDONE.map(({ when }) => `- ${when}`),
    '',
    'The answers, by what they lead to:',
    '',
    ...answers,
    '',
  ]
  await expect([`${prose}${mark}`, '', ...list, ...sections].join('\n')).toMatchFileSnapshot(PAGE)
})

/** Name of each kind of answers, and one answer of that kind. All answers of a kind have the same consequences. */
const KINDS = [
  { kind: 'open', example: 'closed before any answer' },
  { kind: 'refused', example: '400' },
  { kind: 'taken', example: '200 with trailers' },
  { kind: 'other address', example: '307 to another place' },
  { kind: '401', example: '401' },
  { kind: '404', example: '404' },
  { kind: '404 with a page', example: '404 with a page' },
  { kind: '429', example: '429' },
  { kind: '503', example: '503 with a page' },
]

/** Items with the same key together, in the order of their first ones. */
function grouped<T>(items: readonly T[], keyOf: (item: T) => string) {
  const groups = new Map<string, T[]>()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return [...groups.values()]
}

const HEADERS = {
  done: 'Carried out',
  'not done': 'Not carried out',
  'not shown': 'No look can tell',
}
