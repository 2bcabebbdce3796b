import { stripVTControlCharacters } from 'node:util'
import { displayWidth, wrapText, wrapWords } from '../output/width.ts'
import { type Desk, Refresher, type Screen, type ScreenSize } from './desk.ts'

interface Action {
  key: string
  hint: string
  act(): void
}

export class TextScreen implements Screen {
  lines: string[] = []
  readonly #reading: Refresher
  #top = 0
  #rows = 1
  readonly hints: readonly string[]

  constructor(
    private readonly desk: Desk,
    readonly title: string,
    load: (columns: number) => Promise<string>,
    private readonly actions: readonly Action[],
  ) {
    this.hints = [...actions.map(({ key, hint }) => `${key} ${hint}`), 'Esc back']
    this.#reading = new Refresher(async () => {
      const text = await load(desk.size.columns)
      this.lines = text.trimEnd().split('\n')
      desk.changed()
    })
  }

  refresh() {
    this.#reading.start()
  }

  draw({ rows, columns }: ScreenSize): string[] {
    const lines = this.lines.flatMap((line) => {
      const plain = stripVTControlCharacters(line)
      if (displayWidth(plain) <= columns) return [line]
      // wrapWords keeps commands whole, but the screen would cut them.
      return wrapWords(plain, columns).flatMap((part) => wrapText(part, columns))
    })
    this.#rows = rows
    this.#top = Math.max(0, Math.min(this.#top, lines.length - rows))
    return lines.length === 0 ? ['Reading…'] : lines.slice(this.#top, this.#top + rows)
  }

  onKey(key: string) {
    const steps: Record<string, number> = {
      up: -1,
      down: 1,
      pageup: -this.#rows,
      pagedown: this.#rows,
      home: -this.lines.length,
      end: this.lines.length,
    }
    const step = steps[key]
    if (step !== undefined) this.#top += step
    else if (key === 'escape') this.desk.back()
    else this.actions.find((action) => action.key === key)?.act()
  }
}
