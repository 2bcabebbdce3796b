import type { RuleFile } from '../rules.ts'
import { warehouses } from './locations.ts'

const OUR_FAULT = ['DAMAGED', 'DEFECTIVE', 'WRONG_ITEM', 'NOT_AS_DESCRIBED']
const BEST_TIERS = ['gold', 'platinum']

/** Fashion: many returns, cheap ways for everyone, free ones for good customers and big orders. */
export const LUMBRE_ES: RuleFile = {
  about: 'Fashion. Free for good customers, for big orders, and where the fault is ours.',
  window: { days: 30, items: [{ tags: ['outlet'], days: 14 }] },
  excluded: [{ tags: ['final-sale', 'hygiene-seal'] }, { categories: ['Underwear'] }],
  services: {
    CORREOS_RETURN: { name: 'Correos', countries: ['ES', 'PT', 'FR', 'IT', 'PL', 'GB'] },
    SEUR_PICKUP_24: {
      name: 'SEUR',
      countries: ['ES', 'PT'],
      // The Canaries, Ceuta and Melilla are outside of the customs union.
      exceptPostalCodes: { ES: ['35', '38', '51', '52'] },
    },
    STORE_DROPOFF: { name: 'Lumbre', countries: ['ES'] },
    MRW_DIRECT: { name: 'MRW', countries: ['ES'], exceptPostalCodes: { ES: ['35', '38', '51', '52'] } },
    CUSTOMER_SHIPS: { name: 'Own post', countries: ['ES', 'PT', 'FR', 'IT', 'PL', 'GB'] },
  },
  locations: warehouses('LUMBRE-ES', 'GETAFE', 'ZARAGOZA'),
  destination: [
    { vendors: ['Menorca Artesana', 'Cuero & Cía.'], to: 'ZARAGOZA' },
    { fulfillmentCenters: ['ZARAGOZA'], to: 'ZARAGOZA' },
    { to: 'GETAFE' },
  ],
  methods: [
    {
      code: 'STORE',
      serviceType: 'drop-off-store',
      service: 'STORE_DROPOFF',
      isLabelFree: true,
      priority: 1,
      fees: [{ amounts: { EUR: '0' } }],
      promotions: [{ promoType: 'DISCOUNT_COUPON_FIXED', amounts: { EUR: '5' } }],
      refundMode: 'DROP_OFF',
      refundModes: [{ tiers: BEST_TIERS, mode: 'INSTANT' }],
    },
    {
      code: 'POST_OFFICE',
      serviceType: 'drop-off',
      service: 'CORREOS_RETURN',
      isLabelFree: false,
      priority: 2,
      fees: [
        { reasons: OUR_FAULT, amounts: { EUR: '0', GBP: '0', PLN: '0' } },
        { countries: ['ES', 'PT'], tiers: BEST_TIERS, amounts: { EUR: '0' } },
        {
          countries: ['ES', 'PT'],
          by: 'totalPaid',
          amounts: {
            EUR: [
              { from: '0', fee: '2.95' },
              { from: '60', fee: '1.95' },
              { from: '120', fee: '0' },
            ],
          },
        },
        { tiers: BEST_TIERS, amounts: { EUR: '2.95', GBP: '2.50', PLN: '12' } },
        { amounts: { EUR: '5.95', GBP: '4.95', PLN: '24.90' } },
      ],
      promotions: [{ tiers: ['platinum'], promoType: 'PRIORITY_REFUND' }],
      refundMode: 'SHIPPING_COMPLETED',
      refundModes: [{ tiers: BEST_TIERS, mode: 'DROP_OFF' }],
    },
    {
      code: 'COURIER',
      serviceType: 'direct',
      service: 'MRW_DIRECT',
      isLabelFree: true,
      priority: 3,
      fees: [
        { tiers: BEST_TIERS, amounts: { EUR: '1.95' } },
        {
          by: 'totalAmountSpent',
          amounts: {
            EUR: [
              { from: '0', fee: '3.95' },
              { from: '500', fee: '2.95' },
            ],
          },
        },
      ],
      refundMode: 'SHIPPING_IN_PROGRESS',
    },
    {
      code: 'HOME_PICKUP',
      serviceType: 'pick-up',
      service: 'SEUR_PICKUP_24',
      isLabelFree: false,
      priority: 4,
      fees: [
        { tiers: ['platinum'], amounts: { EUR: '0' } },
        { tiers: ['gold'], amounts: { EUR: '2.95' } },
        { amounts: { EUR: '4.95' } },
      ],
      refundMode: 'SHIPPING_COMPLETED',
    },
    {
      code: 'SUPPORT_PICKUP',
      serviceType: 'pick-up',
      service: 'SEUR_PICKUP_24',
      isLabelFree: false,
      priority: 8,
      visible: false,
      window: { days: 90 },
      fees: [{ amounts: { EUR: '0' } }],
      refundMode: 'MANUAL',
    },
    {
      code: 'OWN_CARRIER',
      serviceType: 'do-it-yourself',
      service: 'CUSTOMER_SHIPS',
      isLabelFree: false,
      priority: 9,
      fees: [{ amounts: { EUR: '0', GBP: '0', PLN: '0' } }],
      refundMode: 'POST_VALIDATION',
    },
  ],
}
