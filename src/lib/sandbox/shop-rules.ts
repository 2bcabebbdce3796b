import { ApiError } from './http/api-error.ts'
import type { Shop } from './store/rows.ts'

/** The shop asked for, else all of the token (spec §5). @throws ApiError 400 SC02 if the token does not cover it */
export function shopsInScope(
  tokenShops: readonly string[],
  wanted: string | undefined,
  all: readonly Shop[],
  field = 'shop_code',
): readonly Shop[] {
  if (wanted !== undefined && !tokenShops.includes(wanted)) {
    throw ApiError.of(400, 'SC02', `${field}: the token does not cover the shop ${wanted}`)
  }
  const codes = wanted === undefined ? tokenShops : [wanted]
  return all.filter((shop) => codes.includes(shop.code))
}

/**
 * The one shop that an operation concerns: the one asked for, else that of the token (spec §5).
 * @throws ApiError 400 SC01 if the token covers several and none is asked for, SC02 as `shopsInScope`
 */
export function theShop(
  tokenShops: readonly string[],
  wanted: string | undefined,
  all: readonly Shop[],
): Shop {
  const [shop, ...others] = shopsInScope(tokenShops, wanted || undefined, all, 'shopCode')
  if (shop !== undefined && others.length === 0) return shop
  throw ApiError.of(
    400,
    'SC01',
    `shopCode: the token covers several shops, name one of ${tokenShops.join(', ')}`,
  )
}
