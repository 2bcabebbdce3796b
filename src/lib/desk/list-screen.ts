import { wrapWords } from '../output/width.ts'
import type { Desk, Screen, ScreenSize } from './desk.ts'

interface Listed<T> {
  title: string
  hints?: readonly string[]
  head?(size: ScreenSize): string[]
  row(item: T, columns: number): string
  /** Identity of an item across readings; by default the item itself. */
  key?: (item: T) => unknown
  empty?: string
  open?(item: T): void
}

/** A list with one line marked: arrows and page keys move, Enter opens, Esc leaves. */
export class ListScreen<T> implements Screen {
  items: readonly T[] = []
  /** Shown in place of an empty list. */
  #note = 'Reading…'
  at = 0
  #top = 0
  #rows = 1
  readonly title: string
  readonly hints: readonly string[]

  constructor(
    protected readonly desk: Desk,
    private readonly listed: Listed<T>,
    readonly refresh?: () => void,
  ) {
    this.title = listed.title
    this.hints = ['↑↓ choose', 'Enter open', ...(listed.hints ?? ['Esc back'])]
  }

  /** Keeps the mark on its item, or else puts it on the first line. */
  show(items: readonly T[]) {
    const { key = (item): unknown => item } = this.listed
    const marked = this.items[this.at]
    const found = items.findIndex((item) => this.at > 0 && marked && key(item) === key(marked))
    this.items = items
    this.#note = this.listed.empty ?? ''
    this.at = Math.max(0, found)
    this.desk.changed()
  }

  fail(problem: string) {
    this.#note = problem
    this.desk.changed()
  }

  draw(size: ScreenSize): string[] {
    const { listed, items, at } = this
    const head = listed.head?.(size) ?? []
    this.#rows = Math.max(1, size.rows - head.length)
    this.#top = Math.max(at - this.#rows + 1, Math.min(this.#top, at))
    const shown = items.slice(this.#top, this.#top + this.#rows).map((item, index) => {
      const mark = this.#top + index === at ? '> ' : '  '
      return this.desk.style(mark, 'bold') + listed.row(item, size.columns - mark.length)
    })
    const note = wrapWords(this.#note, size.columns - 2).map((line) => `  ${line}`)
    return [...head, ...(items.length === 0 ? note : shown)]
  }

  onKey(key: string) {
    const item = this.items[this.at]
    const steps: Record<string, number> = { up: -1, down: 1, pageup: -this.#rows, pagedown: this.#rows }
    const step = steps[key]
    if (step !== undefined) {
      this.at = Math.max(0, Math.min(this.items.length - 1, this.at + step))
    } else if (key === 'return' && item !== undefined) this.listed.open?.(item)
    else if (key === 'escape') this.desk.back()
  }
}
