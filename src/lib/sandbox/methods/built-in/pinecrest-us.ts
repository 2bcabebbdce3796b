import type { RuleFile } from '../rules.ts'
import { warehouses } from './locations.ts'

/** Faulty batteries: not taken by post, by others only in special boxes. */
const FAULTY_BATTERY = { tags: ['lithium'], reasons: ['DAMAGED', 'DEFECTIVE'] }
const BATTERY = { tags: ['lithium'] }

/** Electronics and gear: a short window, and goods that may not travel by air. */
export const PINECREST_US: RuleFile = {
  about: 'Electronics and gear. Short window for electronics, dangerous goods by ground or not at all.',
  window: {
    days: 30,
    items: [
      { categories: ['Electronics'], reasons: ['DEFECTIVE'], days: 90 },
      { categories: ['Electronics'], days: 14 },
    ],
  },
  excluded: [{ tags: ['fuel', 'aerosol'] }, { tags: ['opened-software'] }],
  services: {
    USPS_GROUND_RETURN: {
      name: 'USPS',
      countries: ['US'],
      // Hawaii and Alaska are reached by air only.
      exceptPostalCodes: { US: ['967', '968', '995', '996', '997', '998', '999'] },
    },
    UPS_PICKUP: { name: 'UPS', countries: ['US', 'CA'] },
    STORE_DROPOFF: { name: 'Pinecrest', countries: ['US'] },
    FEDEX_EASY_RETURN: { name: 'FedEx', countries: ['US'] },
    CUSTOMER_SHIPS: { name: 'Own post', countries: ['US', 'CA', 'MX'] },
  },
  locations: warehouses('PINECREST-US', 'RENO', 'COLUMBUS'),
  destination: [
    { vendors: ['Lumenworks'], to: 'RENO' },
    { fulfillmentCenters: ['COLUMBUS'], to: 'COLUMBUS' },
    { to: 'RENO' },
  ],
  methods: [
    {
      code: 'NO_BOX',
      serviceType: 'direct',
      service: 'FEDEX_EASY_RETURN',
      isLabelFree: true,
      priority: 1,
      excluded: [BATTERY],
      fees: [
        {
          amounts: {
            USD: [
              { from: '0', fee: '3.50' },
              { from: '75', fee: '0' },
            ],
          },
        },
      ],
      refundMode: 'SHIPPING_IN_PROGRESS',
    },
    {
      code: 'STORE',
      serviceType: 'drop-off-store',
      service: 'STORE_DROPOFF',
      isLabelFree: true,
      priority: 2,
      excluded: [FAULTY_BATTERY],
      fees: [{ amounts: { USD: '0' } }],
      promotions: [{ promoType: 'DISCOUNT_COUPON_FIXED', amounts: { USD: '10' } }],
      refundMode: 'INSTANT',
    },
    {
      code: 'GROUND',
      serviceType: 'drop-off',
      service: 'USPS_GROUND_RETURN',
      isLabelFree: false,
      priority: 3,
      excluded: [FAULTY_BATTERY],
      fees: [
        { reasons: ['DEFECTIVE', 'WRONG_ITEM', 'NOT_AS_DESCRIBED'], amounts: { USD: '0' } },
        { tiers: ['pro'], amounts: { USD: '0' } },
        { amounts: { USD: '5' } },
      ],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'PICKUP',
      serviceType: 'pick-up',
      service: 'UPS_PICKUP',
      isLabelFree: false,
      priority: 4,
      excluded: [BATTERY],
      fees: [
        { countries: ['US'], tiers: ['pro'], amounts: { USD: '3.95' } },
        { countries: ['US'], amounts: { USD: '7.95' } },
        { countries: ['CA'], amounts: { CAD: '14.95', USD: '10.95' } },
      ],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'HAZMAT_PICKUP',
      serviceType: 'pick-up',
      service: 'UPS_PICKUP',
      isLabelFree: false,
      priority: 5,
      countries: ['US'],
      only: [FAULTY_BATTERY],
      fees: [{ amounts: { USD: '0' } }],
      promotions: [{ promoType: 'PRIORITY_REFUND' }],
      refundMode: 'PRE_VALIDATION',
      destination: [{ to: 'RENO' }],
    },
    {
      code: 'OWN_CARRIER',
      serviceType: 'do-it-yourself',
      service: 'CUSTOMER_SHIPS',
      isLabelFree: false,
      priority: 9,
      excluded: [BATTERY],
      fees: [{ amounts: { USD: '0', CAD: '0', MXN: '0' } }],
      refundMode: 'POST_VALIDATION',
    },
  ],
}
