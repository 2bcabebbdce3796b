import { Box, type Key, render, Text, useInput } from 'ink'
import * as yoga from 'yoga-layout'
import type { LineCapturer } from '../cli/captured-lines.ts'
import type { Context } from '../cli/context.ts'
import { visible } from '../output/visible.ts'
import { displayWidth, padEnd, prepareWidths, truncate, wrapWords } from '../output/width.ts'
import { copyText } from '../services/returns/explain/clipboard.ts'
import { joinParts } from '../wire/raw.ts'
import { CommandLines } from './command-lines.ts'
import { Desk, type DeskTarget } from './desk.ts'
import keyNames from './key-names.json'
import { LocalCopy } from './local-copy.ts'
import { SearchScreen } from './search-screen.ts'
import { type WarehouseOptions, WarehouseScreen } from './warehouse-screen.ts'

type Child = () => Promise<void>

const TICK_MS = 5000

/** Runs until the person quits. @throws AppError `usage` without a terminal */
export async function openDesk(
  context: Context,
  capturer: () => Promise<LineCapturer>,
  warehouse: WarehouseOptions | undefined,
) {
  const { io, streams } = context
  const screen = streams.takeScreen()
  const target = await targetOf(context)
  await Promise.all([prepareWidths(), 'ready' in yoga && yoga.ready])
  context.onClose(() => screen.giveBack())
  let end: (child?: Child) => void = () => {}
  let redraw = () => {}
  const lines = new CommandLines(await capturer())
  const desk = new Desk(lines, target, {
    colour: streams.out.colour,
    env: io.env,
    redraw: () => redraw(),
    signal: (text) => void screen.stream.write(text),
    copy: (text) => copyText(text, context),
    lend: (child) => end(child),
    quit: () => end(),
  })
  const resized = () => {
    desk.size = { rows: screen.stream.rows, columns: screen.stream.columns }
    redraw()
  }
  resized()
  screen.stream.on('resize', resized)
  io.interruptOnTermination()
  io.interrupt.addEventListener('abort', () => end())
  if (warehouse) openWarehouse(desk, warehouse)
  else openSearch(desk, new LocalCopy(context, desk))
  for (let child: Child | undefined = async () => {}; child; ) {
    screen.take()
    const nextChild = new Promise<Child | undefined>((resolve) => {
      end = resolve
    })
    const app = render(<Frame desk={desk} />, {
      stdout: screen.stream,
      stdin: io.stdin as NodeJS.ReadStream,
      exitOnCtrlC: false,
      patchConsole: false,
    })
    redraw = () => app.rerender(<Frame desk={desk} />)
    // An error while drawing ends the desk.
    child = await Promise.race([nextChild, app.waitUntilExit().then(() => undefined)])
    redraw = () => {}
    app.unmount()
    screen.giveBack()
    await child?.()
  }
  desk.message = ''
  const ended = desk.top?.end?.()
  await lines.end(() => context.note('Waiting for commands in progress.'))
  await ended
  if (desk.message) await context.note(desk.message)
}

/** Under a protected profile nothing is bought before a yes. */
function openWarehouse(desk: Desk, options: WarehouseOptions) {
  const { maxLabels, yes } = options
  desk.open(new WarehouseScreen(desk, options))
  if (maxLabels === 0 || yes || desk.target.guard === undefined) return
  options.maxLabels = 0
  desk.ask(`Buy up to ${maxLabels} labels without a question for each?`, () => {
    options.maxLabels = maxLabels
  })
}

function openSearch(desk: Desk, copy: LocalCopy) {
  desk.open(new SearchScreen(desk, (text) => copy.find(text)))
  setInterval(() => desk.top?.refresh?.(), TICK_MS).unref()
  copy.start()
  if (desk.target.isSandbox)
    desk.say('Made-up returns. Your platform: rma profiles add NAME --environment production --base-url URL')
}

async function targetOf(context: Context): Promise<DeskTarget> {
  const { baseUrl, environment, isProtected, isSandbox, profile, shop } = await context.settings()
  const name = profile?.value ?? ''
  const target = isSandbox
    ? 'built-in sandbox'
    : joinParts([name && `${name} (${environment})`, baseUrl && new URL(baseUrl.value).host], ' ')
  return {
    text: joinParts([target, shop && `shop ${shop.value}`]),
    style: environment === 'production' || isProtected ? 'red' : isSandbox ? 'green' : 'yellow',
    isSandbox,
    guard: isProtected ? name : undefined,
  }
}

/** Names by ink's properties. Most terminals send `delete` for the backspace key. */
const NAMES: Partial<Record<keyof Key, string>> = keyNames

const CONTROLS: Readonly<Record<string, string>> = {
  '\r': 'return',
  '\n': 'return',
  '\b': 'backspace',
  '\x7f': 'backspace',
}

/** Returns the keys of one read: a scanner or a paste sends many characters at once. */
function keysOf(input: string, key: Key) {
  if (key.ctrl) return input === 'c' ? ['ctrl-c'] : []
  const name = Object.entries(NAMES).find(([property]) => key[property as keyof Key])?.[1]
  if (name !== undefined) return [name]
  const keys = Array.from(input).flatMap((typed) => CONTROLS[typed] ?? (typed < ' ' ? [] : typed))
  // Esc and a character in the same read look like Alt with the character.
  return key.meta ? ['escape', ...keys] : keys
}

const FRAME_ROWS = 4

/** Draws the desk into all but the last row, since a terminal scrolls when the last row is written. */
function Frame({ desk }: { desk: Desk }) {
  useInput((input, key) => {
    for (const one of keysOf(input, key)) desk.onKey(one)
  })
  const { question, size, top } = desk
  const said = wrapWords(desk.message || ' ', size.columns)
  const rows = Math.max(1, size.rows - FRAME_ROWS - said.length + 1)
  const asked = question?.flatMap((line) => wrapWords(line, size.columns))
  const lines = asked ?? top?.draw({ rows, columns: size.columns }) ?? []
  const hints = question ? '' : top?.hints.join('  ')
  return (
    <Box flexDirection="column" height={size.rows - 1} width={size.columns}>
      <Text wrap="truncate-end">{headOf(desk)}</Text>
      <Box flexDirection="column" height={rows}>
        {lines.slice(0, rows).map((line, at) => (
          <Text key={at} wrap="truncate-end">
            {line || ' '}
          </Text>
        ))}
      </Box>
      <Text>{said.join('\n')}</Text>
      <Text dimColor wrap="truncate-end">
        {hints}
      </Text>
    </Box>
  )
}

/** Shortens the right side, never the title. */
function headOf(desk: Desk) {
  const { age, size, target, top } = desk
  const title = visible(`rma desk  ${top?.title ?? ''}`)
  const right = truncate(joinParts([target.text, age], '  '), size.columns - displayWidth(title) - 2)
  return padEnd(title, size.columns - displayWidth(right)) + desk.style(right, target.style)
}
