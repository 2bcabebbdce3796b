import type { RuleFile } from '../rules.ts'
import { warehouses } from './locations.ts'

/** Clothes from Britain: the post office is free at home. */
export const HARROW_UK: RuleFile = {
  about: 'Clothes. Free at home, paid abroad.',
  window: { days: 28, items: [{ tags: ['sale'], days: 14 }] },
  excluded: [{ tags: ['personalised'] }],
  services: {
    RM_TRACKED_RETURNS_48: { name: 'Royal Mail', countries: ['GB'] },
    DPD_COLLECT: { name: 'DPD', countries: ['GB', 'IE'] },
    STORE_DROPOFF: { name: 'Harrow', countries: ['GB'] },
    EVRI_PARCELSHOP: { name: 'Evri', countries: ['GB'], exceptPostalCodes: { GB: ['ZE', 'HS', 'KW15'] } },
    CUSTOMER_SHIPS: { name: 'Own post', countries: ['GB', 'IE', 'FR', 'US'] },
  },
  locations: warehouses('HARROW-UK', 'LUTTERWORTH'),
  destination: [{ to: 'LUTTERWORTH' }],
  methods: [
    {
      code: 'POST_OFFICE',
      serviceType: 'drop-off',
      service: 'RM_TRACKED_RETURNS_48',
      isLabelFree: false,
      priority: 1,
      fees: [{ amounts: { GBP: '0' } }],
      refundMode: 'SHIPPING_IN_PROGRESS',
    },
    {
      code: 'PARCELSHOP',
      serviceType: 'direct',
      service: 'EVRI_PARCELSHOP',
      isLabelFree: true,
      priority: 2,
      fees: [{ tiers: ['gold'], amounts: { GBP: '0' } }, { amounts: { GBP: '2.50' } }],
      refundMode: 'DROP_OFF',
    },
    {
      code: 'STORE',
      serviceType: 'drop-off-store',
      service: 'STORE_DROPOFF',
      isLabelFree: true,
      priority: 3,
      fees: [{ amounts: { GBP: '0' } }],
      promotions: [{ promoType: 'DISCOUNT_COUPON_PERCENTAGE', percent: '10' }],
      refundMode: 'INSTANT',
    },
    {
      code: 'COLLECTION',
      serviceType: 'pick-up',
      service: 'DPD_COLLECT',
      isLabelFree: true,
      priority: 4,
      fees: [
        { countries: ['GB'], amounts: { GBP: '3.99' } },
        { countries: ['IE'], amounts: { EUR: '7.50' } },
      ],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'OWN_CARRIER',
      serviceType: 'do-it-yourself',
      service: 'CUSTOMER_SHIPS',
      isLabelFree: false,
      priority: 9,
      fees: [{ amounts: { GBP: '0', EUR: '0', USD: '0' } }],
      refundMode: 'POST_VALIDATION',
    },
  ],
}

/** A shop in Japan: eight days, as is the custom there. */
export const SORA_JP: RuleFile = {
  about: 'Clothes and crafts. Eight days, and free where the fault is ours.',
  window: { days: 8, items: [{ reasons: ['DAMAGED', 'DEFECTIVE', 'WRONG_ITEM'], days: 30 }] },
  excluded: [{ tags: ['made-to-order'] }],
  services: {
    YAMATO_KONBINI: { name: 'ヤマト運輸', countries: ['JP'] },
    // Okinawa.
    SAGAWA_PICKUP: { name: '佐川急便', countries: ['JP'], exceptPostalCodes: { JP: ['90'] } },
    STORE_DROPOFF: { name: '空色ストア', countries: ['JP'] },
    JPPOST_YUPACK: { name: '日本郵便', countries: ['JP'] },
    CUSTOMER_SHIPS: { name: 'ご自身で発送', countries: ['JP', 'KR', 'US'] },
  },
  locations: warehouses('SORA-JP', 'TOKYO'),
  destination: [{ to: 'TOKYO' }],
  methods: [
    {
      code: 'KONBINI',
      serviceType: 'drop-off',
      service: 'YAMATO_KONBINI',
      isLabelFree: true,
      priority: 1,
      fees: [
        { reasons: ['DAMAGED', 'DEFECTIVE', 'WRONG_ITEM'], amounts: { JPY: '0' } },
        {
          amounts: {
            JPY: [
              { from: '0', fee: '500' },
              { from: '10000', fee: '250' },
              { from: '30000', fee: '0' },
            ],
          },
        },
      ],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'YUPACK_LOCKER',
      serviceType: 'direct',
      service: 'JPPOST_YUPACK',
      isLabelFree: true,
      priority: 2,
      fees: [{ amounts: { JPY: '650' } }],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'PICKUP',
      serviceType: 'pick-up',
      service: 'SAGAWA_PICKUP',
      isLabelFree: false,
      priority: 3,
      fees: [{ amounts: { JPY: '800' } }],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'STORE',
      serviceType: 'drop-off-store',
      service: 'STORE_DROPOFF',
      isLabelFree: true,
      priority: 4,
      fees: [{ amounts: { JPY: '0' } }],
      refundMode: 'INSTANT',
    },
    {
      code: 'OWN_CARRIER',
      serviceType: 'do-it-yourself',
      service: 'CUSTOMER_SHIPS',
      isLabelFree: false,
      priority: 9,
      fees: [{ amounts: { JPY: '0', KRW: '0', USD: '0' } }],
      refundMode: 'POST_VALIDATION',
    },
  ],
}
