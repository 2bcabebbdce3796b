import { visible } from '../output/visible.ts'
import { asText, at, list } from '../wire/raw.ts'
import type { Desk } from './desk.ts'
import { ListScreen } from './list-screen.ts'

/** Calls `chosen` with the only printer kept by name, the one picked of several, or undefined for a PDF. */
export async function choosePrinter(
  desk: Desk,
  chosen: (printer: string | undefined) => void,
): Promise<void> {
  const { json } = await desk.read(['printers', 'list'])
  const names = list(json).flatMap((printer) => asText(at(printer, 'name')) ?? [])
  if (names.length < 2) return chosen(names[0])
  const screen = new ListScreen<string>(desk, {
    title: 'printer',
    row: (name) => visible(name),
    empty: '',
    open: (name) => {
      desk.back()
      chosen(name)
    },
  })
  desk.open(screen)
  screen.show(names)
}
