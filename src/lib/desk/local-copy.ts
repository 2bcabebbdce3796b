import type { Context } from '../cli/context.ts'
import { ageText } from '../services/mirror/mirror.result.ts'
import { withFreshMirror } from '../services/mirror/refresh.ts'
import { type CopiedReturn, searchCopied } from '../services/returns/search.ts'
import type { Desk, Screen } from './desk.ts'

type Mirror = Parameters<typeof searchCopied>[0]

const LIMIT = 50

/** Local copy of the returns: made or brought up to date in the background, and searched meanwhile. */
export class LocalCopy {
  #mirror: Mirror | undefined
  #problem = ''
  /** Screen that asks whether to copy, once a session. */
  #asking: Screen | undefined
  #syncedMs: number | undefined

  constructor(
    private readonly context: Context,
    private readonly desk: Desk,
  ) {}

  start() {
    this.#asking = this.desk.top
    setInterval(() => void this.#sync([]), 60_000).unref()
    setInterval(() => this.#sayAge(), 10_000).unref()
    void this.#open()
      .catch(() => {})
      .then(() => this.#sync([]))
  }

  /** Returns undefined until there is a copy. Throws if the first one has failed. */
  async find(text: string): Promise<CopiedReturn[] | undefined> {
    if (!this.#mirror && this.#problem) throw new Error(this.#problem)
    return this.#mirror && searchCopied(this.#mirror, text, LIMIT, this.context)
  }

  async #open() {
    const { context } = this
    this.#mirror ??= await withFreshMirror(context, { isOffline: true }, async (mirror) => mirror)
    this.desk.top?.refresh?.()
  }

  async #sync(answer: readonly string[]) {
    const { desk } = this
    const isFirst = this.#mirror === undefined
    if (isFirst && (this.#asking || answer.length > 0)) desk.age = 'copying…'
    const end = await desk.lines.read(['mirror', 'sync', ...answer])
    if (end.code === 0) {
      this.#syncedMs = this.context.io.now()
      await this.#open()
      return this.#sayAge()
    }
    if (isFirst) desk.age = 'nothing copied'
    const isUnasked = end.code === 2 && isFirst && answer.length === 0
    const reason = end.message.replace(/^Error: |, and there is no terminal to ask on/g, '')
    this.#problem = isUnasked
      ? `${reason} Copy them: ${await this.context.shellLine(['mirror', 'sync'])}`
      : `Not brought up to date. ${end.message}`
    if (isUnasked && desk.isShown(this.#asking)) {
      this.#asking = undefined
      desk.ask(`${reason} Copy them?`, () => {
        this.#problem = 'Copying…'
        void this.#sync(['--yes'])
      })
      // A write's outcome stays visible.
    } else if (!desk.message) desk.say(this.#problem)
    desk.top?.refresh?.()
  }

  #sayAge() {
    if (this.#syncedMs === undefined) return
    const seconds = Math.round((this.context.io.now() - this.#syncedMs) / 1000)
    this.desk.age = seconds < 10 ? 'copied just now' : `copy ${ageText(seconds)} old`
    this.desk.changed()
  }
}
