import type { CountryCode } from './countries.ts'

/** `[service type, message, carrier, carrier service, tracking code pattern, fee in minor units of the base currency]`. */
export type ServiceSeed = readonly [
  type: 'drop-off' | 'pick-up' | 'direct' | 'do-it-yourself' | 'drop-off-store',
  message: string,
  carrierCode: string,
  carrierServiceCode: string,
  trackingCode: string,
  fee: number,
]

/** `[name, vendor, price in minor units of the base currency, variants]`. */
export type ProductSeed = readonly [name: string, vendor: string, price: number, variants: readonly string[]]

export interface WarehouseSeed {
  fullName: string
  email: string
  phone: string
  address: {
    line1: string
    line2?: string
    city: string
    postalCode: string
    region?: string
    countryCode: string
  }
}

export interface MerchantSeed {
  code: string
  /** Part of client references (spec §2.4). */
  shortCode: string
  name: string
  currency: string
  /** By share of its customers, the largest first. */
  markets: readonly CountryCode[]
  orderPrefix: string
  /** GS1 prefix of its barcodes. */
  barcodePrefix: string
  warehouses: readonly WarehouseSeed[]
  services: readonly ServiceSeed[]
  products: readonly ProductSeed[]
}

const SIZES = ['XS', 'S', 'M', 'L', 'XL']
const SHOES = ['37', '38', '39', '40', '41', '42']

