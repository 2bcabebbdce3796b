// Any number of random returns, each derived from its number alone, over 400 days. Few names are common and most are
// rare; traits and reasons occur in all combinations. Documents are small to fit a million on a disk.

const [MINUTE_MS, DAY_MS] = [60_000, 86_400_000]
/** Midnight, because whether a return is stuck depends on the time of day. */
const NEWEST_MS = Math.floor(Date.now() / DAY_MS) * DAY_MS
const SYNCED_AT = new Date(NEWEST_MS).toISOString()
const DAYS = 400
/** Age in days after which most returns are finished. */
const OPEN_DAYS = 30
const FIRST_ID = 5_000_000

const words = (text) => text.split(' ')
const FIRST_NAMES = words(
  'María Carmen Ana Laura Marta Lucía Paula Antonio José Manuel Javier David Carlos Pablo Elena Cristina Sara Andrea Raquel Nuria Sofía Julia Alba Irene Rocío Sergio Jorge Alberto Álvaro Diego Marie Camille Léa Chloé Manon Thomas Nicolas Julien Pierre Antoine Giulia Chiara Francesca Martina Alessandro Marco Luca Matteo Anna Lena Sophie Hannah Lukas Felix Jonas Maximilian João Inês Beatriz Tiago Rita Søren Zoë Björn Agnieszka Łukasz Siobhán Oisín Françoise Ximena Iñaki Begoña Núria Jürgen Käthe Noël',
)
const SURNAMES = words(
  'García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Hernández Ruiz Díaz Moreno Muñoz Álvarez Romero Gutiérrez Alonso Navarro Torres Domínguez Ramos Vázquez Ramírez Gil Serrano Morales Molina Suárez Ortega Delgado Castro Ortiz Rubio Marín Sanz Iglesias Núñez Medina Garrido Cortés Castillo Santos Lozano Guerrero Cano Prieto Méndez Silva Santos Ferreira Pereira Oliveira Costa Rossi Russo Ferrari Esposito Bianchi Dubois Durand Leroy Moreau Lefèvre Müller Schmidt Schneider Fischer Weber Meyer',
)
const SYLLABLES = words(
  'ba ben bor ca cor da del don fa fer ga gar han her ib jo kal ko la lin ma mar mo nor ol or pe quin ra ro sa tor ul va vi zu',
)
const ENDINGS = words('ez es a o i er ini eau ski sson mann')
const DOMAINS = words(
  'gmail.com gmail.com gmail.com hotmail.com gmail.com hotmail.es yahoo.es outlook.com icloud.com yahoo.fr orange.fr libero.it gmx.de web.de sapo.pt live.com telefonica.net',
)
const SHOPS = words('LUMBRE-ES LUMBRE-FR LUMBRE-DE LUMBRE-IT HARBOUR-UK HARBOUR-ES NORTE-PT NORTE-ES')
const PLACES = [
  [
    'ES',
    '34',
    words('Madrid Barcelona Valencia Sevilla Zaragoza Málaga Murcia Palma Bilbao Lugo Cádiz León'),
  ],
  ['FR', '33', words('Paris Marseille Lyon Toulouse Nice Nantes Orléans Besançon')],
  ['DE', '49', words('Berlin Hamburg München Köln Düsseldorf Leipzig Lübeck')],
  ['IT', '39', words('Roma Milano Napoli Torino Palermo Forlì')],
  ['PT', '351', words('Lisboa Porto Braga Évora')],
  ['GB', '44', words('London Leeds Glasgow York')],
  ['BE', '32', words('Liège Gent Brugge')],
  ['NL', '31', words('Utrecht Delft')],
]
const CARRIERS = words('CORREOS SEUR MRW DPD DHL UPS GLS CHRONOPOST INPOST OTHER')
const SERVICES = words('drop-off pick-up do-it-yourself locker')
const OPEN = words('PENDING RECEPTION_IN_PROGRESS RECEPTION_COMPLETED RECEIVED CHECKED NEEDS_VALIDATION')
const OVER = words('CLOSED CLOSED CLOSED CLOSED CLOSED CLOSED EXPIRED DISCARDED')
const REASONS = words(
  'TOO_SMALL TOO_LARGE WRONG_ITEM DEFECTIVE NOT_AS_DESCRIBED LATE CHANGED_MIND QUALITY COLOUR DUPLICATE GIFT OTHER',
)
const COMMENTS = [
  ...[
    'Me queda pequeño',
    'La costura está rota',
    'Trop grand pour moi',
    'Nicht wie auf dem Bild',
    'Never worn',
  ],
  ...['Il colore è diverso', 'Arrived too late for the party', 'Llegó manchado', 'Tissu trop fin', ''],
]
const PRODUCTS = words(
  'Pantalón Vestido Camisa Sandalias Chaqueta Bolso Jersey Falda Abrigo Zapatillas Blusa Cinturón',
)
const COLOURS = words('negro blanco azul rojo verde crudo marrón gris rosa mostaza')

