import { CommandLines } from '../../src/lib/desk/command-lines.ts'
import { Desk } from '../../src/lib/desk/desk.ts'
import { ListScreen } from '../../src/lib/desk/list-screen.ts'

/** A desk without a terminal, on a list, whose commands do nothing. */
export function newDesk(): Desk {
  const lines = new CommandLines(async () => ({ code: 0, output: '', messages: [], error: undefined }))
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
