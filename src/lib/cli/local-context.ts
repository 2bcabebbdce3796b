import { setMaxListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import type { FlagValues } from '../config/flag-kinds.ts'
import { tokenInKeyring } from '../config/keyring.ts'
import { type AppPaths, resolvePaths } from '../config/paths.ts'
import { MOCK } from '../config/profile.ts'
import { createProfileStore, type ProfileStore } from '../config/profiles.ts'
import { requestBase } from '../config/setting-values.ts'
import { refuseElsewhere, resolveSettings, type SettingFlags, type Settings } from '../config/settings.ts'
import { AppError, assertNotInterrupted, isOfKind, unless } from '../errors.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { createRenderer, type Renderer, type Result } from '../output/renderer.ts'
import { type Items, type PlannedRequest, plannedRequests } from '../output/result.ts'
import { openStreams, type Streams } from '../output/streams.ts'
import type { View } from '../output/view.ts'
import { visible } from '../output/visible.ts'
import { counted } from '../wire/counted.ts'
import { unknownZone } from '../wire/time.ts'
import { AuditTrail } from './audit-trail.ts'
import { CommandInput } from './command-input.ts'
import { shellLine } from './command-line.ts'
import type { globalFlags } from './global-flags.ts'
import { type Io, saveMemory, untilInterrupted } from './process-io.ts'
import { Questions } from './questions.ts'

export interface ContextFlags extends SettingFlags, Partial<FlagValues<typeof globalFlags>> {
  command?: string
}

const LONG_RESULT = 500

/** Context of a command, without the platform. */
export class LocalContext {
  readonly paths: AppPaths
  readonly profiles: ProfileStore
  readonly streams: Streams
  readonly progress: Progress
  readonly input: CommandInput
  readonly questions: Questions
  readonly audit: AuditTrail
  readonly traceFile: string | undefined
  readonly saveMemory = saveMemory
  readonly #closers: (() => Promise<void> | void)[] = []
  readonly #finalMessages: ((hasFailed: boolean) => Promise<void>)[] = []
  readonly #requests = new AbortController()
  #isDraining = false
  #purchases = 0
  #settings: Promise<Settings> | undefined
  #settingsWithToken: Promise<Settings> | undefined
  #onRefused: (() => Promise<void>) | undefined
  #renderer: Promise<Renderer> | undefined
  #timeZone: Promise<string> | undefined

  constructor(
    readonly io: Io,
    private readonly flags: ContextFlags,
    readonly version: string,
  ) {
    setMaxListeners(0, io.interrupt, this.requestsEnd)
    io.interrupt.addEventListener('abort', () => {
      const purchases = this.#purchases === 1 ? 'the purchase' : counted(this.#purchases, 'purchase')
      if (this.#purchases > 0)
        void this.warn(`Waiting for ${purchases} in progress. A second signal stops at once.`)
      else if (!this.#isDraining) this.#requests.abort()
    })
    if (io.interrupt.aborted) this.#requests.abort()
    this.paths = resolvePaths(io.env)
    this.profiles = createProfileStore(this.paths.configDir, this.paths.cacheDir)
    this.streams = openStreams(io, { noColor: flags['no-color'] ?? false })
    this.progress = createProgress({ streams: this.streams, quiet: flags.quiet ?? false, timers: io.timers })
    this.input = new CommandInput(this.streams, io.interrupt)
    this.questions = new Questions(this)
    this.audit = new AuditTrail(this, flags.command ?? '')
    this.traceFile = flags.trace
  }

  settings(): Promise<Settings> {
    this.#settings ??= this.#resolveSettings()
    return this.#settings
  }

  settingsWithToken(): Promise<Settings> {
    this.#settingsWithToken ??= this.settings().then(async (settings) => {
      const whole = await this.#withToken(settings)
      this.io.checkTarget?.(whole)
      return whole
    })
    return this.#settingsWithToken
  }

  async #withToken(settings: Settings): Promise<Settings> {
    const { credentialProcess, keyring, profile, profileBaseUrl, baseUrl } = settings
    if (!(credentialProcess || keyring)) return settings
    refuseElsewhere(profile?.value, profileBaseUrl, baseUrl)
    const onNote = (text: string) => void this.note(text)
    if (keyring) return { ...settings, token: await tokenInKeyring(keyring, onNote) }
    if (!credentialProcess) return settings
    const { io, paths, streams } = this
    const { forgetProcessToken, processToken } = await import('../config/credential-process.ts')
    const value = await processToken(credentialProcess, {
      cacheDir: paths.cacheDir,
      env: io.env,
      now: io.now(),
      signal: this.requestsEnd,
      onText: (text) => void streams.err.write(visible(text, 'lines')),
      onNote,
    })
    this.#onRefused = () => forgetProcessToken(credentialProcess, paths.cacheDir)
    const origin = `credential process of the profile ${credentialProcess.profile}`
    return { ...settings, token: { value, source: 'profile', origin } }
  }

  /** A missing token is reported by the first request. */
  pinnedTarget = async () => {
    const settings = await unless(this.settingsWithToken(), 'auth', 'config')
    const { pinnedTarget } = await import('../config/pinned-target.ts')
    return pinnedTarget(settings ?? (await this.settings()), this.flags)
  }

  /** Time zone of texts. The first call warns if `TZ` is not a zone. */
  timeZone(): Promise<string> {
    this.#timeZone ??= this.settings().then(async ({ timeZone, profile }) => {
      const unknown = timeZone.source === 'default' && unknownZone()
      const ways = `Give --time-zone ZONE, or rma profiles set ${profile?.value ?? 'NAME'} --time-zone ZONE`
      if (unknown) await this.warn(`TZ=${unknown} names no time zone known here: times are in UTC. ${ways}`)
      return timeZone.value
    })
    return this.#timeZone
  }

  async #resolveSettings(): Promise<Settings> {
    const settings = await resolveSettings({
      flags: this.flags,
      env: this.io.env,
      store: this.profiles,
      readFile: (path) => (path === '-' ? this.streams.readAllInput() : readFile(path, 'utf8')),
    })
    this.io.checkTarget?.(settings)
    for (const warning of settings.warnings) await this.warn(warning)
    return settings
  }

  /** Lets a command report an error in the settings. */
  useDefaultSettings() {
    const { output, json, jq } = this.flags
    const mock = { name: MOCK, environment: 'mock' as const }
    this.#settings = resolveSettings({
      flags: { output, json, jq },
      env: { RMA_OUTPUT: this.io.env.RMA_OUTPUT },
      store: { get: async () => mock, current: async () => MOCK },
      readFile: async () => '',
    })
  }

  /** Chooses a target if nothing else names one; call before `settings`. */
  prefer({ profile, baseUrl, shop }: { profile?: string; baseUrl?: string; shop?: string }) {
    const { RMA_BASE_URL, RMA_PROFILE, RMA_SHOP } = this.io.env
    const target = this.flags.profile || this.flags['base-url'] || RMA_BASE_URL || RMA_PROFILE
    if (!target) Object.assign(this.flags, profile ? { profile } : { 'base-url': baseUrl })
    if (!(this.flags.shop || RMA_SHOP)) this.flags.shop = shop
  }

  async note(text: string) {
    if (!this.flags.quiet) await this.streams.err.write(`${visible(text)}\n`)
  }

  async warn(text: string) {
    await this.note(`Warning: ${text}`)
  }

  /** Says what a write has done, on terminals only: cron would mail it. */
  async done(...parts: readonly (string | readonly [count: number, one: string, several?: string])[]) {
    const counts = parts.flatMap((part) => {
      if (typeof part === 'string') return part
      const [count, one, several = one] = part
      return count === 0 ? [] : counted(count, one, several)
    })
    if (this.streams.err.isTerminal) await this.note(`Done: ${counts.join(', ') || 'nothing was to be done'}`)
  }

  #openRenderer(): Promise<Renderer> {
    const { columns, command = '', jq, quiet } = this.flags
    this.#renderer ??= this.settings().then(({ defaultColumns = {}, output, timeZone }) => {
      const isTable = output.value === 'table' || output.value === 'csv'
      const ofProfile = isTable ? new Map(Object.entries(defaultColumns)).get(command) : undefined
      return createRenderer({
        streams: this.streams,
        format: output.value,
        columns: columns?.split(',').map((name) => name.trim()) ?? ofProfile,
        jq,
        headers: !this.flags['no-headers'],
        timeZone: timeZone.value,
        onLocalTime: () => this.timeZone(),
        quiet,
      })
    })
    return this.#renderer
  }

  /** Checks `--columns` and `--jq`, before anything is sent. */
  async checkOutput<T>(view?: View<T>) {
    await (await this.#openRenderer()).check(view)
  }

  async render<T>(result: Result<T>) {
    const renderer = await this.#openRenderer()
    const { output } = await this.settings()
    const isUnpaged = result.kind === 'part' || output.value === 'ndjson' || this.flags.verbose
    if (isUnpaged || this.flags['no-pager'] || this.questions.hasAsked) return renderer.render(result)
    await this.streams.paged(
      () => renderer.render(result),
      (closed) => {
        this.progress.end()
        this.io.leaveInterruptTo?.(closed)
      },
    )
  }

  /** JSON has the list under `key`, if there is one, and `rest` beside it. */
  renderList<T>(items: Items<T>, view: View<T>, key?: string, rest?: () => Record<string, unknown>) {
    return this.render({ kind: 'list', items, view, ...(key !== undefined && { envelope: { key, rest } }) })
  }

  async showRequests(requests: readonly PlannedRequest[]) {
    await this.render(plannedRequests(requestBase(await this.settings()), requests))
    await this.note('Dry run: nothing was sent.')
  }

  async *counted<T>(items: AsyncIterable<T>): AsyncGenerator<T> {
    let count = 0
    for await (const item of items) {
      count += 1
      if (count % 100 === 0) this.progress.update(`Reading returns: ${count}`)
      if (count === LONG_RESULT) this.saveMemory()
      yield item
    }
  }

  /** @throws AppError `interrupted` after Ctrl-C */
  assertNotInterrupted() {
    assertNotInterrupted(this.io.interrupt)
  }

  untilInterrupted<T>(waiting: Promise<T>, signal = this.io.interrupt): Promise<T> {
    return untilInterrupted(waiting, signal)
  }

  async shellLine(words: readonly string[], shop?: string | null): Promise<string> {
    return shellLine(words, shop, await this.settings())
  }

  get requestsEnd(): AbortSignal {
    return this.#requests.signal
  }

  /** Lets requests end at the first Ctrl-C; returns the signal of the second. */
  drainOnInterrupt(): AbortSignal {
    this.#isDraining = true
    const halt = this.io.halt()
    halt.addEventListener('abort', () => this.#requests.abort())
    return halt
  }

  /** Until the returned function is called, Ctrl-C lets requests end. @throws AppError `interrupted` */
  beginPurchase(): () => void {
    this.assertNotInterrupted()
    this.#purchases += 1
    return () => {
      this.#purchases -= 1
      if (this.#purchases === 0 && this.io.interrupt.aborted) this.#requests.abort()
    }
  }

  afterOutput(say: (hasFailed: boolean) => Promise<void>) {
    this.#finalMessages.push(say)
  }

  onClose(close: () => Promise<void> | void) {
    this.#closers.push(close)
  }

  /** Flushes the output, then closes everything. `failure` takes precedence over the output's. */
  async close(failure: Error | undefined) {
    this.progress.stop()
    if (isOfKind(failure, 'auth')) await this.#onRefused?.()
    try {
      await this.streams.flush().catch(async (error: unknown) => {
        if (failure === undefined) throw error
        const isNews = error instanceof AppError && error !== failure
        if (isNews) await this.streams.err.write(`Warning: ${error.message}\n`)
      })
      for (const say of this.#finalMessages) await say(failure !== undefined)
    } finally {
      for (const close of this.#closers.reverse()) await close()
      this.#requests.abort()
      await this.streams.flush().catch(() => {})
    }
  }
}
