import { setMaxListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { Http } from '../api/http/client.ts'
import type { UrlFetcher } from '../api/http/download-url.ts'
import type { ExchangeObserver } from '../api/http/exchange.ts'
import type { LabelsApi } from '../api/labels.ts'
import type { MethodsApi } from '../api/methods.ts'
import type { PudosApi } from '../api/pudos.ts'
import type { ReturnsApi } from '../api/returns.ts'
import type { TrackingApi } from '../api/tracking.ts'
import { type AppPaths, makeDataFolder, resolvePaths } from '../config/paths.ts'
import { createProfileStore, type ProfileStore } from '../config/profiles.ts'
import { requireToken, resolveSettings, type SettingFlags, type Settings } from '../config/settings.ts'
import { AppError } from '../errors.ts'
import { createProgress, type Progress } from '../output/progress.ts'
import { createRenderer, type Renderer, type Result, type View } from '../output/renderer.ts'
import { openStreams, type Streams } from '../output/streams.ts'
import { visible } from '../output/visible.ts'
import type { Sandbox } from '../sandbox/index.ts'
import { Departures } from '../wire/read.ts'
import { spareMemory } from './limit-heap.ts'
import type { Io } from './process-io.ts'

/** The global flags that settings do not cover. */
export interface ContextFlags extends SettingFlags {
  columns?: string | undefined
  'no-headers'?: boolean | undefined
  'no-color'?: boolean | undefined
  quiet?: boolean | undefined
  trace?: string | undefined
}

/** Where the client finds the platform, and the token that it shows there. */
interface Address {
  baseUrl: string
  token: string
  isTokenPublic?: boolean
}

/** More records than a person asks for to look at. */
const LONG_RESULT = 500

/**
 * The composition root: all parts meet here, each made when a command first asks for it. Commands get everything that
 * touches the world from here.
 */
export class Context {
  readonly paths: AppPaths
  readonly profiles: ProfileStore
  readonly streams: Streams
  readonly progress: Progress
  readonly #departures = new Departures()
  readonly #closers: (() => Promise<void> | void)[] = []
  /** Ends requests. */
  readonly #ender = new AbortController()
  #isDraining = false
  #settings: Promise<Settings> | undefined
  #renderer: Promise<Renderer> | undefined
  #connection: Promise<Http> | undefined
  #watching: Promise<ExchangeObserver[]> | undefined

  constructor(
    readonly io: Io,
    private readonly flags: ContextFlags,
    readonly version: string,
  ) {
    // All that can be interrupted listens, which may be many at once.
    setMaxListeners(0, io.interrupt, this.#ender.signal)
    io.interrupt.addEventListener('abort', () => {
      if (!this.#isDraining) this.#ender.abort()
    })
    this.paths = resolvePaths(io.env)
    this.profiles = createProfileStore(this.paths.configDir)
    this.streams = openStreams({ ...io, noColor: flags['no-color'] ?? false })
    this.progress = createProgress({ streams: this.streams, quiet: flags.quiet ?? false, timers: io.timers })
  }

  /** Every setting with where it came from. What there is to say about them is said the first time. */
  settings(): Promise<Settings> {
    this.#settings ??= this.#resolveSettings()
    return this.#settings
  }

  async #resolveSettings(): Promise<Settings> {
    const settings = await resolveSettings({
      flags: this.flags,
      env: this.io.env,
      store: this.profiles,
      readFile: (path) => (path === '-' ? this.streams.readAllInput() : readFile(path, 'utf8')),
    })
    for (const warning of settings.warnings) await this.warn(warning)
    return settings
  }

  /** A line for people on standard error; `--quiet` leaves it out. */
  async note(text: string): Promise<void> {
    if (!this.flags.quiet) await this.streams.err.write(`${visible(text)}\n`)
  }

  async warn(text: string): Promise<void> {
    await this.note(`Warning: ${text}`)
  }

  #openRenderer(): Promise<Renderer> {
    this.#renderer ??= this.settings().then((settings) =>
      createRenderer({
        streams: this.streams,
        format: settings.output.value,
        columns: this.flags.columns?.split(',').map((name) => name.trim()),
        jq: this.flags.jq,
        headers: !this.flags['no-headers'],
        timeZone: settings.timeZone.value,
        quiet: this.flags.quiet,
      }),
    )
    return this.#renderer
  }

  /** Whether `--columns` and `--jq` can be carried out; to be asked before anything is sent. */
  async checkOutput<T>(view?: View<T>): Promise<void> {
    await (await this.#openRenderer()).check(view)
  }

  async render<T>(result: Result<T>): Promise<void> {
    await (await this.#openRenderer()).render(result)
  }

  /** The same records, with their number in the progress. */
  async *counted<T>(items: AsyncIterable<T>, noun: string): AsyncGenerator<T> {
    let count = 0
    for await (const item of items) {
      count += 1
      if (count % 100 === 0) this.progress.update(`Reading ${noun}: ${count}`)
      if (count === LONG_RESULT) await spareMemory()
      yield item
    }
  }

  /** The platform's returns, as the settings say, or with a token that is to be tried out. */
  async returns(token?: string): Promise<ReturnsApi> {
    const settings = await this.settings()
    const http = await (token === undefined ? this.#open() : this.#connect(settings, token))
    const { createReturnsApi } = await import('../api/returns.ts')
    return createReturnsApi(http, {
      departures: this.#departures,
      shop: settings.shop?.value,
      timeZone: settings.timeZone.value,
    })
  }

  /** The platform's labels. */
  async labels(): Promise<LabelsApi> {
    const [{ shop }, http] = [await this.settings(), await this.#open()]
    const { createLabelsApi } = await import('../api/labels.ts')
    return createLabelsApi(http, {
      departures: this.#departures,
      shop: shop?.value,
      sleep: (ms) => delay(ms, undefined, { signal: this.#ender.signal }),
    })
  }

  /** Reports of where parcels are. */
  async tracking(): Promise<TrackingApi> {
    const [returns, http] = [await this.returns(), await this.#open()]
    const { createTrackingApi } = await import('../api/tracking.ts')
    return createTrackingApi(http, {
      departures: this.#departures,
      returns,
      sleep: (ms) => delay(ms, undefined, { signal: this.#ender.signal }),
    })
  }

  /** The platform's drop-off points. */
  async pudos(): Promise<PudosApi> {
    const { createPudosApi } = await import('../api/pudos.ts')
    return createPudosApi(await this.#open(), { departures: this.#departures })
  }

  /** The ways to send items back. */
  async methods(): Promise<MethodsApi> {
    const http = await this.#open()
    const { createMethodsApi } = await import('../api/methods.ts')
    return createMethodsApi(http, { departures: this.#departures })
  }

  /** Reads what the platform names by its address, without the token. */
  async urlFetcher(): Promise<UrlFetcher> {
    const [settings, { baseUrl }] = [await this.settings(), await this.#open()]
    const { createUrlFetcher } = await import('../api/http/download-url.ts')
    const fetcher = createUrlFetcher({
      userAgent: `rma-cli/${this.version}`,
      platform: baseUrl,
      labelHosts: settings.labelHosts,
      retries: settings.retries.value,
      caFile: settings.caFile?.value,
      env: settings.isSandbox ? {} : this.io.env,
      observers: await this.#observers(settings),
      now: this.io.now,
    })
    this.#closers.push(() => fetcher.close())
    return fetcher
  }

  /** The platform itself, for requests of any kind. */
  http(): Promise<Http> {
    return this.#open()
  }

  /** The place to go to if nothing else names one; to be called before the settings are asked for. */
  prefer({ profile, shop }: { profile?: string | undefined; shop?: string | undefined }): void {
    const { RMA_BASE_URL, RMA_PROFILE, RMA_SHOP } = this.io.env
    const place = this.flags.profile || this.flags['base-url'] || RMA_BASE_URL || RMA_PROFILE
    if (!place) this.flags.profile = profile
    if (!(this.flags.shop || RMA_SHOP)) this.flags.shop = shop
  }

  /** The first Ctrl-C lets requests end that are under way; the second, the signal returned, ends them too. */
  drainOnInterrupt(): AbortSignal {
    this.#isDraining = true
    const halt = this.io.halt()
    halt.addEventListener('abort', () => this.#ender.abort())
    return halt
  }

  /** Something to be tidied up when the command ends, however it does. */
  onClose(close: () => Promise<void> | void): void {
    this.#closers.push(close)
  }

  /** One connection for all that the command asks of the platform. */
  #open(): Promise<Http> {
    this.#connection ??= this.settings().then((settings) => this.#connect(settings, undefined))
    return this.#connection
  }

  async #connect(settings: Settings, token: string | undefined): Promise<Http> {
    const { env } = this.io
    const { createHttp } = await import('../api/http/client.ts')
    const address = await this.#address(settings, token)
    const http = createHttp({
      ...address,
      timeoutMs: settings.timeoutMs.value,
      retries: settings.retries.value,
      caFile: settings.caFile?.value,
      userAgent: `rma-cli/${this.version}`,
      // The sandbox is in this very process: no proxy leads to it.
      env: settings.isSandbox ? {} : env,
      observers: await this.#observers(settings),
      now: this.io.now,
      signal: this.#ender.signal,
      onRetry: ({ method, path, delayMs, reason }) =>
        void this.note(`${method} ${path}: ${reason}; trying again in ${(delayMs / 1000).toFixed(1)} s`),
    })
    this.#closers.push(() => http.close())
    return http
  }

  async #address(settings: Settings, token: string | undefined): Promise<Address> {
    if (settings.isSandbox) return this.#embeddedSandbox()
    const { baseUrl, profile } = settings
    if (baseUrl === undefined) {
      throw new AppError('config', `The profile ${profile?.value ?? ''} has no base URL.`, {
        hints: [`rma profiles set ${profile?.value ?? 'NAME'} --base-url URL`],
      })
    }
    if (token !== undefined) return { baseUrl: baseUrl.value, token }
    const required = requireToken(settings, this.io.now())
    for (const warning of required.warnings) await this.warn(warning)
    const { isReadableOnTheWay } = await import('../api/http/origin-guard.ts')
    const isTokenPublic = baseUrl.source !== 'profile' && required.token.isSandboxes === true
    if (isTokenPublic && isReadableOnTheWay(new URL(baseUrl.value)))
      await this.warn(
        `The sandbox's token and all data travel readable to everyone on the way to ${baseUrl.value}.`,
      )
    return { baseUrl: baseUrl.value, token: required.token.value, isTokenPublic }
  }

  /** The profile `mock`: the platform itself, started in this process for as long as the command runs. */
  async #embeddedSandbox(): Promise<Address> {
    const sandbox = await this.openSandbox()
    const server = await sandbox.listen({ host: '127.0.0.1', port: 0 })
    this.#closers.push(() => server.close())
    await this.note(`Using the built-in sandbox (profile mock), data in ${this.paths.dataDir}`)
    return { baseUrl: server.baseUrl, token: await sandbox.issueToken() }
  }

  /** The sandbox's data, made if they are not there yet. Closed when the command ends. */
  async openSandbox({
    dir = this.paths.dataDir,
    memory = false,
    ...fill
  }: SandboxPlace = {}): Promise<Sandbox> {
    const { openSandbox } = await import('../sandbox/index.ts')
    if (!memory) await makeDataFolder(dir)
    const sandbox = await openSandbox({
      file: memory ? ':memory:' : join(dir, 'sandbox.db'),
      clock: this.io,
      onNote: (text) => void this.note(text),
      onSeeding: (done, total) => this.progress.update(`Making demo data: ${done} of ${total} returns`),
      ...fill,
    })
    this.#closers.push(() => sandbox.close())
    return sandbox
  }

  /** Those who are shown every exchange; one set of them, since two could not write one trace. */
  #observers(settings: Settings): Promise<ExchangeObserver[]> {
    this.#watching ??= this.#openObservers(settings)
    return this.#watching
  }

  async #openObservers(settings: Settings): Promise<ExchangeObserver[]> {
    const observers: ExchangeObserver[] = []
    if (settings.verbose.value) {
      const { verboseObserver } = await import('../api/trace/verbose.ts')
      observers.push(verboseObserver((line) => void this.streams.err.write(`${visible(line)}\n`)))
    }
    if (this.flags.trace !== undefined) {
      const { harWriter } = await import('../api/trace/har.ts')
      const writer = harWriter(this.flags.trace, { name: 'rma-cli', version: this.version })
      this.#closers.push(() => writer.close())
      observers.push(writer)
    }
    return observers
  }

  /**
   * End of the command: everything is written and closed, and the answers' departures from the specification are said.
   *
   * @param failure of the command, which outweighs what became of its output
   * @throws AppError `contract` for such departures with `--strict`
   */
  async close(failure: Error | undefined): Promise<void> {
    this.progress.stop()
    try {
      await this.#flush(failure)
      await this.#reportDepartures(failure !== undefined)
    } finally {
      for (const close of this.#closers.reverse()) await close()
      await this.streams.flush().catch(() => {})
    }
  }

  async #flush(failure: Error | undefined): Promise<void> {
    try {
      await this.streams.flush()
    } catch (error) {
      if (failure === undefined) throw error
      const isNews = error instanceof AppError && error !== failure
      if (isNews) await this.streams.err.write(`Warning: ${error.message}\n`)
    }
  }

  async #reportDepartures(failed: boolean): Promise<void> {
    if (this.#departures.size === 0) return
    const { departuresError, departureWarnings } = await import('../api/spec-deviations.ts')
    const error = departuresError(this.#departures)
    // What failed before is the graver one.
    if (error && !failed && (await this.settings()).strict.value) throw error
    for (const line of departureWarnings(this.#departures)) await this.warn(line)
  }
}

/** Which sandbox: that of the data directory, of another one, or one in memory; and what to fill a new one with. */
export interface SandboxPlace {
  dir?: string | undefined
  memory?: boolean | undefined
  seed?: number | undefined
  returns?: number | undefined
}
