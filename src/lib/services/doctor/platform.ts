import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Http } from '../../api/http/client.ts'
import { detailsOf, type HttpResponse } from '../../api/http/error-map.ts'
import type { Context } from '../../cli/context.ts'
import { requireToken, type Settings } from '../../config/settings.ts'
import { expiryWarning } from '../../config/token.ts'
import { isFailure, rethrowUnless, rewordError } from '../../errors.ts'
import { numberText } from '../../wire/json.ts'
import { at } from '../../wire/raw.ts'
import { returnListSchema } from '../../wire/returns.ts'
import { errorBodySchema } from '../../wire/tracking.ts'
import { type Checks, type Finding, found, skipped } from './examination.ts'
import { otherAddress } from './network.ts'

const MAX_CLOCK_ERROR_MS = 60_000
const PREFIX = '/integration/v1'

type EssentialChecks = (
  http: Http,
  run: { shop: string | undefined; now: () => number },
) => Promise<readonly { id: string; observed: string; verdict: string }[]>

interface Probe {
  http: Http
  hasToken: boolean
  answer: HttpResponse
  /** Server time minus local time. Undefined if the server sends no date. */
  aheadMs: number | undefined
}

type Judge = (probe: Probe, settings: Settings) => Finding | string | Promise<Finding | string>

export function platformChecks(
  context: Context,
  essentials: EssentialChecks,
  settings: Settings | undefined,
): Checks {
  const { now } = context.io
  const isMissing = settings?.isSandbox && !existsSync(join(context.paths.dataDir, 'sandbox.db'))
  const why = isMissing ? 'the built-in sandbox is made when it is first used' : 'no address is known'
  let probing: Promise<Probe> | undefined
  const probed = () => {
    probing ??= probePlatform(
      (hasToken) =>
        settings?.isSandbox ? context.connection.http() : context.connection.impatient(hasToken),
      settings?.shop?.value,
      now,
    )
    return probing
  }
  const on = (judge: Judge) => async () =>
    settings && !isMissing ? judge(await probed(), settings) : skipped(why)
  // Only `platform.address` reports a missing answer.
  const ifAnswered = (judge: Judge) => () =>
    on(judge)().catch((error: unknown) => {
      if (isFailure(error)) return skipped('no answer to judge by')
      throw error
    })
  return {
    'platform.address': on(judgeAddress),
    'platform.clock': ifAnswered(judgeClock),
    'token.expiry': async () => {
      if (settings === undefined || settings.isSandbox) return skipped('none is needed')
      const { aheadMs = 0 } = await probed().catch(() => ({ aheadMs: 0 }))
      return judgeToken(context, now() + aheadMs)
    },
    'token.accepted': ifAnswered(judgeAcceptance),
    'platform.supports': ifAnswered(async ({ http, hasToken, answer }, { shop }) => {
      if (!hasToken || answer.status !== 200) return skipped('nothing can be read without an accepted token')
      return judgeEssentials(await essentials(http, { shop: shop?.value, now }), http)
    }),
  }
}

/** Sends the smallest read (spec §4.7), with the token if it can be sent. */
async function probePlatform(
  connect: (hasToken: boolean) => Promise<Http>,
  shop: string | undefined,
  now: () => number,
): Promise<Probe> {
  let hasToken = true
  const http = await connect(true).catch((error: unknown) => {
    rethrowUnless(error, 'auth', 'config')
    hasToken = false
    return connect(false)
  })
  const sentMs = now()
  const answer = await http
    .probe({ method: 'GET', path: '/returns', query: { limit: 1, shop_code: shop } })
    .catch((error: unknown) => {
      rethrowUnless(error, 'unavailable')
      // The doctor has its own time limit.
      const hints = error.hints.filter((hint) => !hint.includes('--timeout'))
      throw rewordError(error, error.message, {
        hints: [...hints, 'is a firewall or a VPN between? Else ask whoever runs the platform'],
      })
    })
  return { http, hasToken, answer, aheadMs: clockAheadMs(answer, sentMs, now()) }
}

function clockAheadMs({ headers }: HttpResponse, sentMs: number, receivedMs: number) {
  const server = Date.parse(headers.date ?? '')
  if (Number.isNaN(server)) return undefined
  // The server wrote its time between the two local times, cut to the second.
  if (server > receivedMs) return server - receivedMs
  return Math.min(0, server + 1000 - sentMs)
}

