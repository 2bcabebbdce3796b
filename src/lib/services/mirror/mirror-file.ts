import { createHash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { AppPaths } from '../../config/paths.ts'
import type { PlatformSettings } from '../../config/platform-settings.ts'
import type { MirrorOrigin } from '../../mirror/store.ts'

/** Whose returns a mirror holds; `tokenShops` are those that the token says. */
export function mirrorOrigin(
  { baseUrl, isSandbox, shop }: PlatformSettings,
  paths: AppPaths,
  tokenShops: readonly string[],
): MirrorOrigin {
  const platform = isSandbox ? `sandbox in ${paths.dataDir}` : (baseUrl?.value.replace(/\/+$/, '') ?? '')
  return { platform, shops: shop === undefined ? [...tokenShops].sort() : [shop.value] }
}

/** Where the first mirror of an address is, unless a database holds it, or that of a sandbox that came after it. */
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
