import type { View } from '../columns.ts'

/** A return that does not move on, by which rule, since when, and the command that leads on. */
export interface StuckLine {
  name: string
  id: string | undefined
  shop: string | undefined
  status: string | undefined
  carrier: string | undefined
  carrierService: string | undefined
  rule: string
  why: string
  since: string
  hours: number
  samples?: number
  next: string
}

export const stuckView: View<StuckLine> = {
  columns: [
    { name: 'name', header: 'NAME', value: (row) => row.name },
    { name: 'rule', header: 'RULE', value: (row) => row.rule, identifies: true },
    { name: 'since', header: 'SINCE', value: (row) => row.since, kind: 'date' },
    { name: 'why', header: 'WHY', value: (row) => row.why, flexible: true },
    { name: 'next', header: 'NEXT', value: (row) => row.next },
  ],
  extra: [
    { name: 'id', header: 'ID', value: (row) => row.id },
    { name: 'shop', header: 'SHOP', value: (row) => row.shop },
    { name: 'status', header: 'STATUS', value: (row) => row.status, kind: 'status', words: 'returnStatus' },
    { name: 'carrier', header: 'CARRIER', value: (row) => row.carrier },
    { name: 'service', header: 'SERVICE', value: (row) => row.carrierService },
    { name: 'hours', header: 'HOURS', value: (row) => row.hours, kind: 'number' },
    { name: 'samples', header: 'SAMPLES', value: (row) => row.samples, kind: 'number' },
  ],
  leastImportant: ['next'],
  paths: [
    ...['name', 'id', 'shop', 'status', 'carrier', 'carrierService'],
    ...['rule', 'why', 'since', 'hours', 'samples', 'next'],
  ],
  empty: 'Nothing is stuck',
}
