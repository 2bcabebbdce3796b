import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Desk, Screen } from './desk.ts'
import { TextScreen } from './text-screen.ts'

const LANGUAGES = ['en', 'es', 'fr', 'de', 'it', 'pt', 'ja']

/** Reply to the customer, in the language of the return until another is picked. */
export function replyScreen(desk: Desk, name: string): Screen {
  let picked = -1
  let edited: string | undefined
  const load = async (columns: number) => {
    if (edited !== undefined) return edited
    const language = LANGUAGES[picked]
    const words = ['returns', 'explain', name, '--reply', ...(language ? ['--language', language] : [])]
    return desk.textOf(words, columns)
  }
  const screen: TextScreen = new TextScreen(desk, `reply about ${name}`, load, [
    {
      key: 'l',
      hint: 'language',
      act: () => {
        picked = (picked + 1) % LANGUAGES.length
        edited = undefined
        screen.refresh()
        desk.say(`Language: ${LANGUAGES[picked]}`)
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

/** Lets the person's editor change a text. Returns the text as it was if the editor fails. */
async function editText(text: string, desk: Desk): Promise<string> {
  const { VISUAL, EDITOR } = desk.terminal.env
  const editor = VISUAL || EDITOR || 'vi'
  const folder = await mkdtemp(join(tmpdir(), 'rma-'))
  const file = join(folder, 'reply.txt')
  try {
    await writeFile(file, text, { mode: 0o600 })
    const code = await new Promise<number | null>((resolve) => {
      const child = spawn('/bin/sh', ['-c', `${editor} "$0"`, file], { stdio: 'inherit' })
      child.on('error', () => resolve(127))
      child.on('exit', resolve)
    })
    if (code === 0) return await readFile(file, 'utf8')
    desk.say(`The editor ${editor} failed: the reply is as it was. VISUAL or EDITOR names another.`)
    return text
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
