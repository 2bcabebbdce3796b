import { createHash } from 'node:crypto'
import { join } from 'node:path'
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

/** Where it is, unless a database holds it. */
export function mirrorFile(origin: MirrorOrigin, { dataDir }: AppPaths): string {
  const name = createHash('sha256').update(JSON.stringify(origin)).digest('hex').slice(0, 16)
  return join(dataDir, 'mirrors', `${name}.db`)
}
