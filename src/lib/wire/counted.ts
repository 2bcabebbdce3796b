/** Makes all plurals: `1 label`, `3 labels`; `counted(n, 'point is', 'points are')`. */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}
