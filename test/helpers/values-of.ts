/** Values of one field of all records. */
// biome-ignore lint/suspicious/noExplicitAny: parsed JSON may hold anything
export const valuesOf = <T extends Record<string, any>, K extends keyof T>(
  records: readonly T[],
  field: K,
): T[K][] => records.map((record) => record[field])

/** Makes a list of this many items, given their indexes. */
export const times = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index))
