import { stripVTControlCharacters } from 'node:util'
import { type Style, styled } from '../output/style.ts'
import { visible } from '../output/visible.ts'
import { wrapWords } from '../output/width.ts'
import { asText, at, joinParts, list } from '../wire/raw.ts'
import type { CommandLines, CommandOutcome } from './command-lines.ts'

export interface ScreenSize {
  rows: number
  columns: number
}

/** One screen of the desk: at most `rows` lines, drawn anew after each change. */
export interface Screen {
  readonly title: string
  /** Hints of the bottom line: `r reply`. */
  readonly hints: readonly string[]
  draw(size: ScreenSize): string[]
  /** @param key a character, or a name such as `return` */
  onKey(key: string): void
  /** Called when the screen becomes the top one, and at intervals. */
  refresh?(): void
  /** Resolves when work under way has ended, and says what became of it. */
  end?(): Promise<void>
}

interface Question {
  lines: readonly string[]
  /** Name of a protected profile, to be typed in place of y. */
  word: string | undefined
  typed: string
  /** False for half a second, in which keys are ignored. */
  isReady: boolean
  yes(): void
}

/** Key that begins a search: `/`, or the first character of a code. */
const SEARCH_KEY = /^[/#A-Z\d]$/
/** Time that a person needs to notice a question. */
const NOTICE_MS = 500

/** Combines all calls of `start` during a reading into one further reading. */
export class Refresher {
  running: Promise<void> | undefined
  #isStale = false

  constructor(private readonly read: () => Promise<void>) {}

  start() {
    this.#isStale = true
    this.running ??= this.#readAll().finally(() => {
      this.running = undefined
    })
  }

  async #readAll() {
    while (this.#isStale) {
      this.#isStale = false
      await this.read()
    }
  }
}

/** Target of the desk, as its head line shows it. */
export interface DeskTarget {
  text: string
  style: Style
  isSandbox: boolean
  /** Name of a protected profile, which has to be typed before each write. */
  guard: string | undefined
}

interface Terminal {
  colour: boolean
  env: Readonly<Record<string, string | undefined>>
  redraw(): void
  /** Writes control characters that leave the cursor in place, such as the bell. */
  signal(text: string): void
  /** Returns what became of the text. */
  copy(text: string): Promise<string>
  /** Hands the terminal to a child until it ends. */
  lend(child: () => Promise<void>): void
  quit(): void
}

export class Desk {
  readonly #screens: Screen[] = []
  #question: Question | undefined
  #redraw: NodeJS.Immediate | undefined
  readonly #underWay = new Set<string>()
  message = ''
  age = ''
  size: ScreenSize = { rows: 24, columns: 80 }

  constructor(
    readonly lines: CommandLines,
    readonly target: DeskTarget,
    readonly terminal: Terminal,
  ) {}

  get top(): Screen | undefined {
    return this.#screens.at(-1)
  }

  /** Lines of the question. How to answer is shown once keys count. */
  get question(): string[] | undefined {
    if (!this.#question) return undefined
    const { isReady, lines, typed, word } = this.#question
    const how = word ? `Type ${word} to do it: ${typed}` : 'y does it, any other key does not.'
    return [...lines, '', isReady ? how : '']
  }

  /** Redraws once per turn of the event loop: a scan is many keys. */
  changed() {
    clearImmediate(this.#redraw)
    this.#redraw = setImmediate(this.terminal.redraw)
  }

  say(message: string) {
    this.message = visible(message)
    this.changed()
  }

  style(text: string, style: Style | undefined): string {
    return this.terminal.colour && style ? styled(text, style) : text
  }

  open(screen: Screen) {
    this.#screens.push(screen)
    this.message = ''
    screen.refresh?.()
    this.changed()
  }

  back() {
    if (this.#screens.length === 1) return
    this.#screens.pop()
    this.message = ''
    this.top?.refresh?.()
  }

  onKey(key: string) {
    if (key === 'ctrl-c') this.terminal.quit()
    else if (this.#question?.word === undefined && SEARCH_KEY.test(key)) this.#toSearch(key)
    else if (this.#question) this.#answer(this.#question, key)
    else this.top?.onKey(key)
    this.changed()
  }

  /** Leaves every screen and question, so that a scan always searches. */
  #toSearch(key: string) {
    this.#question = undefined
    if (this.#screens.splice(1).length > 0) this.top?.onKey('escape')
    this.top?.onKey(key)
  }

  isShown(screen: Screen | undefined) {
    return this.top === screen && !this.#question
  }

  /**
   * Asks before a write; under a protected profile for its name. Asks nothing if the person has left the
   * screen `about`.
   */
  ask(question: string, yes: () => void, about = this.top) {
    const { guard: word, text } = this.target
    const asked = { lines: [visible(question), `On ${text}.`], word, typed: '', isReady: false, yes }
    if (this.isShown(about)) {
      this.#question = asked
      setTimeout(() => {
        asked.isReady = true
        this.changed()
      }, NOTICE_MS).unref()
      this.changed()
    } else this.say(`Not asked, since you went on: ${question}`)
  }

  #answer(question: Question, key: string) {
    const { isReady, typed, word, yes } = question
    if (!isReady) return
    const isYes = word === undefined ? key === 'y' : key === 'return' && typed === word
    const isNo = word === undefined || key === 'return' || key === 'escape'
    if (isYes || isNo) {
      this.#question = undefined
      if (isYes) yes()
      else this.say('Not done.')
    } else if (key === 'backspace') question.typed = typed.slice(0, -1)
    else question.typed += key.length <= 2 ? key : ''
  }

  /** Reads and shows the error. A refresh shows none, since it would hide a write's outcome. */
  async read(words: readonly string[]): Promise<CommandOutcome> {
    const end = await this.lines.read(words)
    if (end.code !== 0) this.say(end.message)
    return end
  }

  async textOf(words: readonly string[], columns: number): Promise<string> {
    const { text, message } = await this.lines.read(words, columns)
    return text || wrapWords(message, columns).join('\n')
  }

  /** Runs a command without a question, and shows its outcome. */
  async run(words: readonly string[]) {
    this.say('Under way…')
    const { json, message } = await this.lines.write(words, (text) => this.say(text))
    const paths = list(at(json, 'files')).map((file) => asText(at(file, 'path')) ?? '')
    this.say(joinParts([message, ...paths], '  ') || 'Done.')
  }

  /** Runs work, unless work of the same name is still running. */
  async once(name: string, work: () => Promise<unknown>) {
    if (this.#underWay.has(name)) return this.say('Still under way…')
    this.#underWay.add(name)
    await work().finally(() => this.#underWay.delete(name))
  }

  write(question: string, words: readonly string[], about = this.top) {
    this.ask(question, () => void this.run(words).then(() => this.top?.refresh?.()), about)
  }

  copy(text: string) {
    void this.terminal.copy(stripVTControlCharacters(text)).then((message) => this.say(message))
  }
}
