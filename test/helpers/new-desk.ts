import { CommandLines } from '../../src/lib/desk/command-lines.ts'
import { Desk } from '../../src/lib/desk/desk.ts'
import { ListScreen } from '../../src/lib/desk/list-screen.ts'

/** Desk without a terminal, on a list. Its commands print what `outputOf` returns for their words. */
export function newDesk(outputOf: (words: readonly string[]) => string = () => ''): Desk {
  const lines = new CommandLines(async (words) => ({
    code: 0,
    output: outputOf(words),
    messages: [],
    error: undefined,
  }))
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
