import { hash } from 'node:crypto'
import type { PlatformSettings } from './platform-settings.ts'
import { lastingPart, readToken } from './token.ts'

/** Owner of the returns that a token gives access to. Differs in case of doubt. */
interface Merchant {
  shops: readonly string[]
  /** Digest of the token and the profile's name, if the token names no shop. */
  owner?: string
}

/** Returns the named shop, else those of the token, else a digest. */
export function merchantOf({
  isSandbox,
  profile,
  shop,
  token,
}: Pick<PlatformSettings, 'isSandbox' | 'profile' | 'shop' | 'token'>): Merchant {
  if (shop !== undefined) return { shops: [shop.value] }
  if (isSandbox || token === undefined) return { shops: [] }
  const { value, shops = [] } = readToken(token.value)
  if (shops.length > 0) return { shops: [...shops].sort() }
  const whose = JSON.stringify([lastingPart(value), profile?.value ?? null])
  return { shops: [], owner: hash('sha256', whose).slice(0, 16) }
}

interface JobTarget extends Partial<Merchant> {
  /** Absent for the built-in sandbox. */
  baseUrl?: string | null
  shop?: string | null
}

/** True for the target that a job or plan was made for. Older ones name no merchant and fit any. */
export function isSameTarget(begun: JobTarget, settings: PlatformSettings) {
  const { baseUrl, shop, isSandbox } = settings
  const here = isSandbox ? undefined : baseUrl?.value
  const { shops, owner } = merchantOf(settings)
  const isMerchants =
    (begun.owner ?? owner) === owner && (begun.shops ?? []).every((one) => shops.includes(one))
  return (
    (begun.baseUrl ?? undefined) === here &&
    (begun.shop ?? undefined) === shop?.value &&
    (shop !== undefined || isMerchants)
  )
}

export function targetText({ baseUrl, shop, shops = [] }: JobTarget): string {
  return `${baseUrl ?? 'the built-in sandbox'}, shop ${shop ?? 'not named'}, a token for ${shops.join(', ') || 'unnamed shops'}`
}
