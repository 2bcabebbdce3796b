import { existsSync } from 'node:fs'
import { rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { parseDatabaseUrl, shownDatabaseUrl } from '../../config/database-url.ts'
import { makeDataFolder, readEnv } from '../../config/paths.ts'
import { appError, causedBy, isOfKind, messageOf, rethrowInterruption, usageError } from '../../errors.ts'
import { isUnusable, mirrorFailure } from '../../mirror/store/failure.ts'
import {
  dropMirror,
  type MirrorLocation,
  type MirrorStore,
  openMirror,
  removeMirrorFile,
} from '../../mirror/store/open.ts'
import { readCandidates } from '../../mirror/store/read.ts'
import { type MirrorOrigin, readChoices, readOrigin, writeValue } from '../../mirror/store/state.ts'
import type { MirrorDb } from '../../mirror/store/tables.ts'
import { OtherDataError } from '../../mirror/sync/sync.ts'
import type { Return } from '../../wire/returns.ts'
import { answeringOrigin, mirrorFile, mirrorFiles, mirrorOrigins } from './mirror-file.ts'

const MAX_SANDBOX_MIRRORS = 3

export interface OpenedMirror {
  mirror: MirrorStore
  where: string
  origin: MirrorOrigin
  hasMirrorPerSandbox: boolean
  /** True if the mirror holds all shops of the token, not just the named one. */
  hasAllShops: boolean
}

type OnMirror<T> = (opened: OpenedMirror) => Promise<T>

interface ChosenLocation {
  location: MirrorLocation
  where: string
  origin: MirrorOrigin
  /** Origin with all shops of the token, which a database may hold instead. */
  allShops: MirrorOrigin | undefined
  /** True if each sandbox at the address has its own mirror. The built-in sandbox has only one. */
  hasMirrorPerSandbox?: boolean
}

async function chooseLocation(context: Context, mustExist = false): Promise<ChosenLocation> {
  const settings = await context.settingsWithToken()
  const { database, caFile } = settings
  const { own, allShops } = mirrorOrigins(settings, context.paths)
  if (database !== undefined) {
    const address = parseDatabaseUrl(database.value)
    const password = address.password ?? readEnv(context.io.env, 'PGPASSWORD')
    const absent = mustExist ? await noMirror(context) : undefined
    const server = { ...address, password, caFile: caFile?.value, absent }
    return { location: { server }, where: shownDatabaseUrl(database.value), origin: own, allShops }
  }
  const origin = await answeringOrigin(settings, context.paths)
  const [file = mirrorFile(origin, context.paths)] = mirrorFiles(origin, context.paths)
  return { location: { file }, where: file, origin, allShops, hasMirrorPerSandbox: !settings.isSandbox }
}

/** Runs `action` on the mirror. Makes a missing one, and moves an unusable file aside. */
export async function withMirror<T>(context: Context, action: OnMirror<T>) {
  return withMirrorAt(context, await chooseLocation(context), action)
}

async function withMirrorAt<T>(
  context: Context,
  chosen: ChosenLocation,
  action: OnMirror<T>,
  before?: MirrorStore,
): Promise<T> {
  const { location, where, hasMirrorPerSandbox = false } = chosen
  let opened: MirrorStore | undefined
  try {
    if ('file' in location) await makeDataFolder(dirname(location.file))
    const mirror = await openOrReplace(context, location)
    opened = mirror
    context.onClose(() => mirror.db.destroy())
    const origin = await checkOrigin(mirror.db, chosen)
    if (before && !(await readOrigin(mirror.db))) {
      // The consent for this address holds for its next sandbox, too.
      await writeValue(mirror.db, 'choices', await readChoices(before.db))
      await writeValue(mirror.db, 'origin', origin)
    }
    return await action({
      mirror,
      where,
      origin,
      hasMirrorPerSandbox,
      hasAllShops: isSame(origin, chosen.allShops),
    })
  } catch (error) {
    if (error instanceof OtherDataError && opened && hasMirrorPerSandbox) {
      const file = await otherFile(context, chosen, error)
      return withMirrorAt(context, { ...chosen, location: { file }, where: file }, action, opened)
    }
    // A damaged page fails only when it is read.
    if ('file' in location && isUnusable(error)) {
      const aside = await moveAside(location.file)
      throw causedBy(
        error,
        'config',
        `The mirror is damaged (${messageOf(error)}); it is now ${aside}.`,
        `${await syncLine(context)} copies it again; repeat --without and rma mirror forget`,
      )
    }
    throw mirrorFailure(error, where)
  }
}

/** Returns the mirror file of the sandbox now at the address. Removes those used longest ago. */
async function otherFile(
  { paths }: Context,
  { origin, where }: ChosenLocation,
  { sandboxId }: OtherDataError,
) {
  const own = mirrorFile(origin, paths, sandboxId)
  const first = mirrorFile(origin, paths)
  const others = mirrorFiles(origin, paths).filter((file) => file !== own)
  for (const file of others.slice(MAX_SANDBOX_MIRRORS - 1)) await removeMirrorFile(file)
  // A first file, named without a sandbox id, may be of this sandbox.
  const isFirst = !existsSync(own) && where !== first && existsSync(first)
  return isFirst ? first : own
}

/** Leaves a damaged mirror in place. Returns undefined if there is none. @throws AppError */
export async function inspectMirror<T>(
  context: Context,
  look: (mirror: MirrorStore) => Promise<T>,
): Promise<{ where: string; result: T } | undefined> {
  const { location, where } = await chooseLocation(context, true)
  if ('file' in location && !existsSync(location.file)) return undefined
  try {
    const mirror = await openWithNote(context, location)
    context.onClose(() => mirror.db.destroy())
    return { where, result: await look(mirror) }
  } catch (error) {
    if (isOfKind(error, 'not-found')) return undefined
    if (!('file' in location && isUnusable(error))) throw mirrorFailure(error, where)
    throw causedBy(
      error,
      'config',
      `The mirror ${where} is damaged (${messageOf(error)}).`,
      `${await syncLine(context)} moves it aside and copies it again`,
    )
  }
}

export async function withExistingMirror<T>(context: Context, action: OnMirror<T>) {
  return withMirrorAt(context, await existingLocation(context), action)
}

/** @throws AppError `not-found` without a mirror */
async function existingLocation(context: Context) {
  const chosen = await chooseLocation(context, true)
  if ('file' in chosen.location && !existsSync(chosen.location.file)) throw await noMirror(context)
  return chosen
}

/** Removes the mirror of any version, unless it is of another platform. */
export async function removeMirror(
  context: Context,
  confirm: (where: string, hasAllShops: boolean) => Promise<void>,
) {
  const [{ shop }, chosen] = [await context.settings(), await existingLocation(context)]
  const { location, where } = chosen
  const allShops = shop?.source === 'flag' ? undefined : chosen.allShops
  await confirm(where, isSame(chosen.origin, chosen.allShops))
  try {
    return { where, removed: await dropMirror(location, (db) => checkOrigin(db, { ...chosen, allShops })) }
  } catch (error) {
    throw mirrorFailure(error, where)
  }
}

export async function noMirror(context: Context) {
  return appError('not-found', 'There is no mirror of these returns yet.', await syncLine(context))
}

export async function syncLine(context: Context, ...flags: readonly string[]): Promise<string> {
  const { database, shop } = await context.settings()
  const place = database?.source === 'flag' ? ['--database', shownDatabaseUrl(database.value)] : []
  return context.shellLine(['mirror', 'sync', ...place, ...flags], shop?.value)
}

async function openWithNote(context: Context, location: MirrorLocation) {
  const mirror = await openMirror(location, () => context.note('Checking the mirror'))
  context.progress.stop()
  return mirror
}

async function openOrReplace(context: Context, location: MirrorLocation) {
  try {
    return await openWithNote(context, location)
  } catch (error) {
    if (!('file' in location && isUnusable(error))) throw error
    const aside = await moveAside(location.file)
    await context.warn(
      `The mirror could not be read (${messageOf(error)}); it is now ${aside}. A sync copies ` +
        'returns anew; what was left out, and who was forgotten, has to be said again.',
    )
    return openMirror(location)
  }
}

async function moveAside(file: string) {
  let aside = `${file}.damaged`
  for (let number = 2; existsSync(aside); number += 1) aside = `${file}.damaged-${number}`
  await rename(file, aside)
  // A write-ahead log is useless without its database.
  for (const end of ['-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  return aside
}

async function checkOrigin(db: MirrorDb, chosen: ChosenLocation) {
  const { origin, where, allShops } = chosen
  const held = await readOrigin(db)
  if (held === undefined || isSame(held, origin)) return origin
  if (allShops !== undefined && isSame(held, allShops)) return allShops
  const shown = ({ platform, shops, owner }: MirrorOrigin) =>
    shops.length > 0
      ? `${platform}, shops ${shops.join(', ')}`
      : `${platform}, ${owner === undefined ? 'shops not named' : `profile and token ${owner}`}`
  throw usageError(
    `${where} holds the returns of ${shown(held)}, not of ${shown(origin)}.`,
    'choose the profile or shop that it is for',
    'name another database, or a schema: ?schema=NAME',
  )
}

function isSame(one: MirrorOrigin, other: MirrorOrigin | undefined) {
  return JSON.stringify(one) === JSON.stringify(other)
}

/** Returns the mirror's copies of returns that a text identifies; empty without a mirror. */
export async function mirroredReturns(text: string, context: Context): Promise<Return[]> {
  try {
    return await withExistingMirror(context, async ({ mirror }) => {
      const [found, { shop }] = [await readCandidates(mirror.db, text), await context.settings()]
      const records = found.map(({ record }) => record)
      return shop === undefined ? records : records.filter(({ shopCode }) => shopCode === shop.value)
    })
  } catch (error) {
    rethrowInterruption(error)
    // The mirror is only a fallback here: a missing one is not an error.
    if (error.kind !== 'not-found') await context.warn(`The mirror was not searched: ${error.message}`)
    return []
  }
}
