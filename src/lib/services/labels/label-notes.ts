import type { Context } from '../../cli/context.ts'

const SUMMARIES = {
  existing: (count: number) =>
    `Labels that were there already, saved and not made again: ${count} (--another makes one more)`,
  unregistered: (count: number) =>
    `Returns that do not show their label's code yet: ${count}. The same command with --register enters them`,
} as const

/** More of one kind are counted. */
const FEW = 5

/** Warns of each label if few are concerned, else once. */
export class LabelNotes {
  readonly #counts = new Map<keyof typeof SUMMARIES, number>()

  constructor(
    private readonly context: Pick<Context, 'note'>,
    private readonly labels: number,
  ) {}

  async note(kind: keyof typeof SUMMARIES, text: string): Promise<void> {
    if (this.labels <= FEW) return this.context.note(text)
    this.#counts.set(kind, (this.#counts.get(kind) ?? 0) + 1)
  }

  async close(): Promise<void> {
    for (const [kind, count] of this.#counts) await this.context.note(SUMMARIES[kind](count))
  }
}
