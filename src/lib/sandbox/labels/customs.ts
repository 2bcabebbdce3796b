import { passesCustoms } from '../../wire/geography.ts'
import { toNumber } from '../http/received-request.ts'
import { decimals } from '../returns/amounts.ts'
import type { LabelItem, ReceivedLabelRequest } from './request.ts'

export interface DeclaredItem {
  description: string
  hsCode: string
  originCountryCode: string
  quantity: number
  /** Kilograms of all units. 0 if not declared. */
  weightKg: number
  value: number
  currency: string
}

export interface Declaration {
  items: DeclaredItem[]
  totalWeightKg: number
  totalValue: string
  exportTrackingNumber: string | undefined
}

export function crossesCustoms({ origin, destination }: ReceivedLabelRequest): boolean {
  return passesCustoms(origin.address, destination.address)
}

/** Revision 1.2.10 has one list, which goes with the first parcel. */
export function declaredItems(request: ReceivedLabelRequest, parcel: number): readonly LabelItem[] {
  if (!request.customsInfo) return request.parcels?.[parcel]?.items ?? []
  return parcel === 0 ? request.customsInfo : []
}

export function customsProblems(request: ReceivedLabelRequest): string[] {
  if (request.customsInfo) return itemProblems('customsInfo', request.customsInfo)
  const parcels = request.parcels ?? []
  if (parcels.length === 0) return ['parcels: customs needs the items of each parcel']
  return parcels.flatMap(({ items }, i) => itemProblems(`parcels[${i}].items`, items ?? []))
}

function itemProblems(path: string, items: readonly LabelItem[]): string[] {
  if (items.length === 0) return [`${path}: customs needs the items of the parcel`]
  return items.flatMap((item, i) => {
    const problems: string[] = []
    const needs = (field: string, isThere: boolean, what: string) => {
      if (!isThere) problems.push(`${path}[${i}].${field}: customs needs ${what}`)
    }
    needs('description', (item.description ?? '').trim() !== '', 'a description')
    needs(
      'hsCode',
      /^\d{6,10}$/.test((item.hsCode ?? '').replace(/[ .]/g, '')),
      'an HS code of 6 to 10 digits',
    )
    needs('quantity', toNumber(item.quantity) > 0, 'a quantity')
    needs('unitPrice', toNumber(item.unitPrice) >= 0, 'a price')
    return problems
  })
}

/** Decided: an item's weight is that of one unit. */
export function declare(items: readonly LabelItem[], request: ReceivedLabelRequest): Declaration {
  const lines = items.map((item): DeclaredItem => {
    const quantity = toNumber(item.quantity)
    return {
      description: item.description ?? '',
      hsCode: (item.hsCode ?? '').replace(/[ .]/g, ''),
      originCountryCode: item.originCountryCode ?? '',
      quantity,
      weightKg: (toNumber(item.weight) || 0) * quantity,
      value: toNumber(item.unitPrice) * quantity,
      currency: item.currencyCode ?? '',
    }
  })
  const values = new Map<string, number>()
  for (const { value, currency } of lines) values.set(currency, (values.get(currency) ?? 0) + value)
  return {
    items: lines,
    totalWeightKg: lines.reduce((sum, { weightKg }) => sum + weightKg, 0),
    totalValue: [...values].map(([currency, value]) => money(value, currency)).join(' + '),
    exportTrackingNumber: request.carrierOptions?.customsOptions?.exportTrackingNumber ?? undefined,
  }
}

export function money(value: number, currency: string): string {
  return `${value.toFixed(decimals(currency))} ${currency}`.trim()
}
