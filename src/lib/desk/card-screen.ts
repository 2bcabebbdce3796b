import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { visible } from '../output/visible.ts'
import { TRANSPORTATION_STATUSES } from '../wire/enumerations.ts'
import { CUSTOMER_LANGUAGES } from '../wire/geography.ts'
import { asText, at, list } from '../wire/raw.ts'
import { labelIdFor } from '../wire/return-names.ts'
import { wordsOf } from '../wire/words.ts'
import type { Desk, Screen } from './desk.ts'
import { ListScreen } from './list-screen.ts'
import { TextScreen } from './text-screen.ts'

export const NO_PARCEL = 'No parcel is under way, so there is no label'

/** Commands take the id, because returns of several shops may share a name. */
export function cardScreen(desk: Desk, name: string, id = name): Screen {
  const load = async (columns: number) => {
    const card = await desk.lines.read(['returns', 'get', id], columns)
    if (card.code !== 0) return card.message
    const story = await desk.textOf(['returns', 'explain', id], columns)
    return `${card.text}\n${story.split('\n\n').at(-1)}`
  }
  return new TextScreen(desk, name, load, [
    { key: 'r', hint: 'reply', act: () => desk.open(replyScreen(desk, name, id)) },
    { key: 'd', hint: 'drop-off', act: () => desk.open(pointsScreen(desk, name, id)) },
    { key: 'l', hint: 'label', act: () => void makeLabel(desk, name, id) },
    { key: 'p', hint: 'print', act: () => void desk.once(`print ${id}`, () => printLabel(desk, name, id)) },
    { key: 't', hint: 'tracking', act: () => desk.open(trackingScreen(desk, name, id)) },
    { key: 'o', hint: 'page', act: () => void desk.run(['returns', 'get', id, '--web']) },
    { key: 'y', hint: 'copy', act: () => desk.copy(name) },
  ])
}

function pointsScreen(desk: Desk, name: string, id: string) {
  let openNow = false
  const words = () => ['pudos', 'search', id, '--limit', '20', ...(openNow ? ['--open-at', 'now'] : [])]
  const screen: TextScreen = new TextScreen(
    desk,
    `drop-off points for ${name}`,
    (columns) => desk.textOf(words(), columns),
    [
      {
        key: 'n',
        hint: 'open now / all',
        act: () => {
          openNow = !openNow
          screen.refresh()
        },
      },
      { key: 'y', hint: 'copy', act: () => desk.copy(screen.lines.join('\n')) },
    ],
  )
  return screen
}

/** Saves an existing label, which costs nothing. Asks before it buys one. */
async function makeLabel(desk: Desk, name: string, id: string) {
  const card = desk.top
  desk.say('Looking for a label…')
  const plan = await desk.read(['labels', 'create', '--for', id, '--dry-run'])
  if (plan.code !== 0) return
  if (!buysLabel(plan.json))
    return withLabelId(desk, id, (label) => desk.run(['labels', 'download', label, '--out', 'labels']))
  const words = ['labels', 'create', '--for', id, '--out', 'labels', '--yes']
  desk.write(`Buy a label for ${name}, and save it in the folder labels?`, words, card)
}

/** True unless the dry run printed an empty list. */
export function buysLabel(plan: unknown) {
  return !Array.isArray(plan)
}

/** Returns a label id such as `R#-1-T2`. An id alone may name another shipment. Undefined without a parcel. */
export function labelIdOf(record: unknown): string | undefined {
  const transport = asText(at(at(record, 'activeTransportation'), 'id'))
  return transport && labelIdFor(asText(at(record, 'name')), transport)
}

async function withLabelId(desk: Desk, id: string, act: (labelId: string) => Promise<void>) {
  desk.say('Looking for the label…')
  const { code, json } = await desk.read(['returns', 'get', id])
  const label = labelIdOf(json)
  if (label !== undefined) await act(label)
  else if (code === 0) desk.say(NO_PARCEL)
}

function trackingScreen(desk: Desk, name: string, id: string) {
  const screen = new ListScreen<string>(desk, {
    title: `tracking update of ${name}`,
    row: (status) => wordsOf('transportStatus', status),
    open: (status) => {
      desk.back()
      const words = ['tracking', 'push', id, '--status', status, '--yes']
      desk.write(`Tell the platform that ${name} is "${wordsOf('transportStatus', status)}"?`, words)
    },
  })
  screen.show(TRANSPORTATION_STATUSES)
  return screen
}

/** Prints on the only saved printer, on one chosen of several, or into a PDF. */
async function printLabel(desk: Desk, name: string, id: string) {
  const card = desk.top
  const { json } = await desk.read(['printers', 'list'])
  const names = list(json).flatMap((printer) => asText(at(printer, 'name')) ?? [])
  const print = (on: readonly string[]) =>
    withLabelId(desk, id, (label) => desk.run(['labels', 'print', label, '--no-files', ...on]))
  if (names.length < 2) return print(names.flatMap((only) => ['--printer', only]))
  if (!desk.isShown(card)) return desk.say(`Not printed, since you went on: ${name}`)
  const screen = new ListScreen<string>(desk, {
    title: `print ${name} on`,
    row: (printer) => visible(printer),
    open: (printer) => {
      desk.back()
      void desk.once(`print ${id}`, () => print(['--printer', printer]))
    },
  })
  desk.open(screen)
  screen.show(names)
}

function replyScreen(desk: Desk, name: string, id: string) {
  let picked = -1
  let edited: string | undefined
  const load = async (columns: number) => {
    if (edited !== undefined) return edited
    const language = CUSTOMER_LANGUAGES[picked]
    const words = ['returns', 'explain', id, '--reply', ...(language ? ['--language', language] : [])]
    return desk.textOf(words, columns)
  }
  const screen: TextScreen = new TextScreen(desk, `reply about ${name}`, load, [
    {
      key: 'l',
      hint: 'language',
      act: () => {
        picked = (picked + 1) % CUSTOMER_LANGUAGES.length
        edited = undefined
        screen.refresh()
        desk.say(`Language: ${CUSTOMER_LANGUAGES[picked]}`)
      },
    },
    {
      key: 'e',
      hint: 'edit',
      act: () => {
        if (screen.lines.length === 0) return
        desk.terminal.lend(async () => {
          edited = await editText(screen.lines.join('\n'), desk)
          screen.refresh()
        })
      },
    },
    { key: 'y', hint: 'copy', act: () => desk.copy(screen.lines.join('\n')) },
  ])
  return screen
}

/** Opens a text in the user's editor. Returns the text unchanged if the editor fails. */
async function editText(text: string, desk: Desk) {
  const { VISUAL, EDITOR, RMA_TOKEN: _, RMA_DATABASE: __, ...env } = desk.terminal.env
  const editor = VISUAL || EDITOR || 'vi'
  const folder = await mkdtemp(join(tmpdir(), 'rma-'))
  const file = join(folder, 'reply.txt')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const child = spawn('/bin/sh', ['-c', `${editor} "$0"`, file], {
      stdio: 'inherit',
      env: { ...env, VISUAL, EDITOR },
    })
    const [code] = await once(child, 'exit').catch(() => [])
    if (code === 0) return await readFile(file, 'utf8')
    desk.say(`The editor ${editor} failed: the reply is as it was. VISUAL or EDITOR names another.`)
    return text
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
