/** A city, the form of its postal codes (`#` digit, `@` letter) and its region. */
export type City = readonly [name: string, postalCode: string, region?: string]

export interface Country {
  currency: string
  /** Tax contained in prices, per cent. */
  taxPercent: number
  /** E.164, `#` a digit. */
  phone: string
  given: readonly string[]
  family: readonly string[]
  /** `{n}` is the house number. */
  streets: readonly string[]
  line2?: readonly string[]
  cities: readonly City[]
  /** Remarks that customers write about an item. */
  remarks: readonly string[]
  /** The family name is written first; names are followed by their Latin form. */
  isFamilyFirst?: true
}

const ENGLISH_REMARKS = [
  'Too tight across the shoulders',
  'Colour looks different from the photos',
  'Ordered two sizes, keeping the other one',
]

/** Places and people of the demo data. Phones are from ranges kept for fiction where a country has one. */
export const COUNTRIES = {
  ES: {
    currency: 'EUR',
    taxPercent: 21,
    phone: '+346########',
    given: ['María', 'Lucía', 'José', 'Íñigo', 'Begoña', 'Álvaro', 'Carmen', 'Nuria', 'Sergio', 'Núria'],
    family: [
      'García Núñez',
      'Ibáñez',
      'Peña Ruiz',
      'Fernández',
      'Muñoz Sáez',
      'Etxeberria',
      'López Gil',
      'Puig',
    ],
    streets: [
      'Calle de Alcalá, {n}',
      'Carrer d’Aragó, {n}',
      'Avenida de la Constitución, {n}',
      'Paseo de la Castellana, {n}',
      'Calle Gran Vía, {n}',
    ],
    line2: ['2º B', 'Portal 3, 4º dcha.', 'Bajo'],
    cities: [
      ['Madrid', '280##', 'Madrid'],
      ['Barcelona', '080##', 'Barcelona'],
      ['Sevilla', '410##', 'Sevilla'],
      ['A Coruña', '150##', 'A Coruña'],
      ['Málaga', '290##', 'Málaga'],
    ],
    remarks: ['Me queda pequeño', 'El color no es como en la foto', 'Llegó con la costura rota'],
  },
  PT: {
    currency: 'EUR',
    taxPercent: 23,
    phone: '+3519########',
    given: ['João', 'Inês', 'Tomás', 'Conceição', 'Beatriz', 'Luís'],
    family: ['Gonçalves', 'Magalhães', 'Simões', 'Araújo', 'Ferreira da Silva'],
    streets: ['Rua Augusta, {n}', 'Avenida da Liberdade, {n}', 'Rua de Santa Catarina, {n}'],
    line2: ['3.º Esq.', 'R/C Dto.'],
    cities: [
      ['Lisboa', '1###-###', 'Lisboa'],
      ['Porto', '4###-###', 'Porto'],
      ['Évora', '7###-###', 'Évora'],
    ],
    remarks: ['Ficou largo', 'Não gostei do tecido'],
  },
  FR: {
    currency: 'EUR',
    taxPercent: 20,
    phone: '+336########',
    given: ['Chloé', 'Hélène', 'François', 'Anaïs', 'Loïc', 'Zoé'],
    family: ['Lefèvre', 'Béranger', 'D’Amboise', 'Moreau', 'Garçon'],
    streets: ['{n} rue de Rivoli', '{n} avenue Jean-Jaurès', '{n} quai des Chartrons'],
    line2: ['Bât. C, 3e étage', 'Apt 12'],
    cities: [
      ['Paris', '7501#', 'Île-de-France'],
      ['Lyon', '6900#', 'Auvergne-Rhône-Alpes'],
      ['Bordeaux', '33000', 'Nouvelle-Aquitaine'],
    ],
    remarks: ['Trop grand', 'La couleur ne me va pas'],
  },
  IT: {
    currency: 'EUR',
    taxPercent: 22,
    phone: '+393#########',
    given: ['Niccolò', 'Giulia', 'Chiara', 'Matteo', 'Noè'],
    family: ['D’Angelo', 'Rossi', 'Cannavò', 'Bianchi', 'Esposito'],
    streets: ['Via Garibaldi {n}', 'Corso Buenos Aires {n}', 'Via del Corso {n}'],
    cities: [
      ['Roma', '001##', 'RM'],
      ['Milano', '201##', 'MI'],
      ['Torino', '101##', 'TO'],
    ],
    remarks: ['Taglia sbagliata', 'È più scuro che in foto'],
  },
  DE: {
    currency: 'EUR',
    taxPercent: 19,
    phone: '+4915########',
    given: ['Jürgen', 'Käthe', 'Björn', 'Lena', 'Sören', 'Anneliese'],
    family: ['Müller', 'Weiß', 'Schröder', 'Krämer', 'von der Heide'],
    streets: ['Schönhauser Allee {n}', 'Königstraße {n}', 'Am Mühlenbach {n}'],
    line2: ['Hinterhaus, 2. OG'],
    cities: [
      ['Berlin', '10###', 'Berlin'],
      ['München', '80###', 'Bayern'],
      ['Köln', '50###', 'Nordrhein-Westfalen'],
    ],
    remarks: ['Fällt zu klein aus', 'Reißverschluss klemmt'],
  },
  GB: {
    currency: 'GBP',
    taxPercent: 20,
    phone: '+447700900###',
    given: ['Siân', 'Oliver', 'Zoë', 'Amelia', 'Rhys', 'Priya'],
    family: ['O’Connor', 'Fitzgerald', 'Wright-Jones', 'Patel', 'Llewellyn'],
    streets: ['{n} Station Road', '{n} Queen’s Gate Mews', 'Flat 4, {n} Albany Street'],
    cities: [
      ['London', 'SW# #@@', 'Greater London'],
      ['Manchester', 'M## #@@', 'Greater Manchester'],
      ['Edinburgh', 'EH# #@@', 'Scotland'],
      ['Cardiff', 'CF## #@@', 'Wales'],
    ],
    remarks: ENGLISH_REMARKS,
  },
  IE: {
    currency: 'EUR',
    taxPercent: 23,
    phone: '+35385#######',
    given: ['Seán', 'Aoife', 'Niamh', 'Pádraig'],
    family: ['Ó Briain', 'Murphy', 'Ní Dhomhnaill', 'Byrne'],
    streets: ['{n} Dame Street', '{n} Eyre Square'],
    cities: [
      ['Dublin', 'D0# X###', 'Leinster'],
      ['Galway', 'H91 F###', 'Connacht'],
    ],
    remarks: ENGLISH_REMARKS,
  },
  US: {
    currency: 'USD',
    taxPercent: 8,
    phone: '+121255501##',
    given: ['Ethan', 'Renée', 'Jamal', 'Guadalupe', 'Harper', 'Beyoncé'],
    family: ['Johnson', 'Nguyen', 'O’Malley', 'Martínez', 'Smith-Lee'],
    streets: ['{n} Maple Avenue', '{n} W 42nd Street', '{n} Elm Street'],
    line2: ['Apt 5C', 'Suite 210'],
    cities: [
      ['New York', '100##', 'NY'],
      ['Los Angeles', '900##', 'CA'],
      ['Austin', '787##', 'TX'],
      ['Boston', '021##', 'MA'],
    ],
    remarks: ENGLISH_REMARKS,
  },
  CA: {
    currency: 'CAD',
    taxPercent: 13,
    phone: '+161355501##',
    given: ['Élodie', 'Liam', 'Noémie', 'Owen'],
    family: ['Tremblay', 'Côté', 'MacDonald', 'Singh'],
    streets: ['{n} Bloor Street W', '{n} rue Sainte-Catherine O'],
    cities: [
      ['Toronto', 'M5V #@#', 'ON'],
      ['Montréal', 'H2X #@#', 'QC'],
      ['Vancouver', 'V6B #@#', 'BC'],
    ],
    remarks: ENGLISH_REMARKS,
  },
  MX: {
    currency: 'MXN',
    taxPercent: 16,
    phone: '+5255########',
    given: ['Ximena', 'Raúl', 'Itzel', 'Andrés'],
    family: ['Hernández', 'Cuauhtémoc', 'Domínguez', 'Ordóñez'],
    streets: ['Av. Insurgentes Sur {n}', 'Calle 5 de Mayo {n}'],
    line2: ['Col. Roma Norte'],
    cities: [
      ['Ciudad de México', '067##', 'CDMX'],
      ['Mérida', '970##', 'YUC'],
    ],
    remarks: ['No me quedó', 'Cambié de opinión'],
  },
  JP: {
    currency: 'JPY',
    taxPercent: 10,
    phone: '+8190########',
    given: ['陽葵 Himari', '蓮 Ren', '結衣 Yui', '健太 Kenta', '美咲 Misaki'],
    family: ['佐藤 Sato', '鈴木 Suzuki', '髙橋 Takahashi', '渡邊 Watanabe', '小林 Kobayashi'],
    streets: ['神宮前{n}丁目4-12', '梅田{n}-1-3', '栄{n}丁目15-33'],
    line2: ['グランドメゾン 502号'],
    cities: [
      ['渋谷区', '150-00##', '東京都'],
      ['大阪市北区', '530-00##', '大阪府'],
      ['名古屋市中区', '460-00##', '愛知県'],
    ],
    remarks: ['サイズが合いませんでした', '写真と色が違います'],
    isFamilyFirst: true,
  },
  KR: {
    currency: 'KRW',
    taxPercent: 10,
    phone: '+8210########',
    given: ['서연 Seoyeon', '민준 Minjun', '지우 Jiwoo'],
    family: ['김 Kim', '이 Lee', '박 Park', '최 Choi'],
    streets: ['테헤란로 {n}', '해운대로 {n}'],
    cities: [
      ['서울특별시', '06###', '강남구'],
      ['부산광역시', '48###', '해운대구'],
    ],
    remarks: ['사이즈가 작아요', '색상이 사진과 달라요'],
    isFamilyFirst: true,
  },
  SE: {
    currency: 'SEK',
    taxPercent: 25,
    phone: '+467017406##',
    given: ['Åsa', 'Björn', 'Linnéa', 'Göran', 'Märta'],
    family: ['Sjöström', 'Åkesson', 'Lindqvist', 'Öberg'],
    streets: ['Drottninggatan {n}', 'Södra Vägen {n}', 'Åsögatan {n}'],
    line2: ['lgh 1203'],
    cities: [
      ['Stockholm', '11# ##', 'Stockholm'],
      ['Göteborg', '41# ##', 'Västra Götaland'],
      ['Malmö', '21# ##', 'Skåne'],
    ],
    remarks: ['För stor', 'Fel färg'],
  },
  NO: {
    currency: 'NOK',
    taxPercent: 25,
    phone: '+479#######',
    given: ['Øystein', 'Ingrid', 'Håkon', 'Solveig'],
    family: ['Bjørnstad', 'Nygård', 'Hansen', 'Sæther'],
    streets: ['Karl Johans gate {n}', 'Bryggen {n}'],
    cities: [
      ['Oslo', '01##', 'Oslo'],
      ['Bergen', '50##', 'Vestland'],
      ['Tromsø', '90##', 'Troms'],
    ],
    remarks: ['Passet ikke'],
  },
  DK: {
    currency: 'DKK',
    taxPercent: 25,
    phone: '+4520######',
    given: ['Søren', 'Freja', 'Jørgen', 'Mette'],
    family: ['Nørgaard', 'Jensen', 'Kjær', 'Østergaard'],
    streets: ['Strøget {n}', 'Nørrebrogade {n}, 2. th'],
    cities: [
      ['København', '21##', 'Hovedstaden'],
      ['Aarhus', '80##', 'Midtjylland'],
    ],
    remarks: ['For lille'],
  },
  FI: {
    currency: 'EUR',
    taxPercent: 24,
    phone: '+35840#######',
    given: ['Päivi', 'Väinö', 'Aino', 'Jäärni'],
    family: ['Mäkelä', 'Hämäläinen', 'Virtanen', 'Työläjärvi'],
    streets: ['Mannerheimintie {n}', 'Hämeenkatu {n} A 4'],
    cities: [
      ['Helsinki', '00##0', 'Uusimaa'],
      ['Tampere', '33##0', 'Pirkanmaa'],
    ],
    remarks: ['Liian pieni'],
  },
  PL: {
    currency: 'PLN',
    taxPercent: 23,
    phone: '+485########',
    given: ['Łukasz', 'Małgorzata', 'Wojciech', 'Żaneta', 'Paweł'],
    family: ['Wiśniewska', 'Kowalczyk', 'Zając', 'Dąbrowski', 'Żółkiewska'],
    streets: ['ul. Świętokrzyska {n}', 'ul. Długa {n}', 'al. Jerozolimskie {n}'],
    line2: ['m. 14'],
    cities: [
      ['Warszawa', '00-###', 'mazowieckie'],
      ['Kraków', '30-###', 'małopolskie'],
      ['Łódź', '90-###', 'łódzkie'],
    ],
    remarks: ['Za małe', 'Inny odcień niż na zdjęciu'],
  },
} as const satisfies Readonly<Record<string, Country>>

export type CountryCode = keyof typeof COUNTRIES
