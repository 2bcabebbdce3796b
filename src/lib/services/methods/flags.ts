import { Flags } from '@oclif/core'

export const methodsRequestFlags = {
  from: Flags.string({ helpValue: 'FILE', summary: 'The whole request as JSON; - for standard input' }),
  for: Flags.string({ helpValue: 'RETURN', summary: 'Return to calculate for, by id or name' }),
  item: Flags.string({
    helpValue: 'SKU[:QTY]',
    multiple: true,
    summary: 'Item to send back; can be repeated',
  }),
  currency: Flags.string({ helpValue: 'CODE', summary: 'Currency of the order' }),
  country: Flags.string({ helpValue: 'CODE', summary: 'Country that it is sent from' }),
  'postal-code': Flags.string({ helpValue: 'CODE', summary: 'Postal code there' }),
  city: Flags.string({ helpValue: 'NAME', summary: 'Town there' }),
  reason: Flags.string({ helpValue: 'CODE', summary: 'Why the items come back' }),
  vendor: Flags.string({ helpValue: 'NAME', summary: 'Vendor of the items' }),
  order: Flags.string({ helpValue: 'ID', summary: 'Order that the items are from' }),
  tier: Flags.string({ helpValue: 'NAME', summary: "Customer's tier; also with --for" }),
  'client-id': Flags.string({
    helpValue: 'ID',
    summary: 'Customer, with --for where the return names none',
  }),
  category: Flags.string({
    helpValue: 'NAME',
    summary: 'Category of the items; also with --for',
  }),
  tag: Flags.string({
    helpValue: 'TAG',
    multiple: true,
    summary: 'Tag of the items; also with --for, can be repeated',
  }),
  'total-paid': Flags.string({
    helpValue: 'AMOUNT',
    summary: 'What the order cost; also with --for',
  }),
  'total-spent': Flags.string({
    helpValue: 'AMOUNT',
    summary: 'What the customer spent in all; also with --for',
  }),
  'delivered-at': Flags.string({
    helpValue: 'DATE',
    summary: 'Day of the delivery, YYYY-MM-DD; also with --for',
    dependsOn: ['fulfillment-center'],
  }),
  'fulfillment-center': Flags.string({
    helpValue: 'CODE',
    summary: 'Where the order was sent from; also with --for',
  }),
}
