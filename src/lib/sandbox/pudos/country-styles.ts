import type { CountryCode } from '../demo/countries.ts'

interface CountryStyle {
  /** Pattern (`#` digit, `@` letter); an area's prefix replaces its beginning. */
  postalCode: string
  /** Streets of any town. */
  streets: readonly string[]
  /** A street address of `{street}` and the house number `{n}`. */
  line1: string
  /** Shops that take parcels; `{family}` is the owner. */
  shops: readonly string[]
  /** Shops close at midday. */
  hasMiddayBreak?: true
  /** Convenience stores that never close. */
  isAllNight?: true
}

/** Countries with drop-off points. */
export const COUNTRY_STYLES: Readonly<Record<CountryCode, CountryStyle>> = {
  ES: {
    postalCode: '#####',
    streets: [
      'Calle Mayor',
      'Calle Real',
      'Avenida de la Constitución',
      'Calle del Sol',
      'Plaza de España',
      'Calle Nueva',
      'Paseo de la Estación',
    ],
    line1: '{street}, {n}',
    shops: [
      'Estanco {family}',
      'Papelería {family}',
      'Kiosco {street}',
      'Librería {family}',
      'Copistería {family}',
    ],
    hasMiddayBreak: true,
  },
  PT: {
    postalCode: '####-###',
    streets: [
      'Rua Direita',
      'Rua da Igreja',
      'Avenida 25 de Abril',
      'Rua do Comércio',
      'Largo da República',
      'Rua Nova',
    ],
    line1: '{street}, {n}',
    shops: ['Papelaria {family}', 'Tabacaria {family}', 'Quiosque {street}', 'Livraria {family}'],
    hasMiddayBreak: true,
  },
  FR: {
    postalCode: '#####',
    streets: [
      'rue de l’Église',
      'Grande Rue',
      'place de la Mairie',
      'rue Victor-Hugo',
      'avenue de la Gare',
      'rue du Moulin',
      'rue Pasteur',
    ],
    line1: '{n} {street}',
    shops: [
      'Tabac {family}',
      'Presse {family}',
      'Épicerie {family}',
      'Fleurs {family}',
      'Cordonnerie {family}',
    ],
    hasMiddayBreak: true,
  },
  IT: {
    postalCode: '#####',
    streets: [
      'Via Roma',
      'Via Garibaldi',
      'Corso Italia',
      'Via Mazzini',
      'Piazza della Repubblica',
      'Via Dante',
    ],
    line1: '{street} {n}',
    shops: ['Tabaccheria {family}', 'Edicola {family}', 'Cartoleria {family}', 'Bar {family}'],
    hasMiddayBreak: true,
  },
  DE: {
    postalCode: '#####',
    streets: [
      'Hauptstraße',
      'Bahnhofstraße',
      'Dorfstraße',
      'Schulstraße',
      'Gartenstraße',
      'Am Markt',
      'Lindenstraße',
    ],
    line1: '{street} {n}',
    shops: [
      'Kiosk {family}',
      'Schreibwaren {family}',
      'Reinigung {family}',
      'Lotto {family}',
      'Blumen {family}',
    ],
  },
  GB: {
    postalCode: '',
    streets: [
      'High Street',
      'Station Road',
      'Church Lane',
      'Victoria Road',
      'Market Place',
      'Mill Lane',
      'London Road',
    ],
    line1: '{n} {street}',
    shops: [
      '{family} News',
      '{family} Convenience',
      '{family} Off Licence',
      '{family} & Sons',
      'The Corner Shop, {street}',
    ],
  },
  IE: {
    postalCode: '',
    streets: ['Main Street', 'Church Street', 'Patrick Street', 'O’Connell Street', 'Castle Street'],
    line1: '{n} {street}',
    shops: ['{family} Newsagents', '{family} Centra', '{family} Pharmacy', '{family} Stores'],
  },
  US: {
    postalCode: '#####',
    streets: [
      'Main Street',
      'Oak Street',
      'Park Avenue',
      'Washington Street',
      'Maple Avenue',
      'Lake Road',
      '2nd Street',
    ],
    line1: '{n} {street}',
    shops: ['{family} Pack & Ship', '{family} Pharmacy', '{family} Market', 'Mail Depot {street}'],
  },
  CA: {
    postalCode: '@#@ #@#',
    streets: ['Main Street', 'King Street', 'Queen Street', 'rue Principale', 'Maple Avenue', 'Elm Street'],
    line1: '{n} {street}',
    shops: ['{family} Pharmacy', 'Dépanneur {family}', '{family} Convenience', '{family} Stationery'],
  },
  MX: {
    postalCode: '#####',
    streets: [
      'Calle Hidalgo',
      'Avenida Juárez',
      'Calle Morelos',
      'Avenida Benito Juárez',
      'Calle 16 de Septiembre',
      'Calle Zaragoza',
    ],
    line1: '{street} {n}',
    shops: ['Papelería {family}', 'Abarrotes {family}', 'Farmacia {family}', 'Miscelánea {family}'],
  },
  JP: {
    postalCode: '###-####',
    streets: ['本町', '中央', '栄町', '駅前', '緑町', '元町'],
    line1: '{street}{n}-3',
    shops: ['コンビニ {street}店', 'マート {street}店', '{family} 商店', 'ドラッグ {street}店'],
    isAllNight: true,
  },
  KR: {
    postalCode: '#####',
    streets: ['중앙로', '시장길', '역전로', '학교길', '번영로'],
    line1: '{street} {n}',
    shops: ['편의점 {street}점', '{family} 마트', '{family} 문구'],
    isAllNight: true,
  },
  SE: {
    postalCode: '### ##',
    streets: ['Storgatan', 'Kyrkogatan', 'Järnvägsgatan', 'Drottninggatan', 'Skolgatan', 'Torget'],
    line1: '{street} {n}',
    shops: ['{family} Livs', '{family} Tobak', 'Närbutiken {street}', '{family} Spel & Tobak'],
  },
  NO: {
    postalCode: '####',
    streets: ['Storgata', 'Kirkegata', 'Strandgata', 'Jernbanegata', 'Skoleveien'],
    line1: '{street} {n}',
    shops: ['{family} Dagligvarer', '{family} Kiosk', 'Nærbutikken {street}'],
  },
  DK: {
    postalCode: '####',
    streets: ['Hovedgaden', 'Algade', 'Kirkegade', 'Nørregade', 'Stationsvej', 'Torvet'],
    line1: '{street} {n}',
    shops: ['{family} Kiosk', '{family} Købmand', 'Nærbutikken {street}'],
  },
  FI: {
    postalCode: '#####',
    streets: ['Kauppakatu', 'Asemakatu', 'Kirkkokatu', 'Koulukatu', 'Rantatie'],
    line1: '{street} {n}',
    shops: ['{family} Kioski', 'Lähikauppa {street}', '{family} Paperikauppa'],
  },
  PL: {
    postalCode: '##-###',
    streets: ['ul. Główna', 'ul. Szkolna', 'ul. Ogrodowa', 'ul. Kościuszki', 'ul. Lipowa', 'Rynek'],
    line1: '{street} {n}',
    shops: ['Sklep {family}', 'Kiosk {street}', 'Delikatesy {family}', 'Kwiaciarnia {family}'],
  },
}

export function postalPattern(country: CountryCode, prefix: string): string {
  if (country === 'GB') return `${prefix}# #@@`
  if (country === 'IE') return `${prefix} X###`
  return prefix + COUNTRY_STYLES[country].postalCode.slice(prefix.length)
}
