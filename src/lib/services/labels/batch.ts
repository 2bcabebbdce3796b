import { pMapIterable } from 'p-map'
import { isCertificateFailure } from '../../api/http/error-map.ts'
import type { Context } from '../../cli/context.ts'
import {
  AppError,
  type ErrorDetail,
  type ErrorKind,
  isOfKind,
  rethrowBug,
  rewordError,
} from '../../errors.ts'
import type { LabelRecord } from '../../labels/folder/manifest.ts'
import { counted } from '../../wire/counted.ts'
import { labelFilesView } from './labels.result.ts'
import outcomeWords from './outcome-words.json'
import type { LabelTarget } from './output-target.ts'

export interface LabelFile extends Omit<LabelRecord, 'source'> {
  /** `existing`: `labels create` found the label and made none. */
  source: LabelRecord['source'] | 'existing'
  /** `present`: saved and verified before, so that the service was not asked. */
  outcome: 'created' | 'existing' | 'recovered' | 'saved' | 'unchanged' | 'present'
  registered?: boolean
  registerCommand?: string
}

export interface ItemProgress {
  beginSaving(): void
  report(error: AppError): void
}

interface BatchOptions<T> {
  doing: string
  concurrency: number
  idOf(item: T): string
  nameOf?(item: T): string | undefined
  work(item: T, progress: ItemProgress): Promise<LabelFile[]>
  skipped?: readonly ErrorDetail[]
  /** Hint for when repeating the command is unsafe. */
  goOn?: string
}

/** Consecutive failures that count as an outage of service or disk and stop the batch. */
const MAX_OUTAGE = 10
const MAX_DETAILS = 100
const SAME_AGAIN = 'run the same command again: what is saved already is kept'
/** Number of labels after which memory is spared. */
const MANY_LABELS = 200
/** Heap growth between garbage collections; less triples their number. */
const GROWTH_PERCENT = 200
/** Finished labels that may wait for an earlier one before work pauses. */
const MAX_AHEAD = 512

const WORDS = outcomeWords as unknown as Readonly<
  Record<LabelFile['outcome'], [one: string, several?: string]>
>

interface Failure {
  id: string
  name: string | undefined
  error: AppError
  hasLabel: boolean
}

export class LabelBatch<T> {
  readonly #failures: Failure[] = []
  readonly #outcomes: Partial<Record<LabelFile['outcome'], number>> = {}
  #done = 0
  #outage = 0
  #stop: AppError | undefined
  #manifestError: AppError | undefined

  constructor(
    private readonly context: Context,
    private readonly items: readonly T[],
    private readonly options: BatchOptions<T>,
  ) {}

  /** Collects failures for `#checkComplete`; a single item's is thrown at once. */
  async #start(): Promise<Iterable<LabelFile> | AsyncIterable<LabelFile>> {
    const { doing, concurrency } = this.options
    this.context.progress.start(doing)
    const [only] = this.items
    if (this.items.length === 1 && only !== undefined) return this.#workAlone(only)
    return flat(
      pMapIterable(this.items, (item) => this.#attempt(item), { concurrency, backpressure: MAX_AHEAD }),
    )
  }

  async #workAlone(item: T) {
    try {
      const files = await this.#work(item, () => {})
      this.#done = 1
      return files
    } catch (error) {
      if (error instanceof AppError && this.#isInterrupted) throw this.#interrupted(error)
      const name = this.options.nameOf?.(item)
      if (!(error instanceof AppError) || name === undefined || error.message.includes(name)) throw error
      throw rewordError(error, `${name}: ${error.message}`)
    }
  }

  #work(item: T, beginSaving: () => void) {
    return this.options.work(item, { beginSaving, report: (error) => this.#fail(item, error, true) })
  }

  #fail(item: T, error: AppError, hasLabel: boolean) {
    const { idOf, nameOf } = this.options
    this.#failures.push({ id: idOf(item), name: nameOf?.(item), error, hasLabel })
  }

