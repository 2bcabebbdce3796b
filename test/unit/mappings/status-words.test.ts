import { expect, it } from 'vitest'
import carriers from '../../../src/lib/mappings/carriers.json'
import { applyMapping } from '../../../src/lib/mappings/mapping.ts'
import { readyMade } from '../../../src/lib/mappings/ready-made.ts'
import { statusInWords } from '../../../src/lib/mappings/status-words.ts'

it.each([
  'Will be delivered tomorrow',
  'To be delivered',
  'Being delivered',
  'Wird morgen zugestellt',
  'Soll zugestellt werden',
  'Sera livré demain',
  'N’a pas pu être livré',
  'Será entregado mañana',
  'No pudo ser entregado',
  'Sarà consegnato domani',
  'Zal worden bezorgd',
  'Wordt vandaag geleverd',
  'Will be picked up',
  'Partially delivered',
  'Delivered to carrier',
  'Remis au transporteur',
  'Sorting completed',
  'Not delivered',
  'Nicht geliefert',
  'Nog niet afgeleverd',
  'Non remis',
  'No se ha entregado',
  'Not picked up',
  'Nicht abgeholt',
  'Abgeholt',
  'Collected',
  'Recogido',
  'Ritirato',
  'Not cancelled',
  'Niet verzonden',
  'Delivered to sender',
  'Zugestellt an Absender',
  'Livré à l’expéditeur',
  'Est. delivered 2026-11-29',
  'Delivery to locker. Picked up by customer',
  'Deposited at access point, picked up by receiver',
  'Zustellung an Paketshop, eingeliefert',
  'collect '.repeat(40_000),
])('statusInWords does not take a plan or an intermediate step for an end: %.60s', (text) => {
  expect(statusInWords(text)).toBeUndefined()
})

it.each([
  ['Not handed in', 'REQUESTED'],
  ['Returned to sender', 'SHIPPING_FAILED'],
  ['Lost in transit', 'SHIPPING_FAILED'],
  ['Undeliverable', 'SHIPPING_FAILED'],
  ['Shipment cancelled', 'SHIPPING_CANCELLED'],
  ['Abholung storniert', 'PICK_UP_CANCELLED'],
  ['Pickup completed', 'PICK_UP_COMPLETED'],
  ['Collection complete', 'PICK_UP_COMPLETED'],
  ['Customs clearance completed', 'SHIPPING_IN_PROGRESS'],
  ['Wordt bezorgd', 'SHIPPING_IN_PROGRESS'],
  ['Completed', 'SHIPPING_COMPLETED'],
  ['Delivery completed', 'SHIPPING_COMPLETED'],
  ['Delivered, PO Box', 'SHIPPING_COMPLETED'],
  ['Die Sendung wurde zugestellt', 'SHIPPING_COMPLETED'],
  ['Zugestellt am 12.11.2026, 14:30 Uhr', 'SHIPPING_COMPLETED'],
  ['O seu envio foi entregue', 'SHIPPING_COMPLETED'],
  ['Het pakje werd geleverd', 'SHIPPING_COMPLETED'],
  ['La spedizione è stata consegnata', 'SHIPPING_COMPLETED'],
  ['A été livrée', 'SHIPPING_COMPLETED'],
])('statusInWords reads %s as %s', (text, status) => {
  expect(statusInWords(text)).toBe(status)
})

const NOT_TO_THE_SHOP = {
  'to the sender': [
    'Delivered to origin',
    'Delivered to consignor',
    'Delivered to original sender',
    'Delivered, returned to origin',
    'Returned and delivered',
    'Return delivered',
    'RTO Delivered',
    'An Absender zugestellt',
    'Dem Absender zugestellt',
    'Rücksendung an Absender zugestellt',
    'An Absender zurück zugestellt',
    'Zurück an Absender zugestellt',
    'Retour à l’expéditeur livré',
    'Livré à l’expéditeur',
    'Devolución al remitente entregada',
    'Devuelto al remitente, entregado',
    'Restituito al mittente consegnato',
    'Consegnato al mittente',
    'Afgeleverd bij de afzender',
    'Retour afzender bezorgd',
    'Entregue ao remetente',
    'Devolvido e entregue',
  ],
  'to a shop, a locker or a neighbour': [
    'Delivered to PUDO',
    'Delivered at post office',
    'Delivered, to agent',
    'Delivered, neighbor as requested',
    'Parcel shop delivered',
    'Locker delivered',
    'Beim Nachbarn zugestellt',
    'Zugestellt: Wunschnachbar',
    'In Filiale zugestellt',
    'Im Paketshop zugestellt',
    'An Packstation zugestellt',
    'Zugestellt an Packstation',
    'Au point relais livré',
    'Livré chez un voisin',
    'Remis en point de retrait',
    'En oficina entregado',
    'Entregado a un vecino',
    'Al vicino consegnato',
    'Consegnato in un punto di ritiro',
    'Bij buren bezorgd',
    'Afgeleverd bij een servicepunt',
    'Entregue no ponto de recolha',
    'Entregue ao vizinho',
  ],
  'no delivery of the parcel': [
    'Data delivered',
    'Shipment information delivered',
    'Label delivered',
    'Order delivered',
    'Delivered by customer',
    'Delivered 1/3',
    'Delivered damaged',
    'An DHL ausgeliefert',
    'Livré au transporteur',
    'Remis',
    'Entregado a la agencia',
    'Dati consegnati, etichetta consegnata',
    'Geleverd aan depot',
    'Entregue à transportadora',
  ],
} as const

