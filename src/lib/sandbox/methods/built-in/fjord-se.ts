import type { RuleFile } from '../rules.ts'
import { warehouses } from './locations.ts'

const BULKY = [{ categories: ['Furniture'] }, { tags: ['bulky'] }]
const FREE = { SEK: '0', NOK: '0', DKK: '0', EUR: '0' }

/** Furniture and outdoor gear: furniture is fetched, where the lorry goes. */
export const FJORD_SE: RuleFile = {
  about: 'Furniture and outdoor gear. Furniture is fetched, paid by the piece, and not from everywhere.',
  window: { days: 60, items: [{ categories: ['Furniture'], days: 30 }] },
  excluded: [
    { tags: ['made-to-measure'] },
    { categories: ['Mattresses'], reasons: ['CHANGED_MIND', 'LATE'] },
  ],
  services: {
    POSTNORD_RETURN: {
      name: 'PostNord',
      countries: ['SE', 'NO', 'DK', 'FI'],
      // Svalbard and Åland.
      exceptPostalCodes: { NO: ['917'], FI: ['22'] },
    },
    DHL_HOME_PICKUP: {
      name: 'DHL',
      countries: ['SE', 'DK'],
      // Gotland, Västerbotten, Norrbotten; Bornholm.
      exceptPostalCodes: {
        SE: ['62', '90', '91', '92', '93', '94', '95', '96', '97', '98'],
        DK: ['37'],
      },
    },
    STORE_DROPOFF: { name: 'Fjord', countries: ['SE'] },
    INSTABOX_RETURN: { name: 'Instabox', countries: ['SE', 'DK'] },
    CUSTOMER_SHIPS: { name: 'Own post', countries: ['SE', 'NO', 'DK', 'FI', 'DE'] },
  },
  locations: warehouses('FJORD-SE', 'GOTEBORG'),
  destination: [{ to: 'GOTEBORG' }],
  methods: [
    {
      code: 'LOCKER',
      serviceType: 'direct',
      service: 'INSTABOX_RETURN',
      isLabelFree: true,
      priority: 1,
      excluded: BULKY,
      fees: [{ tiers: ['member'], amounts: { SEK: '0', DKK: '0' } }, { amounts: { SEK: '29', DKK: '25' } }],
      refundMode: 'SHIPPING_IN_PROGRESS',
    },
    {
      code: 'STORE',
      serviceType: 'drop-off-store',
      service: 'STORE_DROPOFF',
      isLabelFree: true,
      priority: 2,
      fees: [{ amounts: { SEK: '0' } }],
      promotions: [{ promoType: 'DISCOUNT_COUPON_PERCENTAGE', percent: '10' }],
      refundMode: 'INSTANT',
    },
    {
      code: 'AGENT',
      serviceType: 'drop-off',
      service: 'POSTNORD_RETURN',
      isLabelFree: false,
      priority: 3,
      excluded: BULKY,
      fees: [
        { reasons: ['DAMAGED', 'DEFECTIVE', 'WRONG_ITEM'], amounts: FREE },
        { tiers: ['member'], amounts: { SEK: '19', NOK: '29', DKK: '15', EUR: '2.95' } },
        { amounts: { SEK: '39', NOK: '59', DKK: '35', EUR: '5.95' } },
      ],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'FURNITURE',
      serviceType: 'pick-up',
      service: 'DHL_HOME_PICKUP',
      isLabelFree: true,
      priority: 4,
      only: BULKY,
      fees: [
        { reasons: ['DAMAGED', 'DEFECTIVE', 'WRONG_ITEM'], amounts: FREE },
        {
          by: 'totalPaid',
          perUnit: true,
          amounts: {
            SEK: [
              { from: '0', fee: '495' },
              { from: '5000', fee: '295' },
              { from: '15000', fee: '149.50' },
            ],
            DKK: '349',
          },
        },
      ],
      refundMode: 'POST_VALIDATION',
    },
    {
      code: 'HOME_PICKUP',
      serviceType: 'pick-up',
      service: 'DHL_HOME_PICKUP',
      isLabelFree: false,
      priority: 5,
      excluded: BULKY,
      fees: [{ amounts: { SEK: '79', DKK: '59' } }],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'OWN_CARRIER',
      serviceType: 'do-it-yourself',
      service: 'CUSTOMER_SHIPS',
      isLabelFree: false,
      priority: 9,
      excluded: [{ categories: ['Furniture'] }],
      fees: [{ amounts: FREE }],
      refundMode: 'POST_VALIDATION',
    },
  ],
}
