import type { View } from '../renderer.ts'

interface SampleRow {
  path: string
  /** `unchanged`: it was there with the same content. */
  outcome: 'written' | 'unchanged'
  /** A command that takes it. */
  command: string
}

export const samplesView: View<SampleRow> = {
  columns: [
    { name: 'path', header: 'FILE', value: (s) => s.path },
    { name: 'outcome', header: 'OUTCOME', value: (s) => s.outcome },
    { name: 'command', header: 'TRY', value: (s) => s.command, identifies: true },
  ],
  leastImportant: ['outcome'],
  paths: ['path', 'outcome', 'command'],
  empty: 'No samples',
}
