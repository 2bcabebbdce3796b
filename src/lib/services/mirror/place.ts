import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { parseDatabaseUrl, shownDatabaseUrl } from '../../config/database-url.ts'
import { makeDataFolder, readEnv } from '../../config/paths.ts'
import { readToken } from '../../config/token.ts'
import { AppError } from '../../errors.ts'
import { isUnusable, mirrorFailure } from '../../mirror/failure.ts'
import { type MirrorPlace, openMirror } from '../../mirror/open.ts'
import type { MirrorOrigin, MirrorStore } from '../../mirror/store.ts'
import { mirrorFile, mirrorOrigin } from './mirror-file.ts'

/** A mirror that is open, until the command ends. */
export interface OpenedMirror {
  mirror: MirrorStore
  /** Its file, or the address of its database. */
  where: string
  origin: MirrorOrigin
}

interface ChosenPlace {
  place: MirrorPlace
  where: string
  origin: MirrorOrigin
}

/** Of the platform and the shops that the settings name: a database of the team's, else a file for each. */
async function choosePlace(context: Context): Promise<ChosenPlace> {
  const settings = await context.settingsWithToken()
  const { token, database, caFile } = settings
  const tokenShops = token === undefined ? [] : (readToken(token.value).shops ?? [])
  const origin = mirrorOrigin(settings, context.paths, tokenShops)
  if (database !== undefined) {
    const address = parseDatabaseUrl(database.value)
    const password = address.password ?? readEnv(context.io.env, 'PGPASSWORD')
    const server = { ...address, password, caFile: caFile?.value }
    return { place: { server }, where: shownDatabaseUrl(database.value), origin }
  }
  const file = mirrorFile(origin, context.paths)
  return { place: { file }, where: file, origin }
}

/**
 * Runs `action` on the mirror, made if it is not there. A file that can't be used is moved aside, and another one made.
 *
 * @throws AppError `usage` for a database that holds another platform's returns, or what `mirrorFailure` says
 */
export async function withMirror<T>(
  context: Context,
  action: (opened: OpenedMirror) => Promise<T>,
): Promise<T> {
  const chosen = await choosePlace(context)
  const { place, where, origin } = chosen
  try {
    if ('file' in place) await makeDataFolder(join(place.file, '..'))
    const mirror = await openSound(context, place)
    context.onClose(() => mirror.close())
    await checkOrigin(mirror, chosen)
    return await action({ mirror, where, origin })
  } catch (error) {
    // A damaged page shows when it is read.
    if ('file' in place && isUnusable(error)) throw damagedError(await moveAside(place.file), error)
    throw mirrorFailure(error, where)
  }
}

/** As it is: a mirror that is damaged stays where it is. Undefined where there is none. @throws AppError */
export async function lookIntoMirror<T>(
  context: Context,
  look: (mirror: MirrorStore) => Promise<T>,
): Promise<{ where: string; result: T } | undefined> {
  const { place, where } = await choosePlace(context)
  if ('file' in place && !existsSync(place.file)) return undefined
  try {
    const mirror = await openMirror(place)
    context.onClose(() => mirror.close())
    return { where, result: await look(mirror) }
  } catch (error) {
    if (!('file' in place && isUnusable(error))) throw mirrorFailure(error, where)
    throw new AppError('config', `The mirror ${where} is damaged (${messageOf(error)}).`, {
      hints: ['rma mirror sync moves it aside and copies anew'],
      cause: error,
    })
  }
}

function damagedError(aside: string, cause: unknown): AppError {
  return new AppError('config', `The mirror is damaged (${messageOf(cause)}); it is now ${aside}.`, {
    hints: ['rma mirror sync copies anew; say again what is to be left out, and who is to be forgotten'],
    cause,
  })
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}

/** As `withMirror`, for one that is there. @throws AppError `not-found` */
export async function withExistingMirror<T>(
  context: Context,
  action: (opened: OpenedMirror) => Promise<T>,
): Promise<T> {
  const { place, where } = await choosePlace(context)
  if ('file' in place && !existsSync(where)) throw noMirror()
  return withMirror(context, action)
}

export function noMirror(): AppError {
  return new AppError('not-found', 'There is no mirror of these returns yet.', { hints: ['rma mirror sync'] })
}

async function openSound(context: Context, place: MirrorPlace): Promise<MirrorStore> {
  try {
    return await openMirror(place)
  } catch (error) {
    if (!('file' in place && isUnusable(error))) throw error
    const aside = await moveAside(place.file)
    await context.warn(
      `The mirror could not be read (${messageOf(error)}); it is now ${aside}, and ` +
        'returns are copied anew. What was left out, and who was forgotten, has to be said again.',
    )
    return openMirror(place)
  }
}

async function moveAside(file: string): Promise<string> {
  let aside = `${file}.damaged`
  for (let number = 2; existsSync(aside); number += 1) aside = `${file}.damaged-${number}`
  await rename(file, aside)
  // Without its file the log says nothing.
  for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  return aside
}

async function checkOrigin(mirror: MirrorStore, { origin, where }: ChosenPlace): Promise<void> {
  const held = await mirror.origin()
  if (held === undefined || JSON.stringify(held) === JSON.stringify(origin)) return
  const shown = ({ platform, shops }: MirrorOrigin) =>
    shops.length === 0 ? platform : `${platform}, shops ${shops.join(', ')}`
  throw new AppError('usage', `${where} holds the returns of ${shown(held)}, not of ${shown(origin)}.`, {
    hints: ['choose the profile or shop that it is for', 'name another database, or a schema: ?schema=NAME'],
  })
}
