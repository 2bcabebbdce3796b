import type { View } from '../renderer.ts'

interface AliasRow {
  name: string
  expansion: string
}

export const aliasesView: View<AliasRow> = {
  columns: [
    { name: 'name', header: 'NAME', value: (a) => a.name, identifies: true },
    { name: 'expansion', header: 'STANDS FOR', value: (a) => a.expansion, flexible: true },
  ],
  empty: 'No aliases. Make one: rma alias set NAME COMMAND',
}