/** Returns a random generator (mulberry32) of numbers from 0 to below 1, determined by the seed. */
function random(seed) {
  let state = (seed + 1) * 0x9e37_79b1
  return () => {
    state = (state + 0x6d2b_79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

const pick = (list, draw) => list[Math.floor(draw() * list.length)]
/** Draws a rank by Zipf's law: the first is as frequent as the next two together. */
const rank = (most, draw) => Math.floor(most ** draw()) - 1

function surname(draw) {
  const at = rank(80_000, draw)
  if (at < SURNAMES.length) return SURNAMES[at]
  const part = (power) => SYLLABLES[Math.floor(at / SYLLABLES.length ** power) % SYLLABLES.length]
  const text = `${part(0)}${part(1)}${part(2)}${ENDINGS[at % ENDINGS.length]}`
  return text[0].toUpperCase() + text.slice(1)
}

function person(number) {
  const draw = random(-number - 2)
  const first = FIRST_NAMES[Math.min(rank(400, draw), 399) % FIRST_NAMES.length]
  const last = surname(draw)
  const [country, dialling, cities] = PLACES[Math.min(rank(12, draw), PLACES.length - 1)]
  const plain = (text) =>
    text
      .normalize('NFKD')
      .replace(/[^\x20-\x7e]/g, '')
      .toLowerCase()
  const [a, b] = [plain(first), plain(last)]
  const digits = Math.floor(draw() * 10 ** pick([1, 2, 2, 3, 4], draw))
  const local = pick(
    [
      `${a}.${b}`,
      `${a}${b}`,
      `${a}.${b}${digits}`,
      `${b}.${a}${digits}`,
      `${a[0]}${b}${digits}`,
      `${a}_${digits}`,
    ],
    draw,
  )
  return {
    fullName: draw() < 0.4 ? `${first} ${last} ${surname(draw)}` : `${first} ${last}`,
    email: `${local}@${pick(DOMAINS, draw)}`,
    phone: `+${dialling}${600_000_000 + Math.floor(draw() * 199_999_999)}`,
    address: {
      city: pick(cities, draw),
      postalCode: String(1000 + Math.floor(draw() * 98_999)).padStart(5, '0'),
      countryCode: country,
    },
  }
}

const dateText = (ms) => `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')}Z`

/** Returns the return of a number below `count`, with its transport and refunds, as `Mirror.apply` takes it. */
export function returnAt(index, count) {
  const draw = random(index)
  const id = String(FIRST_ID + index)
  const createdMs = NEWEST_MS - DAYS * DAY_MS + Math.floor(((index + draw()) / count) * DAYS * DAY_MS)
  const order = `${pick(['LU', 'HV', 'NT'], draw)}${2_000_000 + index}`
  const customer = person(index % 3 === 0 ? Math.floor(index / 2) : index)
  const isOver = createdMs < NEWEST_MS - OPEN_DAYS * DAY_MS && draw() < 0.98
  const [status, shopCode] = [pick(isOver ? OVER : OPEN, draw), pick(SHOPS, draw)]
  const carrier = CARRIERS[Math.min(rank(14, draw), CARRIERS.length - 1)]
  const service = pick(SERVICES, draw)
  const price = 5 + Math.floor(draw() * 20_000) / 100
  const lines = Array.from({ length: draw() < 0.75 ? 1 : 2 }, (_, line) => ({
    id: `${id}0${line}`,
    productName: `${pick(PRODUCTS, draw)} ${pick(COLOURS, draw)}`,
    sku: `LUM-${1000 + rank(3000, draw)}-0${Math.floor(draw() * 6)}`,
    price,
    returnAmount: price,
    currency: 'EUR',
    quantity: 1,
    returnReason: reasonOf(shopCode, draw),
    refundType: 'ORIGINAL_PAYMENT_METHOD',
    refundMode: 'POST_VALIDATION',
  }))
  const transport = {
    id: `${id}1`,
    createdAt: dateText(createdMs),
    status: draw() < 0.8 ? 'SHIPPING_COMPLETED' : 'SHIPPING_IN_PROGRESS',
    serviceType: service,
    carrierCode: carrier,
    carrierServiceCode: `${carrier}_${service}`,
    carrierReference: `PQ4E${10_000_000_000 + index * 97}`,
  }
  const total = Number((price * lines.length).toFixed(2))
  const record = {
    id,
    shopCode,
    name: `R#-${order}`,
    createdAt: dateText(createdMs),
    updatedAt: dateText(createdMs + Math.floor(draw() * 20 * DAY_MS)),
    status,
    totalReturnFee: 0,
    totalReturnAmount: total,
    totalRefund: total,
    currency: 'EUR',
    customer,
    ecommerceOrder: { id: String(70_000_000_000 + index), name: order },
    returnLineItems: lines,
    activeTransportation: transport,
  }
  const scans = { ...transport, trackingEvents: scansFrom(createdMs, transport.status, draw) }
  return {
    record,
    transportations: [scans],
    refunds: refundsOf(record, createdMs, draw),
    syncedAt: SYNCED_AT,
  }
}

/** Returns a reason as the shop words it. */
function reasonOf(shop, draw) {
  const code = pick(REASONS, draw)
  const reason = `${code.toLowerCase().replaceAll('_', ' ')} (${shop.slice(-2)})`
  return { code, reason, additionalInfo: pick(COMMENTS, draw) }
}

function scansFrom(createdMs, last, draw) {
  const handedInMs = createdMs + Math.floor(draw() * 6 * DAY_MS)
  const arrivedMs = handedInMs + DAY_MS + Math.floor(draw() ** 3 * 12 * DAY_MS)
  return [
    { status: 'PICK_UP_COMPLETED', date: dateText(handedInMs) },
    { status: last, date: dateText(arrivedMs - (arrivedMs % MINUTE_MS)) },
  ]
}

function refundsOf({ id, status, totalRefund, currency }, createdMs, draw) {
  if (status !== 'CLOSED' && status !== 'CHECKED') return []
  const executedMs = createdMs + 2 * DAY_MS + Math.floor(draw() ** 2 * 25 * DAY_MS)
  const isWrong = draw() < 0.001
  return [
    {
      id: `${id}9`,
      returnId: id,
      refundType: 'ORIGINAL_PAYMENT_METHOD',
      refundMode: 'POST_VALIDATION',
      status: 'EXECUTED',
      amount: isWrong ? 1 : totalRefund,
      currency,
      createdAt: dateText(executedMs),
      executedAt: dateText(executedMs),
    },
  ]
}
