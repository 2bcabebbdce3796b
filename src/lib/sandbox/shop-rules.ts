import { ApiError } from './api-error.ts'
import type { Shop } from './store/rows.ts'

/**
 * The shops that a read concerns: the one asked for, else all of the token (spec §5).
 *
 * @throws ApiError 400 SC02 if the token does not cover the shop asked for
 */
export function shopsInScope(
  tokenShops: readonly string[],
  wanted: string | undefined,
  all: readonly Shop[],
): readonly Shop[] {
  if (wanted !== undefined && !tokenShops.includes(wanted)) {
    throw new ApiError(400, [
      { code: 'SC02', message: `shop_code: the token does not cover the shop ${wanted}` },
    ])
  }
  const codes = wanted === undefined ? tokenShops : [wanted]
  return all.filter((shop) => codes.includes(shop.code))
}
