import { expect, it } from 'vitest'
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
])('statusInWords does not take a plan or an intermediate step for an end: %s', (text) => {
  expect(statusInWords(text)).toBeUndefined()
})

it.each([
  ['Not handed in', 'REQUESTED'],
  ['Returned to sender', 'SHIPPING_FAILED'],
  ['Pickup completed', 'PICK_UP_COMPLETED'],
  ['Collection complete', 'PICK_UP_COMPLETED'],
  ['Customs clearance completed', 'SHIPPING_IN_PROGRESS'],
  ['Wordt bezorgd', 'SHIPPING_IN_PROGRESS'],
  ['Completed', 'SHIPPING_COMPLETED'],
  ['Delivery completed', 'SHIPPING_COMPLETED'],
  ['Delivered, PO Box', 'SHIPPING_COMPLETED'],
  ['Die Sendung wurde zugestellt', 'SHIPPING_COMPLETED'],
  ['La spedizione è stata consegnata', 'SHIPPING_COMPLETED'],
  ['A été livrée', 'SHIPPING_COMPLETED'],
])('statusInWords reads %s as %s', (text, status) => {
  expect(statusInWords(text)).toBe(status)
})
