import { hash } from 'node:crypto'
import { join } from 'node:path'
import { type ReturnFilters, returnPages } from '../../../api/returns.ts'
import { readPlatform } from '../../../api/sandbox-mark.ts'
import type { Context } from '../../../cli/context.ts'
import { defaultedFlag, type FlagValues, switchFlag, textFlag } from '../../../config/flag-kinds.ts'
import { MAX_WAIT_SECONDS, readDuration, refuseBlank } from '../../../config/flag-values.ts'
import { merchantOf } from '../../../config/merchant.ts'
import { makeDataFolder } from '../../../config/paths.ts'
import { appError, isOfKind, usageError } from '../../../errors.ts'
import { DATA_FOLDER, fileFailure } from '../../../files/file-failure.ts'
import { assertLocksOwned, withLock } from '../../../files/lock.ts'
import { ndjsonLine } from '../../../output/formats/json.ts'
import type { Return } from '../../../wire/returns.ts'
import { readFilters, returnsFilterFlags, typedFilters, utcMs } from '../list-flags.ts'
import { returnsView } from '../returns.result.ts'
import { type Change, ChangeFeed, MarkFile } from './change-feed.ts'
import { type CommandOptions, runCommand } from './run-command.ts'

const TRY_DELAYS_MS = [500, 2000]
/** Maximum pause between polls of a platform that does not answer. */
const MAX_BACK_OFF_MS = 5 * 60_000

export const watchFlags = {
  ...returnsFilterFlags,
  interval: defaultedFlag('TIME', '30s', 'Time between two looks'),
  'since-last': switchFlag('Go on where the last watch with the same filters ended'),
  exec: textFlag('CMD', 'Run this for each return, which is on its standard input as JSON'),
  'exec-timeout': defaultedFlag('TIME', '60s', 'Time limit of a command and of all that it starts'),
}

type WatchFlags = FlagValues<typeof watchFlags>

/** Prints each return that is new or changed, until Ctrl-C (an interruption) or SIGTERM (a success). */
export async function watchReturns(context: Context, flags: WatchFlags) {
  const intervalMs = readSpan('--interval', flags.interval)
  const timeoutMs = readSpan('--exec-timeout', flags['exec-timeout'])
  refuseBlank('--exec', flags.exec)
  const query = await readFilters(flags, context, { zone: 'UTC' })
  const stopped = AbortSignal.any([context.io.interrupt, context.io.terminate()])
  const { feed, mark } = await openFeed(context, flags, query)
  const { exec: command } = flags
  const halt = command === undefined ? undefined : context.io.halt()
  const runExec =
    command && halt
      ? ({ record }: Change) =>
          runTries(context, record, { command, timeoutMs, halt, env: context.io.env }, stopped)
      : undefined
  const run = () => new Watch(context, { feed, mark, intervalMs, stopped, runExec }).run()
  const lock = { what: 'This watch', waitMs: 0, kind: 'usage' as const }
  if (mark === undefined) await run()
  else {
    await withLock(`${mark.path}.lock`, lock, run).catch((error: unknown) => {
      throw fileFailure(error, "The position of the watch can't be saved", mark.path, DATA_FOLDER)
    })
  }
  if (!context.io.interrupt.aborted) return
  const hints = mark === undefined ? [] : ['the same with --since-last goes on']
  throw appError('interrupted', 'Interrupted.', ...hints)
}

async function openFeed(
  context: Context,
  flags: WatchFlags,
  { createdFrom, createdTo, updatedFrom, updatedTo, ...filters }: ReturnFilters,
) {
  const returns = await context.connection.returns({ timeZone: 'UTC' })
  const mark = flags['since-last'] ? await openMark(context, flags) : undefined
  const known = await mark?.read()
  if (mark !== undefined && typeof known?.markMs !== 'number' && updatedFrom === undefined) {
    await context.note('Nothing was watched like this before: what changes from now on is shown.')
  }
  const feed = new ChangeFeed({
    source: returnPages(returns, filters),
    filter: {
      createdFromMs: utcMs(createdFrom),
      createdToMs: utcMs(createdTo),
      updatedToMs: utcMs(updatedTo),
    },
    state: known ?? { markMs: null, seen: [] },
    fromMs: utcMs(updatedFrom),
    clock: context.io,
  })
  return { feed, mark }
}