  async #attempt(item: T) {
    const { doing } = this.options
    if (this.#stop || this.#isInterrupted) return []
    let hasLabel = false
    try {
      const files = await this.#work(item, () => {
        hasLabel = true
      })
      this.#outage = 0
      return files
    } catch (error) {
      rethrowBug(error)
      this.#outage = ['unavailable', 'unknown', 'partial'].includes(error.kind) ? this.#outage + 1 : 0
      const isFinal = isOfKind(error, 'auth', 'config', 'interrupted') || isCertificateFailure(error)
      if (isFinal || this.#outage >= MAX_OUTAGE) this.#stop ??= error
      this.#fail(item, error, hasLabel)
      return []
    } finally {
      this.#done += 1
      if (this.#done === MANY_LABELS) this.context.saveMemory(GROWTH_PERCENT)
      this.context.progress.count(doing, this.#done, this.items.length)
    }
  }

  /** @throws AppError at the end, naming every failure */
  async renderInto(target: LabelTarget) {
    // Files are saved even if the list's reader has gone.
    if (!target.isStandardOutput) this.context.streams.outliveReader()
    try {
      const items = await this.#start()
      if (!target.isStandardOutput)
        await this.context.renderList(this.#counted(items), labelFilesView, 'files', () => this.#rest())
    } finally {
      // A full disk also fails the manifest, which must not hide other failures.
      await target.close().catch((error: unknown) => {
        if (this.#failures.length === 0 || !(error instanceof AppError)) throw error
        this.#manifestError = error
      })
    }
    this.#checkComplete()
    if (target.isStandardOutput) return
    const outcomes = Object.keys(WORDS) as LabelFile['outcome'][]
    await this.context.done(...outcomes.map((one) => [this.#outcomes[one] ?? 0, ...WORDS[one]] as const))
  }

  async *#counted(files: Iterable<LabelFile> | AsyncIterable<LabelFile>): AsyncGenerator<LabelFile> {
    for await (const file of files) {
      this.#outcomes[file.outcome] = (this.#outcomes[file.outcome] ?? 0) + 1
      yield file
    }
  }

  #rest() {
    const { skipped = [] } = this.options
    return {
      failed: this.#failures.map(({ id, name, error: { kind, message } }) => ({
        clientShipmentId: id,
        ...(name !== undefined && { return: name }),
        kind,
        message,
      })),
      ...(skipped.length > 0 && { skipped }),
    }
  }

  #checkComplete() {
    if (this.#isInterrupted) throw this.#interrupted()
    if (this.#failures.length === 0) return
    const all = this.items.length
    const [first] = this.#failures
    if (all === 1 && first) throw first.error
    const kind = this.#kind()
    const { goOn } = this.options
    if (this.#stop && first) {
      throw rewordError(this.#stop, `Stopped early: ${this.#stop.message}`, {
        kind: kind === 'unknown' ? kind : this.#stop.kind,
        details: this.#details(),
        hints: [...this.#stop.hints, goOn ?? SAME_AGAIN],
      })
    }
    const hints = this.#failures.flatMap(({ error }) => error.hints)
    const open = this.#failures.filter(({ error }) => error.kind === 'unknown').length
    const unknown = open > 0 ? `, and it is unknown what became of ${open}` : ''
    const failed = `${this.#failures.length - open} of ${counted(all, 'shipment')} failed`
    throw new AppError(kind, `${failed}${unknown}.`, {
      details: this.#details(),
      hints: [...new Set([goOn ?? [], hints].flat())].slice(0, 3),
    })
  }

  get #isInterrupted() {
    return this.context.io.interrupt.aborted
  }

  #interrupted(alone?: AppError) {
    const all = this.items.length
    const remaining = all - this.#done + this.#failures.filter(isInterrupted).length
    const verb = remaining === 1 ? 'remains' : 'remain'
    const left = remaining === 0 ? 'nothing remains' : `${remaining} of ${counted(all, 'shipment')} ${verb}`
    const why = alone && alone.kind !== 'interrupted' ? ` ${alone.message}` : ''
    return new AppError('interrupted', `Interrupted; ${left}.${why}`, {
      details: alone?.details ?? this.#details(),
      hints: [...(alone?.hints ?? []), this.options.goOn ?? SAME_AGAIN],
    })
  }

  /** One unknown outcome makes the whole batch `unknown`. */
  #kind(): ErrorKind {
    const kinds = new Set(this.#failures.map(({ error }) => error.kind))
    if (kinds.has('unknown')) return 'unknown'
    const [kind] = kinds
    const isAll = this.#failures.length === this.items.length
    const haveNone = kind === 'not-found' && !this.#failures.some(({ hasLabel }) => hasLabel)
    return kinds.size === 1 && kind && (haveNone || isAll) ? kind : 'partial'
  }

  /** Omits labels not begun before Ctrl-C. */
  #details() {
    const failed = this.#failures.filter((failure) => !isInterrupted(failure) || failure.hasLabel)
    const failures: Pick<Failure, 'id' | 'name' | 'error'>[] = this.#manifestError
      ? [...failed, { id: 'manifest.json', name: undefined, error: this.#manifestError }]
      : failed
    const details = failures.flatMap<ErrorDetail>(({ id, name, error }) =>
      error.details.length === 0
        ? [{ path: name ?? id, message: error.message }]
        : error.details.map((detail) => ({ ...detail, path: name ?? id })),
    )
    if (details.length <= MAX_DETAILS) return details
    return [...details.slice(0, MAX_DETAILS), { message: `and ${details.length - MAX_DETAILS} more` }]
  }
}

function isInterrupted({ error }: Failure) {
  return error.kind === 'interrupted'
}

async function* flat<T>(lists: AsyncIterable<T[]>): AsyncGenerator<T> {
  for await (const list of lists) yield* list
}