it.each(Object.entries(NOT_TO_THE_SHOP))('words for a delivery %s get no status', (_what, texts) => {
  const maps = ['dhl', 'aftership'].map((name) => applyMapping({ statuses: {}, ...readyMade(name) }))
  for (const text of texts) {
    expect(statusInWords(text), text).toBeUndefined()
    for (const { status } of maps) expect(status(text)).toBe(text)
  }
})

it.each([
  'Delivered',
  'Delivered to consignee',
  'Delivered to the recipient',
  'Delivered, Front Door/Porch',
  'Delivered, Mail Room',
  'Delivered to mailroom',
  'Delivered and signed',
  'Your parcel has been delivered.',
  'Delivered on 18.11.2026 at 09:30',
  'Delivered 2026-11-18 9:30',
  'Zugestellt',
  'Die Sendung wurde erfolgreich zugestellt',
  'Dem Empfänger zugestellt',
  'Zugestellt an Empfänger',
  'Livré',
  'Votre colis a été livré',
  'Colis remis au destinataire',
  'Distribué dans la boîte aux lettres',
  'Entregado',
  'El envío ha sido entregado al destinatario',
  'Entregada en domicilio',
  'Consegnato',
  'Il pacco è stato consegnato al destinatario',
  'Bezorgd',
  'Pakket is afgeleverd',
  'Bezorgd in de brievenbus',
  'Entregue',
  'Objeto entregue ao destinatário',
])('statusInWords takes a plain delivery for one: %s', (text) => {
  expect(statusInWords(text)).toBe('SHIPPING_COMPLETED')
})

const WITHOUT_STATUS = {
  'of doubt': ['Delivered?', 'Delivered ✗', 'Delivered ❌', 'Zugestellt??', '¿Entregado?', 'In transit?'],
  'for a parcel at a pick-up shop': [
    'Parcel arrived at the shop, ready to collect',
    'Never arrived at the shop',
    'Returned parcel arrived at the shop where you dropped it',
  ],
  'for a parcel that nobody handed in': [
    'Awaiting drop-off',
    'Ready for drop-off',
    'Drop-off deadline passed',
    'Drop off your parcel',
    'Unshipped',
    'Undispatched',
    'Never shipped',
    "Hasn't shipped",
    'Ready for transport',
    'Transport booked',
    'Transportauftrag erteilt',
    'Wartet auf Transport',
    'Order accepted',
    'Return accepted',
    'Order shipped',
    'Awaiting acceptance',
    'Scheduled for delivery',
    'En cours de préparation chez l’expéditeur',
    'En cours de traitement',
    'Prêt à expédier',
    'Preadmitido',
    'Label verzonden',
    'Etikett versandt',
    'Aviso enviado al cliente',
    'En camino a recoger',
    'Courier on its way to collect',
    'Driver dispatched',
    'SMS enviado',
    'Replacement shipped',
    'On its way to the customer',
    'Picked up by customer',
    'Attempted pick-up',
    'Rispedito',
  ],
  'for a failure that may not be the last': [
    'Delivery failed',
    'Failed to deliver',
    'Zustellung fehlgeschlagen',
    'Échec de livraison',
    'Entrega fallida',
    'Payment failed',
    'Delivery appointment cancelled',
    'Order cancelled',
    'Pickup attempt failed',
    'Pickup failed',
    'Failed',
    'Damaged',
    'Refund rejected',
    'Return rejected',
    'Label voided',
    'Pickup cancelled and rescheduled',
    'Return to sender requested',
    'Zustellung verweigert',
  ],
} as const

it.each(Object.entries(WITHOUT_STATUS))('words %s get no status', (_what, texts) => {
  const { status } = applyMapping({ statuses: {}, ...readyMade('ups') })
  for (const text of texts) expect([text, status(text)]).toEqual([text, text])
})

it.each([
  'Parcel in transit to hub',
  'On its way',
  'In Zustellung',
  'Sendung ist unterwegs',
  'Im Transport',
  'En cours d’acheminement',
  'En camino',
  'In viaggio',
  'Onderweg',
  'Em trânsito',
  'Departed from hub',
  'Arrived at Delivery Office',
  'Sorted',
  'Accepted at USPS Origin Facility',
  'Dropped off at ParcelShop',
  'Shipped',
  'Zollabfertigung',
  'Eingeliefert',
  'Colis pris en charge',
  'Expédiée',
  'Admitido',
  'Spedito',
  'Gesorteerd',
  'Delivery attempt failed',
])('statusInWords takes a step under way for one: %s', (text) => {
  expect(statusInWords(text)).toBe('SHIPPING_IN_PROGRESS')
})

it('each ready-made word for a delivery stays one', () => {
  for (const [name, { words }] of Object.entries(carriers)) {
    const { status } = applyMapping({ statuses: {}, ...readyMade(name) })
    for (const { statuses } of words) {
      const { SHIPPING_COMPLETED: completed = [] }: Partial<Record<string, string[]>> = statuses
      for (const word of completed) expect(status(word), word).toBe('SHIPPING_COMPLETED')
    }
  }
})