/** Opens the saved position for this platform, these shops and these filters. */
async function openMark(context: Context, flags: WatchFlags) {
  const { shops, owner } = merchantOf(await context.settingsWithToken())
  const { platform } = await readPlatform(await context.connection.http())
  const watched = JSON.stringify([
    platform,
    owner ?? shops,
    Object.entries(await typedFilters(flags, context)),
  ])
  const name = hash('sha256', watched).slice(0, 16)
  const folder = join(context.paths.dataDir, 'watches')
  await makeDataFolder(folder)
  return new MarkFile(join(folder, `${name}.ndjson`))
}

class Watch {
  #failures = 0
  #hasPrinted = false
  #hasStarted = false

  constructor(
    readonly context: Context,
    readonly options: {
      feed: ChangeFeed
      mark: MarkFile | undefined
      intervalMs: number
      stopped: AbortSignal
      runExec: ((change: Change) => Promise<boolean>) | undefined
    },
  ) {}

  async run() {
    const { feed, mark, intervalMs, stopped } = this.options
    // Changes are appended below this header. Writing it also drops a line that a kill cut off.
    await mark?.write(feed.state)
    while (!stopped.aborted) {
      const isDone = await this.#look()
      if (isDone === undefined) {
        const backOffMs = intervalMs * 2 ** Math.min(this.#failures, 20)
        await this.context.io.pause(Math.min(backOffMs, Math.max(intervalMs, MAX_BACK_OFF_MS)), stopped)
        continue
      }
      if (!isDone) return
      feed.moveMark()
      await mark?.write(feed.state)
      if (!feed.isBehind) await this.context.io.pause(intervalMs, stopped)
    }
  }

  /** Returns false at the end, undefined without an answer. Its own function, so that a pause keeps no changes in memory. */
  async #look(): Promise<boolean | undefined> {
    const changes = await this.#poll()
    return changes && this.#handle(changes)
  }

  /** Returns undefined if the platform does not answer, or the watch ends. */
  async #poll() {
    const { feed, stopped } = this.options
    try {
      const changes = await this.context.untilInterrupted(feed.poll(), stopped)
      if (this.#failures > 0) await this.context.note('The platform answers again.')
      this.#failures = 0
      if (!this.#hasStarted) await this.context.note('Watching; Ctrl-C ends it.')
      this.#hasStarted = true
      return changes
    } catch (error) {
      if (stopped.aborted) return undefined
      // A first failure is more likely a wrong request than an outage.
      if (!(this.#hasStarted && isOfKind(error, 'unavailable', 'contract'))) throw error
      if (this.#failures === 0)
        await this.context.warn(`${error.message.replace(/\.?$/, '.')} The watch goes on.`)
      this.#failures += 1
      return undefined
    }
  }

  async #handle(changes: readonly Change[]) {
    const { feed, mark, stopped, runExec } = this.options
    if (runExec === undefined) {
      await this.#print(changes)
      for (const { change } of changes) feed.settle(change)
      return true
    }
    for (const one of changes) {
      if (stopped.aborted) return false
      assertLocksOwned()
      if (await runExec(one)) {
        await this.#print([one])
        feed.settle(one.change)
        await mark?.add(one.change)
      } else feed.hold(one.change)
    }
    return !stopped.aborted
  }

  async #print(changes: readonly Change[]) {
    if (changes.length === 0) return
    const items = changes.map(({ record }) => record)
    await this.context.render({ kind: 'part', items, view: returnsView, isFirst: !this.#hasPrinted })
    await this.context.streams.flush()
    this.#hasPrinted = true
  }
}

async function runTries(context: Context, record: Return, options: CommandOptions, stopped: AbortSignal) {
  const input = ndjsonLine(record)
  let why: string | undefined
  for (const delayMs of [0, ...TRY_DELAYS_MS]) {
    await context.io.pause(delayMs, stopped)
    if (stopped.aborted) return false
    why = await runCommand(input, options)
    if (why === undefined) return true
  }
  const name = record.name ?? record.id ?? 'a return without a name'
  await context.warn(`--exec: the command ${why} for ${name}, at the third try; it gets this return again.`)
  return false
}

function readSpan(flag: string, text: string) {
  const seconds = readDuration(flag, text)
  if (seconds >= 1 && seconds <= MAX_WAIT_SECONDS) return seconds * 1000
  throw usageError(`${flag}: ${JSON.stringify(text)} is not from a second to 24 days.`)
}
