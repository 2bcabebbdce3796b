import { statusStyle } from '../output/style.ts'
import { visible } from '../output/visible.ts'
import { displayWidth, padEnd, truncate } from '../output/width.ts'
import type { CopiedReturn } from '../services/returns/search.ts'
import { asText, at, joinParts, list } from '../wire/raw.ts'
import { wordsOf } from '../wire/words.ts'
import { cardScreen } from './card-screen.ts'
import { type Desk, Refresher, type ScreenSize } from './desk.ts'
import { ListScreen } from './list-screen.ts'
import { TextScreen } from './text-screen.ts'

/** Finds returns of the local copy; the newest for an empty text. Undefined while nothing was copied. */
type FindReturns = (text: string) => Promise<CopiedReturn[] | undefined>

const HEADERS = ['RETURN', 'STATUS', 'CUSTOMER', 'ORDER', 'CREATED', 'SCAN']
const [STATUS, CUSTOMER] = [1, 2]
/** Columns left out first, by index: ORDER, SCAN, CREATED. */
const LESS_IMPORTANT = [3, 5, 4]
const MIN_CUSTOMER = 8
/** Screen width below which dates have no year. */
const NARROW = 100

/** Searches while the user types. A scanner ends with Enter: one match opens at once. */
export class SearchScreen extends ListScreen<CopiedReturn> {
  #text = ''
  #widths: number[] = []
  #isChosen = false
  readonly #searching = new Refresher(() => this.#search())
  /** Keys that came after an Enter, while its search is running. */
  #held: string[] | undefined

  constructor(
    desk: Desk,
    private readonly find: FindReturns,
  ) {
    super(
      desk,
      {
        title: 'search',
        hints: ['Esc new search', 'Tab jobs', 'Ctrl-C quit'],
        head: (size) => this.#head(size),
        row: (found, columns) => this.#row(found, columns),
        key: ({ record }) => record.id,
        empty: 'No return matches.',
      },
      () => this.#searching.start(),
    )
  }

  #head({ columns }: ScreenSize) {
    this.#widths = this.#layout(columns - 2)
    const header = joinParts(this.#padded(HEADERS), ' ')
    return [`Search: ${visible(this.#text)}█`, '', this.desk.style(`  ${header}`, 'bold')]
  }

  /** Narrows the customer's name, then leaves out columns. Cuts no other cell. */
  #layout(columns: number) {
    const rows = [HEADERS, ...this.items.map((item) => cellsOf(item, columns))]
    const widths = HEADERS.map((_, at) => Math.max(...rows.map((cells) => displayWidth(cells[at] ?? ''))))
    const room = () => {
      const others = widths.filter((width, at) => at !== CUSTOMER && width > 0)
      return columns - others.reduce((sum, width) => sum + width + 1, 0)
    }
    for (const at of LESS_IMPORTANT) if (room() < MIN_CUSTOMER) widths[at] = 0
    return widths.with(CUSTOMER, Math.max(1, room()))
  }

  #padded(cells: readonly string[]) {
    return cells.map((cell, at) => {
      const width = this.#widths[at] ?? 0
      return padEnd(truncate(cell, width), width)
    })
  }

  #row(found: CopiedReturn, columns: number) {
    const cells = this.#padded(cellsOf(found, columns))
    const status = this.desk.style(cells[STATUS] ?? '', statusStyle(found.record.status))
    return joinParts(cells.with(STATUS, status), ' ')
  }

  override onKey(key: string) {
    if (this.#held) {
      // Some scanners end a code with two line ends.
      if (key !== 'return' || this.#held.length > 0) this.#held.push(key)
    } else if (key === 'tab') this.desk.open(jobsScreen(this.desk))
    else if (key === 'escape' || key === '/') this.#setText('')
    else if (key === 'backspace') this.#setText(Array.from(this.#text).slice(0, -1).join(''))
    else if (key === 'return') void this.#enter()
    else if (key.length <= 2 && key !== 'up') this.#setText(this.#text + key)
    else {
      this.#isChosen = true
      super.onKey(key)
    }
  }

  #setText(text: string) {
    this.#text = text
    this.#isChosen = false
    this.at = 0
    this.desk.message = ''
    this.#searching.start()
  }

  async #search() {
    // Keys that wait already are handled first.
    await new Promise((resolve) => setImmediate(resolve))
    const found = await this.find(this.#text).catch((error: Error) => this.fail(error.message))
    if (found) this.show(found)
  }

  async #enter() {
    const held: string[] = []
    this.#held = held
    await this.#searching.running
    this.#held = undefined
    this.#openMatch()
    for (const key of held) this.desk.onKey(key)
  }

  #openMatch() {
    const { desk, items } = this
    const found = items[this.at]
    const name = found ? (found.record.name ?? String(found.record.id)) : this.#text.trim()
    if (found && items.length > 1 && !this.#isChosen) {
      this.#isChosen = true
      desk.say(`${items.length} match: choose with the arrows, Enter opens.`)
    } else if (name) {
      this.#setText('')
      desk.open(cardScreen(desk, name, found && String(found.record.id)))
    }
  }
}

function cellsOf({ record, lastScan }: CopiedReturn, columns: number) {
  const created = record.createdAt?.slice(columns < NARROW ? 5 : 0, 10)
  const order = record.ecommerceOrder?.name
  const customer = record.customer?.fullName
  return [record.name, wordsOf('returnStatus', record.status), customer, order, created, lastScan ?? '–'].map(
    (cell) => visible(String(cell ?? '')),
  )
}

const STYLES = {
  done: 'green',
  failed: 'red',
  unknown: 'red',
  running: 'yellow',
  remaining: 'yellow',
} as const

function jobsScreen(desk: Desk) {
  const cell = (job: unknown, key: string, width: number) =>
    padEnd(visible(String(at(job, key) ?? '')), width)
  const screen: ListScreen<unknown> = new ListScreen(
    desk,
    {
      title: 'jobs',
      head: () => [
        desk.style('  JOB                   STATE     TOTAL    SENT    FAILED  UNKNOWN LEFT', 'bold'),
      ],
      row: (job) => {
        const state = asText(at(job, 'state')) ?? ''
        const counts = ['total', 'succeeded', 'failed', 'unknown', 'remaining'].map((key) =>
          cell(job, key, 7),
        )
        const shown = desk.style(padEnd(state, 9), STYLES[state as keyof typeof STYLES])
        return [cell(job, 'jobId', 21), shown, ...counts].join(' ')
      },
      key: (job) => at(job, 'jobId'),
      empty: 'No jobs yet: rma tracking push --file FILE makes one.',
      open: (job) => desk.open(jobScreen(desk, String(at(job, 'jobId')))),
    },
    () =>
      void desk.lines
        .read(['jobs', 'list'])
        .then(({ code, json, message }) => (code === 0 ? screen.show(list(json)) : screen.fail(message))),
  )
  return screen
}

function jobScreen(desk: Desk, id: string) {
  const go = (verb: string, question: string) => () => desk.write(question, ['jobs', verb, id, '--yes'])
  return new TextScreen(desk, `job ${id}`, (columns) => desk.textOf(['jobs', 'show', id], columns), [
    { key: 'g', hint: 'go on', act: go('resume', `Go on with the job ${id}?`) },
    {
      key: 't',
      hint: 'try failed rows again',
      act: go('retry', `Send the failed rows of ${id} once more?`),
    },
  ])
}
