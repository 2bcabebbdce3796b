import type { View } from '../renderer.ts'

export interface ResultRow {
  id: string
  specified: string
  source: string
  basis: string
  observed: string
  verdict: string
  durationMs: number
}

export const resultsView: View<ResultRow> = {
  columns: [
    { name: 'id', header: 'CHECK', value: (row) => row.id },
    { name: 'specified', header: 'SPECIFIED', value: (row) => row.specified, flexible: true },
    { name: 'observed', header: 'OBSERVED', value: (row) => row.observed, flexible: true },
    { name: 'verdict', header: 'VERDICT', value: (row) => row.verdict },
  ],
  extra: [
    { name: 'source', header: 'SOURCE', value: (row) => row.source },
    { name: 'basis', header: 'BASIS', value: (row) => row.basis },
    { name: 'ms', header: 'MS', value: (row) => row.durationMs, kind: 'number' },
  ],
  leastImportant: ['specified', 'observed'],
  paths: ['id', 'specified', 'source', 'basis', 'observed', 'verdict', 'durationMs'],
  empty: 'No checks',
}

export interface CheckRow {
  id: string
  specified: string
  source: string
  basis: string
  writes: boolean
}

export const checksView: View<CheckRow> = {
  columns: [
    { name: 'id', header: 'CHECK', value: (row) => row.id },
    { name: 'specified', header: 'SPECIFIED', value: (row) => row.specified, flexible: true },
    { name: 'source', header: 'SOURCE', value: (row) => row.source },
    { name: 'basis', header: 'BASIS', value: (row) => row.basis },
    { name: 'writes', header: 'WRITES', value: (row) => row.writes },
  ],
  paths: ['id', 'specified', 'source', 'basis', 'writes'],
  empty: 'No such checks',
}
