import type { CapturedLine } from '../../src/lib/cli/captured-lines.ts'
import { CommandLines } from '../../src/lib/desk/command-lines.ts'
import { Desk } from '../../src/lib/desk/desk.ts'
import { ListScreen } from '../../src/lib/desk/list-screen.ts'

type End = string | Partial<CapturedLine>

/** Desk without a terminal, on a list. Its commands end as `endOf` returns for their words, or print that. */
export function newDesk(endOf: (words: readonly string[]) => End | Promise<End> = () => ''): Desk {
  const lines = new CommandLines(async (words) => {
    const end = await endOf(words)
    const given = typeof end === 'string' ? { output: end } : end
    return { code: 0, output: '', messages: [], error: undefined, ...given }
  })
  const where = { text: 'staging', style: 'yellow', isSandbox: false, guard: undefined } as const
  const desk = new Desk(lines, where, {
    colour: false,
    env: {},
    redraw: () => {},
    signal: () => {},
    copy: async () => '',
    lend: () => {},
    quit: () => {},
  })
  desk.open(new ListScreen<string>(desk, { title: 'search', row: (item) => item }))
  return desk
}
