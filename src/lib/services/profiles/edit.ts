import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Context } from '../../cli/context.ts'
import { splitWords } from '../../config/command-words.ts'
import { readEnv } from '../../config/paths.ts'
import type { Profile } from '../../config/profile.ts'
import { PROFILE_FIELDS } from '../../config/profile-schema.ts'
import { errorCode, messageOf, nearHints, rethrowBug, rewordError, usageError } from '../../errors.ts'
import { childEnv } from '../../files/child-env.ts'
import { isRecord } from '../../wire/raw.ts'
import { renderProfile } from './profiles.result.ts'

/**
 * Opens the profile as JSON without name and token, or the text `from` an earlier call. @throws AppError
 * `usage`; the text stays in a file, which is named
 */
export async function editProfile(context: Context, profile: Profile, from: string | undefined) {
  const { name, token: _, ...before } = profile
  const editor = editorWords(context)
  const text = from === undefined ? `${JSON.stringify(before, undefined, 2)}\n` : await readLeft(from)
  const file = join(await mkdtemp(join(tmpdir(), 'rma-profile-')), `${name}.json`)
  await writeFile(file, text, { mode: 0o600 })
  try {
    await openEditor(context, editor, file)
    const after = await readEdited(file, profile)
    const removed = Object.keys(before).map((key) => [key, undefined])
    const changed = await context.profiles.set(name, { ...Object.fromEntries(removed), ...after })
    await rm(dirname(file), { recursive: true, force: true })
    const what = isDeepStrictEqual(after, before) ? 'is as it was' : 'is changed'
    await renderProfile(context, `The profile ${name} ${what}.`, changed)
  } catch (error) {
    rethrowBug(error)
    const why = error.message.replace(/[^.]$/, '$&.')
    throw rewordError(error, `${why} The profile is as it was; your text is in ${file}.`, {
      hints: [`correct it: rma profiles edit ${name} --from ${file}`],
    })
  }
}

async function readLeft(file: string) {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw usageError(`--from ${file} can't be read (${errorCode(cause)}).`)
  }
}

/** @throws AppError `usage` without an editor */
function editorWords({ io, questions }: Context): readonly [string, ...string[]] {
  const chosen = readEnv(io.env, 'VISUAL') ?? readEnv(io.env, 'EDITOR')
  if (chosen === undefined && !questions.canAsk) {
    throw usageError(
      'There is no terminal for an editor.',
      'rma profiles set changes single fields',
      'or name a program that edits: VISUAL, EDITOR',
    )
  }
  const { words, isOpen } = splitWords(chosen ?? (process.platform === 'win32' ? 'notepad' : 'vi'))
  const [program, ...args] = words
  if (program && !isOpen) return [program, ...args]
  throw usageError(`VISUAL or EDITOR is not a command: ${chosen}`, "for example: EDITOR='code --wait'")
}

async function openEditor(
  { io, progress, questions }: Context,
  [program, ...args]: readonly [string, ...string[]],
  file: string,
) {
  progress.stop()
  const fail = (what: string) => usageError(`The editor ${program} ${what}.`)
  // Standard input without a terminal belongs to a loop around this command.
  const stdin = questions.canAsk ? 'inherit' : 'ignore'
  const child = spawn(program, [...args, file], {
    env: childEnv(io.env),
    stdio: [stdin, 'inherit', 'inherit'],
  })
  const [code, signal] = await once(child, 'close').catch((cause: unknown) => {
    throw fail(`can't be started (${errorCode(cause)}); VISUAL or EDITOR names it`)
  })
  if (code !== 0) throw fail(code === null ? `was ended by ${signal}` : `ended with exit code ${code}`)
}

async function readEdited(file: string, profile: Profile): Promise<Partial<Profile>> {
  const text = await readLeft(file)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (cause) {
    throw usageError(`That is not valid JSON: ${messageOf(cause)}.`)
  }
  if (!isRecord(value)) throw usageError('That is not a JSON object.')
  const known = [...PROFILE_FIELDS, ...Object.keys(profile)].filter(
    (one) => one !== 'token' && one !== 'name',
  )
  const unknown = Object.keys(value).find((key) => !known.includes(key))
  if (unknown !== undefined) {
    const [meant = ''] = nearHints(unknown, known, (near) => ` Did you mean ${near}?`)
    throw usageError(`${JSON.stringify(unknown)} is not a field to be edited.${meant}`)
  }
  return value
}
