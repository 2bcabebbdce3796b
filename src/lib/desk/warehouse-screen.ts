import { visible } from '../output/visible.ts'
import { padEnd, truncate, wrapWords } from '../output/width.ts'
import { asText, at, list } from '../wire/raw.ts'
import { wordsOf } from '../wire/words.ts'
import { buysLabel } from './card-screen.ts'
import type { Desk, Screen, ScreenSize } from './desk.ts'

export interface WarehouseOptions {
  /** Absent if each label becomes a PDF. */
  printer: string | undefined
  /** Labels that may be bought in this session. */
  mayBuy: number
  hasSound: boolean
}

interface Print {
  code: string
  message: string
  isRight: boolean
}

const BELL = '\x07'

/** Scan, see the status, and have the label that exists printed. Codes wait for each other in the order scanned. */
export class WarehouseScreen implements Screen {
  readonly title = 'warehouse'
  readonly hints = ['scan a code', '↑↓ choose', 'Tab print again', 'Esc clear', 'Ctrl-C quit']
  #typed = ''
  #status = ''
  #prints: Print[] = []
  #at = 0
  #bought = 0
  #waiting = 0
  #queue: Promise<void> = Promise.resolve()

  constructor(
    private readonly desk: Desk,
    private readonly options: WarehouseOptions,
  ) {}

  draw({ rows, columns }: ScreenSize): string[] {
    const { printer, mayBuy } = this.options
    const last = this.#prints[0]
    const bought = mayBuy > 0 ? `   Bought ${this.#bought} of at most ${mayBuy}` : ''
    const waiting = this.#waiting > 1 ? `   ${this.#waiting - 1} waiting` : ''
    const colour = last && (last.isRight ? 'green' : 'red')
    const result = wrapWords(last?.message ?? 'Scan the first code.', columns).map((line) =>
      this.desk.style(line, colour),
    )
    // A bar over the whole width, since a terminal has no larger letters.
    const bar = ['', `  ${this.#status.toUpperCase()}`, ''].map((line) =>
      this.desk.style(this.desk.style(padEnd(truncate(line, columns), columns), 'inverse'), colour),
    )
    const list = this.#prints.map(({ code, message, isRight }, index) => {
      const line = `${index === this.#at ? '>' : ' '} ${isRight ? '✓' : '✗'} ${code}  ${message}`
      return truncate(line, columns)
    })
    return [
      `Scan: ${this.#typed}█${waiting}`,
      `Printer: ${printer ?? 'none, a PDF for each label (--printer NAME)'}${bought}`,
      '',
      ...bar,
      ...result,
      '',
      ...list,
    ].slice(0, rows)
  }

  onKey(key: string): void {
    if (key === 'return') {
      const code = this.#typed.trim()
      this.#typed = ''
      if (code) this.#enqueue(code)
    } else if (key === 'tab') {
      const print = this.#prints[this.#at]
      if (print) this.#enqueue(print.code)
    } else if (key === 'up' || key === 'down') {
      const step = key === 'up' ? -1 : 1
      this.#at = Math.max(0, Math.min(this.#prints.length - 1, this.#at + step))
    } else if (key === 'escape') this.#typed = ''
    else if (key === 'backspace') this.#typed = this.#typed.slice(0, -1)
    else if (key.length <= 2) this.#typed += key
  }

  #enqueue(code: string): void {
    this.#waiting += 1
    this.#queue = this.#queue
      .then(() => this.#handle(code))
      .catch((error: Error) => this.#add(code, error.message, false))
      .finally(() => {
        this.#waiting -= 1
        this.desk.changed()
      })
  }

  async #handle(code: string): Promise<void> {
    this.#status = '…'
    this.desk.changed()
    const { json, code: exit, message } = await this.desk.lines.read(['returns', 'get', code])
    this.#status =
      exit === 0
        ? `${asText(at(json, 'name')) ?? code}  ${wordsOf('returnStatus', at(json, 'status'))}`
        : code
    if (exit !== 0) return this.#add(code, message, false)
    const { message: note, isRight } = await this.#print(code)
    this.#add(code, note, isRight)
  }

  async #print(code: string): Promise<{ message: string; isRight: boolean }> {
    const { printer, mayBuy } = this.options
    const { lines } = this.desk
    if (this.#bought < mayBuy) {
      const plan = await lines.read(['labels', 'create', '--for', code, '--dry-run'])
      if (plan.code === 0 && buysLabel(plan.json)) {
        this.#bought += 1
        const made = await lines.write(['labels', 'create', '--for', code, '--out', 'labels', '--yes'])
        if (made.code !== 0) return { message: made.message, isRight: false }
      }
    }
    const to = printer === undefined ? [] : ['--printer', printer]
    const end = await lines.write(['labels', 'print', code, ...to])
    const [file] = list(at(end.json, 'files'))
    const destination = printer ?? asText(at(file, 'path')) ?? 'PDF'
    return end.code === 0
      ? { message: `Printed: ${destination}`, isRight: true }
      : { message: end.message, isRight: false }
  }

  #add(code: string, message: string, isRight: boolean): void {
    this.#prints.unshift({ code: visible(code), message: visible(message), isRight })
    this.#at = 0
    if (this.options.hasSound) this.desk.terminal.signal(isRight ? BELL : BELL + BELL)
    this.desk.changed()
  }
}
