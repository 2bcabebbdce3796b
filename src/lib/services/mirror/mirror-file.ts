import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { merchantOf } from '../../config/merchant.ts'
import type { AppPaths } from '../../config/paths.ts'
import type { PlatformSettings } from '../../config/platform-settings.ts'
import type { MirrorOrigin } from '../../mirror/store/state.ts'

/** Whose returns a mirror of these settings holds, and of one that holds more shops than the one that they name. */
export function mirrorOrigins(
  settings: PlatformSettings,
  paths: AppPaths,
): { own: MirrorOrigin; whole: MirrorOrigin | undefined } {
  const { baseUrl, isSandbox, shop } = settings
  const platform = isSandbox ? `sandbox in ${paths.dataDir}` : (baseUrl?.value.replace(/\/+$/, '') ?? '')
  const own = { platform, ...merchantOf(settings) }
  const all = shop === undefined ? undefined : merchantOf({ ...settings, shop: undefined })
  const holdsMore = all !== undefined && all.shops.length !== 1
  const holdsIt = shop === undefined || !all?.shops.length || all.shops.includes(shop.value)
  return { own, whole: holdsMore && holdsIt ? { platform, ...all } : undefined }
}

/** Origin of the mirror that answers: a mirror of more shops if the shop has none of its own. */
export function answeringOrigin(settings: PlatformSettings, paths: AppPaths): MirrorOrigin {
  const { own, whole } = mirrorOrigins(settings, paths)
  const isThere = (origin: MirrorOrigin) => mirrorFiles(origin, paths).length > 0
  return whole !== undefined && !isThere(own) && isThere(whole) ? whole : own
}

export function mirrorFile(origin: MirrorOrigin, { dataDir }: AppPaths, sandboxId?: string): string {
  const name = digest(JSON.stringify(origin)).slice(0, 16)
  const end = sandboxId === undefined ? '' : `-${digest(sandboxId).slice(0, 8)}`
  return join(dataDir, 'mirrors', `${name}${end}.db`)
}

/** The mirrors of an address that are there: one of a platform, or of each of the sandboxes; the last used first. */
export function mirrorFiles(origin: MirrorOrigin, paths: AppPaths): string[] {
  const first = mirrorFile(origin, paths)
  const own = new RegExp(`^${basename(first, '.db')}(?:-[0-9a-f]{8})?\\.db$`)
  const folder = dirname(first)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => own.test(name)) : []
  const usedMs = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return names.map((name) => join(folder, name)).sort((one, other) => usedMs(other) - usedMs(one))
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
