import type { Product, Shop } from '../store/rows.ts'
import { ean13 } from './check-digits.ts'
import { MERCHANTS, type MerchantSeed, RETURN_REASONS } from './seed-data.ts'

export interface CatalogueEntry {
  product: Product
  /** Minor units of the shop's currency. */
  price: number
}

export interface DemoShop {
  shop: Shop
  merchant: MerchantSeed
  catalogue: CatalogueEntry[]
}

export function demoShops(): DemoShop[] {
  return MERCHANTS.map((merchant, shopNo) => ({
    shop: {
      no: shopNo,
      code: merchant.code,
      shortCode: merchant.shortCode,
      name: merchant.name,
      currency: merchant.currency,
      warehouses: [...merchant.warehouses],
      reasons: [...RETURN_REASONS],
      services: merchant.services.map(([serviceType, serviceMessage, carrierCode, carrierServiceCode]) => ({
        serviceType,
        serviceMessage,
        carrierCode,
        carrierServiceCode,
        ...(serviceType === 'do-it-yourself'
          ? {}
          : { trackingUrlPrefix: `https://track.example.com/${carrierCode.toLowerCase()}/` }),
        hasLabel: serviceType === 'pick-up' || serviceType === 'drop-off',
      })),
    },
    merchant,
    catalogue: merchant.products.map(([name, vendor, price, variants], position) => {
      const no = shopNo * 100 + position
      return { product: product(merchant, no, position, name, vendor, variants), price }
    }),
  }))
}

function product(
  merchant: MerchantSeed,
  no: number,
  position: number,
  name: string,
  vendor: string,
  variants: readonly string[],
): Product {
  const article = String(1000 + position * 37)
  return {
    no,
    name,
    vendor,
    imageUrl: `https://images.example.com/${merchant.shortCode.toLowerCase()}/${article}.jpg`,
    productId: String(7_310_000_000_000 + no * 8_191),
    variants: variants.map((variant, i) => ({
      name: variant,
      sku: `${merchant.shortCode}-${article}-${String(i + 1).padStart(2, '0')}`,
      barcode: ean13(`${merchant.barcodePrefix}${article}${String(no * 10 + i).padStart(4, '0')}`),
      variantId: String(41_200_000_000_000 + no * 100_003 + i),
    })),
  }
}
