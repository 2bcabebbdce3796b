import { setTimeout as delay } from 'node:timers/promises'
import type { Http, HttpOptions } from '../api/http/client.ts'
import type { ExchangeObserver } from '../api/http/request.ts'
import type { LookupOptions } from '../api/return-lookup.ts'
import { requestBase } from '../config/setting-values.ts'
import { requireToken, type Settings } from '../config/settings.ts'
import { visible } from '../output/visible.ts'
import { SpecDeviations } from '../wire/read.ts'
import type { LocalContext } from './local-context.ts'
import { type OpenSandbox, serveEmbedded } from './open-sandbox.ts'

/** Limits of a client that examines a platform, which may be out of order. */
const IMPATIENT = { timeoutMs: 5000, retries: 0 }

export class Connection {
  readonly #deviations = new SpecDeviations()
  readonly #sleep = (ms: number) => delay(ms, undefined, { signal: this.context.requestsEnd })
  #http: Promise<Http> | undefined
  #observers: Promise<ExchangeObserver[]> | undefined

  constructor(
    private readonly context: LocalContext,
    private readonly openSandbox: OpenSandbox,
    private readonly candidates?: LookupOptions['candidates'],
  ) {
    context.afterOutput((hasFailed) => this.#reportDeviations(hasFailed))
  }

  /** @param allShops ignores the shop of the settings */
  async returns({
    token,
    timeZone,
    allShops,
  }: {
    token?: string
    timeZone?: string
    allShops?: boolean
  } = {}) {
    const settings = await this.context.settings()
    const http = await (token === undefined
      ? this.http()
      : this.#connect({ baseUrl: requestBase(settings), token }))
    const { createReturnsApi } = await import('../api/returns.ts')
    return createReturnsApi(http, {
      deviations: this.#deviations,
      shop: allShops ? undefined : settings.shop?.value,
      timeZone: timeZone ?? settings.timeZone.value,
    })
  }

  async lookup() {
    const [{ shop }, returns] = [await this.context.settings(), await this.returns()]
    const { ReturnLookup } = await import('../api/return-lookup.ts')
    return new ReturnLookup({
      returns,
      shop: shop?.value,
      candidates: this.candidates,
      commandLine: (words) => this.context.shellLine(words),
    })
  }

  async labels() {
    const [{ shop }, http] = [await this.context.settings(), await this.http()]
    const { createLabelsApi } = await import('../api/labels.ts')
    return createLabelsApi(http, { deviations: this.#deviations, shop: shop?.value, sleep: this.#sleep })
  }

  /** Each update names its own shop. */
  async tracking() {
    const [returns, http] = [await this.returns({ allShops: true }), await this.http()]
    const { createTrackingApi } = await import('../api/tracking.ts')
    return createTrackingApi(http, { deviations: this.#deviations, returns, sleep: this.#sleep })
  }

  async pudos() {
    const { createPudosApi } = await import('../api/pudos.ts')
    return createPudosApi(await this.http(), this.#deviations)
  }

  async methods() {
    const { createMethodsApi } = await import('../api/methods.ts')
    return createMethodsApi(await this.http(), this.#deviations)
  }

  async urlFetcher() {
    const [settings, { baseUrl }] = [await this.context.settings(), await this.http()]
    const { createUrlFetcher } = await import('../api/http/download-url.ts')
    const fetcher = createUrlFetcher({
      ...(await this.#client(settings)),
      platform: baseUrl,
      labelHosts: settings.labelHosts,
    })
    this.context.onClose(() => fetcher.close())
    return fetcher
  }

  http(): Promise<Http> {
    this.#http ??= this.#address().then((address) => this.#connect(address))
    return this.#http
  }

  async impatient(hasToken: boolean) {
    const address = hasToken ? this.#address() : { baseUrl: requestBase(await this.context.settings()) }
    return this.#connect(await address, IMPATIENT)
  }

  async #connect(address: Pick<HttpOptions, 'baseUrl' | 'token' | 'isTokenPublic'>, limits = {}) {
    const { createHttp } = await import('../api/http/client.ts')
    const settings = await this.context.settings()
    const { token: own, credentialProcess } = settings
    const program = credentialProcess && `credential process of the profile ${credentialProcess.profile}`
    const http = createHttp({
      ...address,
      ...(await this.#client(settings)),
      ...limits,
      tokenSource: own?.source === 'profile' ? undefined : (own?.origin ?? program),
      targetFlags: (await this.context.shellLine([])).slice('rma'.length),
      signal: this.context.requestsEnd,
      onLongAnswer: () => this.context.saveMemory(20),
      onRetry: ({ method, path, delayMs, reason }) =>
        void this.context.note(
          `${method} ${path}: ${reason}; trying again in ${Math.max(0.1, delayMs / 1000).toFixed(1)} s`,
        ),
    })
    this.context.onClose(() => http.close())
    return this.context.audit.recording(http)
  }

  async #client({ timeoutMs, retries, caFile, isSandbox, verbose }: Settings) {
    const { io, version } = this.context
    // Two writers of one trace would break it.
    this.#observers ??= this.#openObservers(verbose.value)
    return {
      userAgent: `rma-cli/${version}`,
      timeoutMs: timeoutMs.value,
      retries: retries.value,
      caFile: caFile?.value,
      // The sandbox is in this process: no proxy leads to it.
      env: isSandbox ? {} : io.env,
      observers: await this.#observers,
      now: io.now,
    }
  }

  async #address() {
    const { baseUrl } = await this.context.settings()
    if (baseUrl === undefined) return serveEmbedded(this.context, this.openSandbox)
    const required = requireToken(await this.context.settingsWithToken(), this.context.io.now())
    for (const warning of required.warnings) await this.context.warn(warning)
    const { isSentUnencrypted } = await import('../api/http/origin-guard.ts')
    const isTokenPublic = baseUrl.source !== 'profile' && required.token.isFromSandbox === true
    if (isTokenPublic && isSentUnencrypted(new URL(baseUrl.value)))
      await this.context.warn(
        `The sandbox's token and all data travel readable to everyone on the way to ${baseUrl.value}.`,
      )
    return { baseUrl: baseUrl.value, token: required.token.value, isTokenPublic }
  }

  async #openObservers(isVerbose: boolean) {
    const { streams, traceFile, version } = this.context
    const observers: ExchangeObserver[] = []
    if (isVerbose) {
      const { verboseObserver } = await import('../api/trace/verbose.ts')
      observers.push(verboseObserver((line) => void streams.err.write(`${visible(line)}\n`)))
    }
    if (traceFile !== undefined) {
      const { harWriter } = await import('../api/trace/har.ts')
      const writer = harWriter(
        traceFile,
        { name: 'rma-cli', version },
        (text) => void this.context.warn(text),
      )
      this.context.onClose(() => writer.close())
      observers.push(writer)
    }
    return observers
  }

  async #reportDeviations(hasFailed: boolean) {
    if (this.#deviations.size === 0) return
    const { deviationsError, deviationWarnings } = await import('../api/spec-deviations.ts')
    const error = deviationsError(this.#deviations)
    // An earlier failure takes precedence.
    if (error && !hasFailed && (await this.context.settings()).strict.value) throw error
    for (const line of deviationWarnings(this.#deviations)) await this.context.warn(line)
  }
}
