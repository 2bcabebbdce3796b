import type { View } from '../renderer.ts'

interface PrinterRow {
  name: string
  address: string
  language: string
  sheet?: string | undefined
  perPage?: number | undefined
  dpi?: number | undefined
}

export const printersView: View<PrinterRow> = {
  columns: [
    { name: 'name', header: 'NAME', value: (p) => p.name, identifies: true },
    { name: 'address', header: 'ADDRESS', value: (p) => p.address, identifies: true },
    { name: 'language', header: 'LANGUAGE', value: (p) => p.language },
    { name: 'sheet', header: 'SHEET', value: (p) => p.sheet },
    { name: 'per-page', header: 'PER PAGE', value: (p) => p.perPage, kind: 'number' },
    { name: 'dpi', header: 'DPI', value: (p) => p.dpi, kind: 'number' },
  ],
  paths: ['name', 'address', 'language', 'sheet', 'perPage', 'dpi'],
  empty: 'No printers; rma printers add NAME HOST keeps one',
}
