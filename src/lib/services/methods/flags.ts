import { Flags } from '@oclif/core'

const text = (helpValue: string, summary: string) => Flags.string({ helpValue, summary })

export const methodsRequestFlags = {
  from: text('FILE', 'The whole request as JSON; - for standard input'),
  for: text('RETURN', 'Return to calculate for, by id or name'),
  item: Flags.string({
    helpValue: 'SKU[:QTY]',
    multiple: true,
    summary: 'Item to send back; can be repeated',
  }),
  currency: text('CODE', 'Currency of the order'),
  country: text('CODE', 'Country that it is sent from'),
  'postal-code': text('CODE', 'Postal code there'),
  city: text('NAME', 'Town there'),
  reason: text('CODE', 'Why the items come back'),
  vendor: text('NAME', 'Vendor of the items'),
  order: text('ID', 'Order that the items are from'),
  tier: text('NAME', "Customer's tier; also with --for"),
  'client-id': text('ID', 'Customer, with --for where the return names none'),
  category: text('NAME', 'Category of the items; also with --for'),
  tag: Flags.string({
    helpValue: 'TAG',
    multiple: true,
    summary: 'Tag of the items; also with --for, can be repeated',
  }),
  'total-paid': text('AMOUNT', 'What the order cost; also with --for'),
  'total-spent': text('AMOUNT', 'What the customer spent in all; also with --for'),
  'delivered-at': Flags.string({
    helpValue: 'DATE',
    summary: 'Day of the delivery, YYYY-MM-DD; also with --for',
    dependsOn: ['fulfillment-center'],
  }),
  'fulfillment-center': text('CODE', 'Where the order was sent from; also with --for'),
}
