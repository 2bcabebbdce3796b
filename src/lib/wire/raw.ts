export function at(value: unknown, key: PropertyKey): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Record<PropertyKey, unknown>)[key]
    : undefined
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** `parcels[0].weight` */
export function pathText(path: readonly PropertyKey[]): string {
  const steps = path.map((step) => (typeof step === 'number' ? `[${step}]` : `.${String(step)}`))
  return steps.join('').replace(/^\./, '')
}

export function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : []
}

export function objectsIn<T>(records: readonly T[] | null | undefined): T[] {
  return Array.isArray(records) ? (records as T[]).filter((record) => isRecord(record)) : []
}

export function grouped<K, T>(items: Iterable<T>, keyOf: (item: T) => K): Map<K, T[]> {
  const groups = new Map<K, T[]>()
  for (const item of items) {
    const group = groups.get(keyOf(item)) ?? []
    group.push(item)
    groups.set(keyOf(item), group)
  }
  return groups
}

export function countIn(value: unknown): number | undefined {
  return Array.isArray(value) ? objectsIn(value).length : undefined
}

export function asText(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}

export function isWebAddress(text: string): boolean {
  return /^https?:\/\/./i.test(text) && URL.canParse(text)
}

/** Returns undefined for blank texts. Numbers may stand in place of texts. */
export function textOf(value: unknown): string | undefined {
  const text = typeof value === 'string' || typeof value === 'number' ? String(value).trim() : ''
  return text === '' ? undefined : text
}

export function asNumber(value: unknown): number | undefined {
  if (value === undefined || value === null || value === '') return undefined
  // A `LosslessNumber` is an object with a text form.
  const number = Number(String(value))
  return Number.isFinite(number) ? number : undefined
}

/** `.` and `..` would walk up a URL's path even when encoded. */
export function isPathSafe(id: unknown): id is string {
  return typeof id === 'string' && !/^\.{0,2}$/.test(id)
}

export function defined<T extends object>(fields: T): Partial<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>
}

/** Names on `Object.prototype`, such as `constructor`, are unknown keys like any other. */
export function ownValue<T>(table: Readonly<Record<string, T>>, key: string | null | undefined) {
  return Object.hasOwn(table, key ?? '') ? table[key ?? ''] : undefined
}

/** Leaves out parts that are empty or missing. */
export function joinParts(parts: readonly unknown[], separator = ', '): string {
  return parts.filter(Boolean).join(separator)
}
