/** Names the first texts: `a, b, c and 4 more`. */
export function firstOf(texts: readonly string[], most: number): string {
  const rest = texts.length - most
  return texts.slice(0, most).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}

/** Returns `1 label`, `3 labels`; `counted(n, 'point is', 'points are')`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}