/** The first merchants have most of the returns. */
export const MERCHANTS: readonly MerchantSeed[] = [
  {
    code: 'LUMBRE-ES',
    shortCode: 'LUM',
    name: 'Lumbre Moda',
    currency: 'EUR',
    markets: ['ES', 'ES', 'ES', 'PT', 'FR', 'IT', 'GB', 'PL'],
    orderPrefix: 'LU',
    barcodePrefix: '8437',
    warehouses: [
      {
        fullName: 'Lumbre Moda – Devoluciones',
        email: 'devoluciones@lumbre.example.com',
        phone: '+34916000100',
        address: {
          line1: 'Calle de la Industria, 14',
          line2: 'Nave 7',
          city: 'Getafe',
          postalCode: '28906',
          region: 'Madrid',
          countryCode: 'ES',
        },
      },
      {
        fullName: 'Lumbre Moda – Centro Zaragoza',
        email: 'plaza@lumbre.example.com',
        phone: '+34976000220',
        address: {
          line1: 'Calle Turiaso, 27',
          city: 'Zaragoza',
          postalCode: '50197',
          region: 'Zaragoza',
          countryCode: 'ES',
        },
      },
    ],
    services: [
      ['drop-off', 'Entrega en oficina de Correos', 'CORREOS', 'CORREOS_RETURN', 'PQ4E#############', 295],
      ['pick-up', 'Recogida a domicilio', 'SEUR', 'SEUR_PICKUP_24', '##############', 495],
      ['drop-off-store', 'Devolución en tienda', 'LUMBRE', 'STORE_DROPOFF', 'TDA-########', 0],
      ['direct', 'Entrega directa con mensajero', 'MRW', 'MRW_DIRECT', '02601A######', 395],
      ['do-it-yourself', 'Envío por tu cuenta', 'OTHER', 'CUSTOMER_SHIPS', 'RR#########ES', 0],
    ],
    products: [
      ['Vestido midi «Azahar»', 'Lumbre', 4995, SIZES],
      ['Americana de lino', 'Lumbre', 8990, SIZES],
      ['Pantalón culotte', 'Nieve & Sal', 3995, SIZES],
      ['Blusa bordada «Año Nuevo»', 'Nieve & Sal', 2999, SIZES],
      ['Jersey de cachemira', 'Lana Brava', 11900, SIZES],
      ['Sandalias de piel', 'Menorca Artesana', 6950, SHOES],
      ['Botines Chelsea', 'Menorca Artesana', 9995, SHOES],
      ['Cinturón trenzado', 'Lumbre', 1995, ['85', '95', '105']],
      ['Pañuelo de seda', 'Lumbre', 2450, ['Único']],
      ['Bolso «Señorío»', 'Cuero & Cía.', 12900, ['Camel', 'Negro']],
    ],
  },
  {
    code: 'HARROW-UK',
    shortCode: 'HRW',
    name: 'Harrow & Vale',
    currency: 'GBP',
    markets: ['GB', 'GB', 'GB', 'IE', 'FR', 'US'],
    orderPrefix: 'HV-',
    barcodePrefix: '5012',
    warehouses: [
      {
        fullName: 'Harrow & Vale Returns',
        email: 'returns@harrowvale.example.com',
        phone: '+441632960114',
        address: {
          line1: 'Unit 9, Magna Park',
          line2: 'Hunter Boulevard',
          city: 'Lutterworth',
          postalCode: 'LE17 4XN',
          region: 'Leicestershire',
          countryCode: 'GB',
        },
      },
    ],
    services: [
      ['drop-off', 'Drop off at a Post Office', 'ROYAL_MAIL', 'RM_TRACKED_RETURNS_48', 'QK#########GB', 0],
      ['pick-up', 'Courier collection from home', 'DPD_UK', 'DPD_COLLECT', '1550########', 399],
      ['drop-off-store', 'Return in store', 'HARROW', 'STORE_DROPOFF', 'STR#######', 0],
      ['direct', 'ParcelShop return', 'EVRI', 'EVRI_PARCELSHOP', 'H0##############', 250],
      ['do-it-yourself', 'Arrange your own postage', 'OTHER', 'CUSTOMER_SHIPS', 'RK#########GB', 0],
    ],
    products: [
      ['Waxed field jacket', 'Harrow & Vale', 18900, SIZES],
      ['Merino roll-neck', 'Harrow & Vale', 7900, SIZES],
      ['Oxford shirt', 'Vale Tailoring', 5500, SIZES],
      ['Corduroy trousers', 'Vale Tailoring', 6900, ['30R', '32R', '32L', '34R', '36R']],
      ['Brogue boots', 'Northampton Last', 21000, SHOES],
      ['Fair Isle beanie', 'Shetland Mill', 2800, ['One size']],
      ['Tweed flat cap', 'Shetland Mill', 4200, ['S/M', 'L/XL']],
      ['Rain mac', 'Harrow & Vale', 12500, SIZES],
      ['Quilted gilet', 'Harrow & Vale', 8900, SIZES],
    ],
  },
  {
    code: 'PINECREST-US',
    shortCode: 'PNC',
    name: 'Pinecrest Outfitters',
    currency: 'USD',
    markets: ['US', 'US', 'US', 'US', 'CA', 'MX'],
    orderPrefix: 'PC',
    barcodePrefix: '0850',
    warehouses: [
      {
        fullName: 'Pinecrest Outfitters Returns (Reno)',
        email: 'returns@pinecrest.example.com',
        phone: '+17755550142',
        address: {
          line1: '1200 Logistics Way',
          line2: 'Dock 14',
          city: 'Reno',
          postalCode: '89506',
          region: 'NV',
          countryCode: 'US',
        },
      },
      {
        fullName: 'Pinecrest Outfitters Returns (Columbus)',
        email: 'returns-east@pinecrest.example.com',
        phone: '+16145550177',
        address: {
          line1: '8800 Rickenbacker Parkway',
          city: 'Columbus',
          postalCode: '43217',
          region: 'OH',
          countryCode: 'US',
        },
      },
    ],
    services: [
      ['drop-off', 'Drop off at USPS', 'USPS', 'USPS_GROUND_RETURN', '9202############', 500],
      ['pick-up', 'UPS pickup', 'UPS', 'UPS_PICKUP', '1Z@@#@##########', 795],
      ['drop-off-store', 'Bring it to a store', 'PINECREST', 'STORE_DROPOFF', 'PNS-#######', 0],
      ['direct', 'FedEx Office, no box needed', 'FEDEX', 'FEDEX_EASY_RETURN', '7946########', 350],
      ['do-it-yourself', 'Ship it yourself', 'OTHER', 'CUSTOMER_SHIPS', '9405############', 0],
    ],
    products: [
      ['Ridgeline 2P tent', 'Pinecrest', 32900, ['Moss', 'Ember']],
      ['Down parka', 'Pinecrest', 27900, SIZES],
      ['Trail runner', 'Altamira', 13900, SHOES],
      ['Base layer top', 'Pinecrest', 5400, SIZES],
      ['Hiking socks, 3-pack', 'Darn Pine', 2900, ['S', 'M', 'L']],
      ['Insulated bottle 32 oz', 'Summit Steel', 4495, ['Slate', 'Glacier', 'Rust']],
      ['Climbing shorts', 'Altamira', 6500, SIZES],
      ['Headlamp 400', 'Lumenworks', 4999, ['Black']],
      ['Rain shell', 'Pinecrest', 18900, SIZES],
    ],
  },
  {
    code: 'SORA-JP',
    shortCode: 'SRA',
    name: '空色ストア',
    currency: 'JPY',
    markets: ['JP', 'JP', 'JP', 'JP', 'KR', 'US'],
    orderPrefix: 'SR',
    barcodePrefix: '4589',
    warehouses: [
      {
        fullName: '空色ストア 返品センター',
        email: 'henpin@sora.example.com',
        phone: '+81335550190',
        address: {
          line1: '東雲2丁目7-1',
          line2: 'B棟3階',
          city: '江東区',
          postalCode: '135-0062',
          region: '東京都',
          countryCode: 'JP',
        },
      },
    ],
    services: [
      ['drop-off', 'コンビニから発送', 'YAMATO', 'YAMATO_KONBINI', '################', 500],
      ['pick-up', 'ご自宅で集荷', 'SAGAWA', 'SAGAWA_PICKUP', '############', 800],
      ['drop-off-store', '店舗で返品', 'SORA', 'STORE_DROPOFF', 'TEN########', 0],
      ['direct', '宅配ボックス', 'JP_POST', 'JPPOST_YUPACK', '############', 650],
      ['do-it-yourself', 'ご自身で発送', 'OTHER', 'CUSTOMER_SHIPS', 'EN#########JP', 0],
    ],
    products: [
      ['藍染めシャツ', '空色', 8800, SIZES],
      ['リネンワンピース', '空色', 12800, SIZES],
      ['和紙デニム', '備前工房', 19800, ['28', '30', '32', '34']],
      ['帆布トートバッグ', '備前工房', 6600, ['生成り', '墨']],
      ['レザースニーカー', '空色', 16500, SHOES],
      ['カシミヤマフラー', '雪国ニット', 14300, ['グレー', 'ネイビー']],
      ['足袋ソックス', '雪国ニット', 1650, ['S', 'M', 'L']],
    ],
  },
  {
    code: 'FJORD-SE',
    shortCode: 'FJO',
    name: 'Fjord & Skog',
    currency: 'SEK',
    markets: ['SE', 'SE', 'SE', 'NO', 'DK', 'FI', 'DE'],
    orderPrefix: 'FS',
    barcodePrefix: '7350',
    warehouses: [
      {
        fullName: 'Fjord & Skog Retur',
        email: 'retur@fjordskog.example.com',
        phone: '+46317401633',
        address: {
          line1: 'Exportgatan 40',
          city: 'Göteborg',
          postalCode: '422 46',
          region: 'Västra Götaland',
          countryCode: 'SE',
        },
      },
    ],
    services: [
      ['drop-off', 'Lämna hos ombud', 'POSTNORD', 'POSTNORD_RETURN', '0037073######', 3900],
      ['pick-up', 'Hämtning hemma', 'DHL_SE', 'DHL_HOME_PICKUP', '3735########', 7900],
      ['drop-off-store', 'Lämna i butik', 'FJORD', 'STORE_DROPOFF', 'BUT-#######', 0],
      ['direct', 'Instabox', 'INSTABOX', 'INSTABOX_RETURN', 'IB##########', 2900],
      ['do-it-yourself', 'Skicka själv', 'OTHER', 'CUSTOMER_SHIPS', 'RS#########SE', 0],
    ],
    products: [
      ['Skaljacka «Härjedalen»', 'Fjord & Skog', 229900, SIZES],
      ['Ullunderställ', 'Ullfrotté AB', 89900, SIZES],
      ['Vandringskängor', 'Kebne', 199900, SHOES],
      ['Termos 0,75 l', 'Skog', 34900, ['Grön', 'Blå']],
      ['Fleecetröja', 'Fjord & Skog', 79900, SIZES],
      ['Mössa «Åre»', 'Kebne', 29900, ['One size']],
      ['Ryggsäck 28 l', 'Fjord & Skog', 119900, ['Svart', 'Lingon']],
    ],
  },
]

/** Millionths of a euro for one unit: constant, so that base amounts can be checked by hand. */
export const EURO_PPM: Readonly<Record<string, number>> = {
  EUR: 1_000_000,
  GBP: 1_170_000,
  USD: 920_000,
  CAD: 680_000,
  MXN: 51_000,
  JPY: 6_100,
  KRW: 680,
  SEK: 88_000,
  NOK: 86_000,
  DKK: 134_000,
  PLN: 232_000,
}

export const RETURN_REASONS = [
  { code: 'SIZE_SMALL', reason: 'Too small' },
  { code: 'SIZE_LARGE', reason: 'Too large' },
  { code: 'NOT_AS_DESCRIBED', reason: 'Not as described' },
  { code: 'CHANGED_MIND', reason: 'Changed my mind' },
  { code: 'DAMAGED', reason: 'Arrived damaged' },
  { code: 'DEFECTIVE', reason: 'Defective' },
  { code: 'WRONG_ITEM', reason: 'Wrong item received' },
  { code: 'LATE', reason: 'Arrived too late' },
] as const
