import { Flags, type Interfaces } from '@oclif/core'
import type { ReturnFilters } from '../../api/returns.ts'
import type { writeFlags } from '../../cli/global-flags.ts'
import type { exportFlags } from './shipment-ids.ts'

/** Flags that make no sense with a file of requests: facts that a return lacks. */
export const factFlags = {
  'carrier-service': Flags.string({
    helpValue: 'CODE',
    summary: "Carrier connection, with --for (default: that of the return's transport)",
  }),
  'client-shipment-id': Flags.string({
    helpValue: 'ID',
    summary: "Id of the shipment, with --for (default: the return's name and the id of its transport)",
  }),
  goods: Flags.string({
    helpValue: 'FILE',
    summary: "Customs data and weights by SKU, with --for (default: the profile's file)",
  }),
  weight: Flags.integer({ helpValue: 'GRAMS', summary: 'Weight of each parcel, with --for', min: 1 }),
  'hs-code': Flags.string({
    helpValue: 'CODE',
    summary: 'Customs code of items that the goods file does not have, with --for',
  }),
  'origin-country': Flags.string({
    helpValue: 'CODE',
    summary: 'Country of origin of items that the goods file does not have, with --for',
  }),
  'even-if-ended': Flags.boolean({ summary: 'Also for a return or transport that has ended, with --for' }),
  register: Flags.boolean({
    allowNo: true,
    summary: "Enter the new code on the return, with --for (default: the profile's setting)",
  }),
}

/** Flags of labels for returns. */
export const forFlags = {
  for: Flags.string({
    helpValue: 'RETURN',
    summary: 'Return to make the label of, can be repeated; - for names on standard input',
    exclusive: ['from'],
    multiple: true,
    multipleNonGreedy: true,
  }),
  ...factFlags,
}

export type CreateFlags = Interfaces.InferredFlags<
  typeof forFlags & typeof exportFlags & typeof writeFlags
> & {
  from: string | undefined
  format: string | undefined
  another: boolean
  'buy-after-unknown': boolean
  'skip-invalid': boolean
  /** Filters that choose returns instead of their names. */
  filters?: ReturnFilters | undefined
}