function judgeAddress({ http, answer }: Probe, settings: Settings) {
  if (isPlatforms(answer)) return `${http.baseUrl || 'the built-in sandbox'} answers as the platform does`
  const { origin, pathname } = new URL(http.baseUrl)
  const to = answer.headers.location
  if (answer.status >= 300 && answer.status < 400 && to !== undefined) {
    const origin = URL.canParse(to, http.baseUrl) ? new URL(to, http.baseUrl).origin : 'another place'
    return found(
      `${http.baseUrl} leads away to ${origin} (HTTP ${answer.status}): a login page, or a former address?`,
      `${otherAddress(settings, 'URL')}, with the address of the interface itself`,
    )
  }
  const observed = `${http.baseUrl} answers, but not as the platform does (HTTP ${answer.status})`
  if (answer.status >= 500) return found(observed, 'wait, and ask whoever runs the platform')
  return pathname.replace(/\/+$/, '').endsWith(PREFIX)
    ? found(
        observed,
        `${otherAddress(settings, 'URL')}, with the address that the platform's people gave you`,
      )
    : found(
        `${observed}; live servers have the interface below ${PREFIX}`,
        otherAddress(settings, `${origin}${PREFIX}`),
      )
}

function isPlatforms({ status, body }: HttpResponse) {
  if (status === 200) return returnListSchema.pick({ pageInfo: true }).safeParse(body).success
  const isRefusal = [400, 401, 403, 429].includes(status)
  return isRefusal && (errorBodySchema.safeParse(body).data?.errors?.length ?? 0) > 0
}

function judgeClock({ aheadMs }: Probe): Finding | string {
  if (aheadMs === undefined) return skipped('the platform tells no time')
  if (Math.abs(aheadMs) <= MAX_CLOCK_ERROR_MS) return "this machine's clock agrees with the platform's"
  const minutes = Math.round(Math.abs(aheadMs) / 60_000)
  return found(
    `this machine's clock is ${minutes} min ${aheadMs > 0 ? 'behind' : 'ahead of'} the platform's`,
    'set the clock: timedatectl set-ntp true, or the settings of the system',
  )
}

/** @param now platform time in epoch milliseconds, which decides about expiry */
async function judgeToken(context: Context, now: number) {
  const settings = await context.settingsWithToken()
  const login = newToken(settings)
  const { token } = requireToken(settings, 0)
  const from = `(from ${settings.token?.origin})`
  if (token.expiresAt === undefined) return `it says no end ${from}`
  if (token.issuedAt !== undefined && token.issuedAt > now + MAX_CLOCK_ERROR_MS)
    return found('it is issued in the future: a clock was wrong, or is', login)
  const warning = expiryWarning(token, now, login)
  if (warning !== undefined) return found(warning.replace(/; renew it:.*/, ''), login)
  return `valid until ${new Date(token.expiresAt).toISOString()} ${from}`
}

function newToken({ credentialProcess, profile, token }: Settings) {
  if (credentialProcess) return `run the credential process by hand: ${credentialProcess.command}`
  const isKept = token === undefined || token.source === 'profile'
  return profile && isKept
    ? `rma auth login --profile ${profile.value}`
    : `put another into ${token?.origin ?? 'RMA_TOKEN'}`
}

function judgeAcceptance({ http, answer, hasToken }: Probe, settings: Settings) {
  if (settings.isSandbox) return skipped('none is needed')
  if (!hasToken) return skipped('there is none to send')
  if (answer.status === 401) {
    return found(
      'the platform does not accept the token',
      newToken(settings),
      `rma auth status${http.targetFlags} shows which token is used`,
    )
  }
  if (answer.status === 403)
    return found('the token may not read returns', 'ask who issues tokens for one that may')
  const { shop } = settings
  if (shop && detailsOf(answer.body).some(({ code }) => code === 'SC02')) {
    return found(
      `it does not cover the shop ${shop.value} (${shop.origin})`,
      `the shops that it covers: rma auth status${http.targetFlags}`,
    )
  }
  if (answer.status !== 200) return skipped(`HTTP ${answer.status} tells nothing about the token`)
  const total = numberText(at(at(answer.body, 'pageInfo'), 'totalRecords')) || 'an unknown number of'
  return `accepted${shop ? ` for ${shop.value}` : ''}, ${total} returns`
}

function judgeEssentials(results: Awaited<ReturnType<EssentialChecks>>, { targetFlags }: Http) {
  const wrong = results.filter(({ verdict }) => verdict === 'fail')
  const skips = results.filter(({ verdict }) => verdict === 'not shown').length
  if (wrong.length === 0) {
    return `${results.length - skips} essential checks hold${skips ? `, ${skips} had nothing to see` : ''}`
  }
  return found(
    wrong.map(({ id, observed }) => `${id}: ${observed}`).join('; '),
    `rma conformance${targetFlags} tells all that departs from the specification`,
  )
}
