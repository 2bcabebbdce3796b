import { hash } from 'node:crypto'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Context } from '../../cli/context.ts'
import { readWord } from '../../config/flag-values.ts'
import { merchantOf } from '../../config/merchant.ts'
import type { AppPaths } from '../../config/paths.ts'
import type { PlatformSettings } from '../../config/platform-settings.ts'
import type { MirrorOrigin } from '../../mirror/store/state.ts'

export function mirrorOrigins(
  settings: PlatformSettings,
  paths: AppPaths,
): { own: MirrorOrigin; allShops: MirrorOrigin | undefined } {
  const { baseUrl, isSandbox, shop } = settings
  const platform = isSandbox ? `sandbox in ${paths.dataDir}` : (baseUrl?.value ?? '')
  const own = { platform, ...merchantOf(settings) }
  const all = shop === undefined ? undefined : merchantOf({ ...settings, shop: undefined })
  const holdsMore = all !== undefined && all.shops.length !== 1
  const holdsIt = shop === undefined || !all?.shops.length || all.shops.includes(shop.value)
  return { own, allShops: holdsMore && holdsIt ? { platform, ...all } : undefined }
}

/** Returns the origin with all shops if the shop has no mirror of its own. */
export async function answeringOrigin(settings: PlatformSettings, paths: AppPaths): Promise<MirrorOrigin> {
  const { own, allShops } = mirrorOrigins(settings, paths)
  if (allShops === undefined || mirrorFiles(allShops, paths).length === 0) return own
  const [file] = mirrorFiles(own, paths)
  if (file === undefined) return allShops
  const { hasOrigin } = await import('../../mirror/store/glance.ts')
  return hasOrigin(file) ? own : allShops
}

export function mirrorFile(origin: MirrorOrigin, { dataDir }: AppPaths, sandboxId?: string): string {
  const name = hash('sha256', JSON.stringify(origin)).slice(0, 16)
  const end = sandboxId === undefined ? '' : `-${hash('sha256', sandboxId).slice(0, 8)}`
  return join(dataDir, 'mirrors', `${name}${end}.db`)
}

/** Returns the existing mirror files of an address, one for each sandbox; last used first. */
export function mirrorFiles(origin: MirrorOrigin, paths: AppPaths): string[] {
  const first = mirrorFile(origin, paths)
  const own = new RegExp(`^${basename(first, '.db')}(?:-[0-9a-f]{8})?\\.db$`)
  const folder = dirname(first)
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => own.test(name)) : []
  const usedMs = (file: string) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return names.map((name) => join(folder, name)).sort((one, other) => usedMs(other) - usedMs(one))
}

const CODES = { '--carrier': 'carrier', '--carrier-service': 'carrier_service' } as const

/** Completes the beginning of a service code from the newest mirrored returns. Carriers only get their letter case. */
export async function fullCode(flag: keyof typeof CODES, typed: string, context: Context): Promise<string> {
  const settings = await context.settings()
  const [file] = mirrorFiles(await answeringOrigin(settings, context.paths), context.paths)
  if (file === undefined || settings.database !== undefined) return typed
  const { MirrorGlance } = await import('../../mirror/store/glance.ts')
  const words = new MirrorGlance(file, settings.shop?.value).recent(CODES[flag])
  if (flag === '--carrier')
    return words.find((word) => word.toUpperCase() === typed.trim().toUpperCase()) ?? typed
  if (words.length === 0) return typed
  const { value, note } = readWord(flag, typed, { what: 'a carrier service', words })
  if (note !== undefined) await context.warn(note)
  else if (value.toLowerCase() !== typed.toLowerCase())
    await context.note(`${flag} ${typed}: taken as ${value}`)
  return value
}
