import { join } from 'node:path'
import xterm, { type IBufferLine } from '@xterm/headless'
import { expect, it } from 'vitest'
import { typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { root } from '../helpers/run-cli.ts'
import { spawnCli } from '../helpers/spawn-cli.ts'
import { runInTerminal } from '../helpers/terminal.ts'
import { times } from '../helpers/values-of.ts'

const COMMANDS = [
  'search giulia bianchi --limit 4',
  'returns get LU105189',
  'tracking push --file updates.csv --shop LUMBRE-ES',
]
const COLUMNS = 88
/** Size of a character in pixels, and the margin around all. */
const CELL = { width: 8.4, height: 19, margin: 18 }
/** Colours of a terminal by their numbers. */
const COLOURS: Record<number, string> = { 1: '#ff7b72', 2: '#56d364', 3: '#e3b341', 8: '#8b949e' }
const [PAPER, INK] = ['#0d1117', '#e6edf3']

const platform = usePlatform({ returns: 1200 })

/** The texts of a line that have one colour and weight, each where it stands. */
function drawLine(line: IBufferLine, row: number) {
  const styles = times(line.length, (at) => {
    const cell = line.getCell(at)
    const colour = COLOURS[cell?.isFgPalette() ? cell.getFgColor() : -1] ?? INK
    return `fill="${colour}"${cell?.isBold() ? ' font-weight="bold"' : ''}`
  })
  const ends = [...styles.keys()].filter((at) => styles[at] !== styles[at + 1])
  return ends.flatMap((end, index) => {
    const start = index === 0 ? 0 : (ends[index - 1] ?? 0) + 1
    const words = line.translateToString(false, start, end + 1).matchAll(/\S+(?: \S+)*/g)
    return [...words].map(({ 0: text, index: offset }) => {
      const x = CELL.margin + (start + offset) * CELL.width
      const place = `x="${x.toFixed(1)}" y="${CELL.margin + (row + 0.75) * CELL.height}"`
      const shown = text.replace(/[&<>]/g, (character) => `&#${character.charCodeAt(0)};`)
      // Any font is as wide as the columns.
      return `<text ${place} textLength="${(text.length * CELL.width).toFixed(1)}" ${styles[end]}>${shown}</text>`
    })
  })
}

function draw({ active }: xterm.Terminal['buffer']) {
  const rows = active.baseY + active.cursorY
  const lines = times(rows, (row) => active.getLine(row)).flatMap((line, row) =>
    line ? drawLine(line, row) : [],
  )
  const [width, height] = [COLUMNS * CELL.width, rows * CELL.height].map((size) => size + 2 * CELL.margin)
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}"
  font-family="ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace" font-size="14">
<title>A search, the card of a return, and a push of tracking updates</title>
<rect width="100%" height="100%" rx="8" fill="${PAPER}"/>
${lines.join('\n')}
</svg>
`
}

it('docs/terminal.svg shows what the commands print; npx vitest run -u draws it anew', async () => {
  const env = { PATH: process.env.PATH ?? '', ...platform.env() }
  const cwd = newFolder()
  await spawnCli(typed`mirror sync --yes`, { env })
  await runInTerminal(['samples'], { env, cwd })
  const terminal = new xterm.Terminal({ cols: COLUMNS, rows: 80, allowProposedApi: true })
  for (const [index, command] of COMMANDS.entries()) {
    const { code, raw } = await runInTerminal(command.split(' '), { env, cwd, columns: COLUMNS })
    expect([command, code]).toEqual([command, 0])
    const lasting = raw.replace(/\d{8}-\d{4}-\w{4}/g, '20261120-1200-4k7d').replace(/(SECONDS +)\S+/, '$10.2')
    terminal.write(
      `${index === 0 ? '' : '\r\n'}\x1b[90m$\x1b[39m \x1b[1mrma ${command}\x1b[22m\r\n${lasting}`,
    )
  }
  await new Promise<void>((resolve) => terminal.write('', resolve))
  await expect(draw(terminal.buffer)).toMatchFileSnapshot(join(root, 'docs/terminal.svg'))
})
