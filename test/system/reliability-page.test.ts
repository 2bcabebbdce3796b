import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { CERTAINLY_UNDONE } from '../../src/lib/api/http/effect.ts'
import { ANSWER_FAULTS, type AnswerFault } from '../helpers/answer-faults.ts'
import { COMMANDS, type Command, type Effect, type Seen, tried } from '../helpers/faulty-platform.ts'
import { markdownTable } from '../helpers/markdown-table.ts'
import { root, runCli } from '../helpers/run-cli.ts'

const PAGE = join(root, 'docs/reliability.md')
const AT_ONCE = 40

/** What must hold for every way, whatever the page says. */
function expectHonest({ says, name }: AnswerFault, command: Command, effect: Effect, seen: Seen): void {
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

async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
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

/** What stands below the mark is made of what the commands do here; `npx vitest run -u` writes it anew. */
it('docs/reliability.md shows what becomes of every way to answer a write badly', {
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
  const sections = commands.map((command) => {
    const { effects } = COMMANDS[command]
    const rows = ANSWER_FAULTS.map(({ name }) => [
      name,
      ...effects.map((effect) => {
        const one = seen.get(`${command}|${name}|${effect}`)
        return one ? cellOf(command, one) : ''
      }),
    ])
    const headers = ['Answer', ...effects.map((effect) => HEADERS[effect])]
    return `## \`${command}\`\n\n${markdownTable(headers, rows)}\n`
  })
  const list = [
    'Certainly undone is a request when',
    '',
    ...CERTAINLY_UNDONE.map(({ when }) => `- ${when}`),
    '',
  ]
  await expect([`${prose}${mark}`, '', ...list, ...sections].join('\n')).toMatchFileSnapshot(PAGE)
})

const HEADERS: Readonly<Record<Effect, string>> = {
  done: 'Carried out',
  'not done': 'Not carried out',
  'not shown': 'Nobody can tell',
}
