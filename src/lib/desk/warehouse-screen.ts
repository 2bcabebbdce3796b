import { visible } from '../output/visible.ts'
import { padEnd, truncate, wrapWords } from '../output/width.ts'
import { asText, at, list } from '../wire/raw.ts'
import { wordsOf } from '../wire/words.ts'
import { buysLabel, labelIdOf, NO_PARCEL } from './card-screen.ts'
import type { Desk, ScreenSize } from './desk.ts'
import { ListScreen } from './list-screen.ts'

export interface WarehouseOptions {
  /** Absent if each label becomes a PDF. */
  printer: string | undefined
  maxLabels: number
  /** True if buying under a protected profile needs no question. */
  yes: boolean
  hasSound: boolean
}

interface PrintEnd {
  style: keyof typeof MARKS
  message: string
}

interface Print extends Partial<PrintEnd> {
  code: string
  status: string
}

const MARKS = { green: '✓', yellow: '?', red: '✗' }
const BELL = '\x07'

/** Shows the status of a scanned return and prints its label. Handles codes one by one, in the order scanned. */
export class WarehouseScreen extends ListScreen<Print> {
  override readonly hints = ['scan a code', '↑↓ choose', 'Tab print again', 'Esc clear', 'Ctrl-C quit']
  #typed = ''
  #current: Print = { code: '', status: '', message: 'Scan the first code.' }
  #bought = 0
  #waiting = 0
  #queue: Promise<void> = Promise.resolve()

  constructor(
    desk: Desk,
    private readonly options: WarehouseOptions,
  ) {
    super(desk, {
      title: 'warehouse',
      head: (size) => this.#head(size),
      row: ({ code, message, style = 'red' }, columns) =>
        truncate(visible(`${MARKS[style]} ${code}  ${message}`), columns),
    })
    this.show([])
  }

  #head({ columns }: ScreenSize) {
    const { printer, maxLabels } = this.options
    const { message = 'Under way…', status, style } = this.#current
    const bought = maxLabels > 0 ? `   Bought ${this.#bought} of at most ${maxLabels}` : ''
    const waiting = this.#waiting > 1 ? `   ${this.#waiting - 1} waiting` : ''
    // A bar over the whole width, since a terminal has no larger letters.
    const bar = ['', `  ${visible(status).toUpperCase()}`, ''].map((line) =>
      this.desk.style(padEnd(truncate(line, columns), columns), 'inverse'),
    )
    const shown = [...bar, ...wrapWords(visible(message), columns)]
    return [
      `Scan: ${this.#typed}█${waiting}`,
      `Printer: ${printer ?? 'none, a PDF for each label (--printer NAME)'}${bought}`,
      '',
      ...shown.map((line) => this.desk.style(line, style)),
      '',
    ]
  }

  override onKey(key: string) {
    const marked = this.items[this.at]
    if (key === 'return') {
      const code = this.#typed.trim()
      this.#typed = ''
      if (code) this.#enqueue(code)
    } else if (key === 'tab') {
      if (marked) this.#enqueue(marked.code)
    } else if (key === 'escape') this.#typed = ''
    else if (key === 'backspace') this.#typed = this.#typed.slice(0, -1)
    else if (key.length <= 2 && key !== 'up') this.#typed += key
    else super.onKey(key)
  }

  async end() {
    const shown = this.items.length
    await this.#queue
    const ended = this.items.slice(0, this.items.length - shown)
    this.desk.say(ended.map(({ code, message }) => `${code}: ${message}`).join('; '))
  }

  #enqueue(code: string) {
    this.#waiting += 1
    this.#queue = this.#queue
      .then(() => this.#handle(code))
      .catch(({ message }: Error): PrintEnd => ({ style: 'red', message }))
      .then((end) => {
        this.#waiting -= 1
        this.show([Object.assign(this.#current, end), ...this.items])
        if (this.options.hasSound) this.desk.terminal.signal(end.style === 'green' ? BELL : BELL + BELL)
      })
  }

  async #handle(code: string): Promise<PrintEnd> {
    this.#current = { code, status: '…' }
    this.desk.changed()
    const { json, code: exit, message } = await this.desk.lines.read(['returns', 'get', '--', code])
    this.#current.status = code
    if (exit !== 0) return { style: 'red', message }
    const id = asText(at(json, 'id'))
    if (id === undefined) return { style: 'red', message: 'Several returns: scan the tracking code of one' }
    this.#current.status = `${asText(at(json, 'name')) ?? code}  ${wordsOf('returnStatus', at(json, 'status'))}`
    return this.#print(id, labelIdOf(json))
  }

  /** Takes an id, because returns of several shops may share a name. */
  async #print(id: string, labelId: string | undefined): Promise<PrintEnd> {
    const { printer, maxLabels } = this.options
    const { lines } = this.desk
    if (labelId === undefined) return { style: 'red', message: NO_PARCEL }
    let refusal: string | undefined
    if (this.#bought < maxLabels) {
      const plan = await lines.read(['labels', 'create', '--for', id, '--dry-run'])
      if (plan.code !== 0) refusal = plan.message
      else if (buysLabel(plan.json)) {
        const words = ['labels', 'create', '--for', id, '--out', 'labels', '--yes']
        const made = await lines.write(words, (message) => {
          this.#current.message = message
          this.desk.changed()
        })
        // A refusal (exits 2 to 6) buys nothing. After other failures a label may be paid for.
        if (made.code < 2 || made.code > 6) this.#bought += 1
        if (made.code !== 0) return { style: 'red', message: made.message }
      }
    }
    const to = printer === undefined ? [] : ['--printer', printer]
    const { code, json, message } = await lines.write(['labels', 'print', labelId, '--no-files', ...to])
    if (code !== 0) return { style: 'red', message: (code === 5 && refusal) || message }
    if (message.startsWith('Warning: ')) return { style: 'yellow', message }
    if (at(json, 'isConfirmed') === false) return { style: 'yellow', message: `Queued: ${printer}` }
    const [file] = list(at(json, 'files'))
    return { style: 'green', message: `Printed: ${printer ?? asText(at(file, 'path')) ?? 'PDF'}` }
  }
}
