/**
 * `1 label`, `3 labels`; what takes more than an s is given whole: `counted(n, 'point is', 'points are')`. The only place
 * that makes plurals.
 */
export function counted(count: number, singular: string, plural = `${singular}s`): string {
  return `${count} ${count === 1 ? singular : plural}`
}
