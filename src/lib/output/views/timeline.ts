import type { View } from '../columns.ts'

/** Something that happened to a return, or how long nothing did. */
export interface TimelineLine {
  date: string | undefined
  of: string
  what: string
  detail: string
}

export const timelineView: View<TimelineLine> = {
  columns: [
    { name: 'date', header: 'WHEN', value: (entry) => entry.date, kind: 'date' },
    { name: 'of', header: 'OF', value: (entry) => entry.of },
    { name: 'what', header: 'WHAT', value: (entry) => entry.what, identifies: true },
    { name: 'detail', header: 'DETAIL', value: (entry) => entry.detail, flexible: true },
  ],
  paths: ['date', 'of', 'what', 'detail'],
  empty: 'Nothing is known of this return',
}
