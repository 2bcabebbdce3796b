import type { Http } from '../../api/http/client.ts'
import type { HttpResponse } from '../../api/http/error-map.ts'
import { requireToken, type Settings } from '../../config/settings.ts'
import { expiryWarning } from '../../config/token.ts'
import { AppError, rewordError } from '../../errors.ts'
import { errorBodySchema } from '../../wire/error-body.ts'
import { numberText } from '../../wire/json.ts'
import { at } from '../../wire/raw.ts'
import { returnListSchema } from '../../wire/returns.ts'
import { type Examination, type Finding, failed, found, skipped, well } from './examination.ts'

const MAX_CLOCK_ERROR_MS = 60_000
/** Spec §9: where live servers have the interface. */
const PREFIX = '/integration/v1'

/** Result of a check of a requirement. */
export interface Essential {
  id: string
  observed: string
  verdict: string
}

export interface PlatformSurroundings {
  settings: Settings | undefined
  /** With the token of a credential process. @throws AppError where it prints none */
  settingsWithToken(): Promise<Settings>
  now: () => number
  /** A client that gives up soon. @throws AppError without a token that could be sent */
  connect(hasToken: boolean): Promise<Http>
  /** Why the built-in sandbox is not to be opened: undefined where it may. */
  sandboxMissing: string | undefined
  essentials(http: Http): Promise<readonly Essential[]>
}

interface Visit {
  http: Http
  hasToken: boolean
  answer: HttpResponse
  sentMs: number
  receivedMs: number
}

/** Whether it is a platform that answers, in time, by a right clock, and takes the token. */
export function platformExaminations(surroundings: PlatformSurroundings): Examination[] {
  const { settings, sandboxMissing } = surroundings
  const why = settings === undefined ? 'no address is known' : sandboxMissing
  let visiting: Promise<Visit> | undefined
  const visited = () => {
    visiting ??= visit(surroundings)
    return visiting
  }
  const on = (look: (visit: Visit, known: Settings) => Finding | Promise<Finding>) => async () => {
    if (settings === undefined || why !== undefined) return skipped(why ?? '')
    return look(await visited(), settings)
  }
  // One check reports a missing answer; the others are skipped.
  const ifAnswered = (look: Parameters<typeof on>[0]) => async () =>
    on(look)().catch((error: unknown) => {
      if (error instanceof AppError && error.kind !== 'interrupted') return skipped('no answer to judge by')
      throw error
    })
  return [
    { id: 'platform.address', look: on(judgeAddress) },
    { id: 'platform.clock', look: ifAnswered(judgeClock) },
    {
      id: 'token.expiry',
      look: async () =>
        settings === undefined || settings.isSandbox
          ? skipped('none is needed')
          : judgeToken(surroundings, await serverTime(visited())),
    },
    { id: 'token.accepted', look: ifAnswered(judgeAcceptance) },
    {
      id: 'platform.supports',
      look: ifAnswered(({ http, hasToken, answer }) =>
        hasToken && answer.status === 200
          ? surroundings.essentials(http).then((results) => judgeEssentials(results, http))
          : skipped('nothing can be read without an accepted token'),
      ),
    },
  ]
}

/** Sends the smallest read (spec §4.7), with the token if it can be sent. */
async function visit({ connect, now }: PlatformSurroundings): Promise<Visit> {
  const [http, hasToken] = await connect(true).then(
    (client) => [client, true] as const,
    async (error: unknown) => {
      if (error instanceof AppError && (error.kind === 'auth' || error.kind === 'config'))
        return [await connect(false), false] as const
      throw error
    },
  )
  const sentMs = now()
  const answer = await http
    .probe({ method: 'GET', path: '/returns', query: { limit: 1 } })
    .catch((error: unknown) => {
      if (!(error instanceof AppError) || error.kind !== 'unavailable') throw error
      // The look's own time is short, and no flag's.
      const hints = error.hints.filter((hint) => !hint.includes('--timeout'))
      throw rewordError(error, error.message, {
        hints: [...hints, 'is a firewall or a VPN between? Else ask whoever runs the platform'],
      })
    })
  return { http, hasToken, answer, sentMs, receivedMs: now() }
}

async function judgeAddress({ http, answer }: Visit, { profile }: Settings): Promise<Finding> {
  if (isPlatforms(answer))
    return well(`${http.baseUrl || 'the built-in sandbox'} answers as the platform does`)
  const { origin, pathname } = new URL(http.baseUrl)
  const set = `rma profiles set ${profile?.value ?? 'NAME'} --base-url`
  const to = answer.headers.location
  if (answer.status >= 300 && answer.status < 400 && to !== undefined) {
    const place = URL.canParse(to, http.baseUrl) ? new URL(to, http.baseUrl).origin : 'another place'
    return found(
      `${http.baseUrl} leads away to ${place} (HTTP ${answer.status}): a login page, or a former address?`,
      `${set} URL, with the address of the interface itself`,
    )
  }
  const observed = `${http.baseUrl} answers, but not as the platform does (HTTP ${answer.status})`
  if (answer.status >= 500) return found(observed, 'wait, and ask whoever runs the platform')
  return pathname.replace(/\/+$/, '').endsWith(PREFIX)
    ? found(observed, `${set} URL, with the address that the platform's people gave you`)
    : found(`${observed}; live servers have the interface below ${PREFIX}`, `${set} ${origin}${PREFIX}`)
}

/** A page of returns, or a refusal in the form that the platform has for them (spec §7). */
function isPlatforms({ status, body }: HttpResponse): boolean {
  if (status === 200) return returnListSchema.pick({ pageInfo: true }).safeParse(body).success
  const isRefusal = [400, 401, 403, 429].includes(status)
  return isRefusal && (errorBodySchema.safeParse(body).data?.errors?.length ?? 0) > 0
}

/** The server's clock at the moment of the visit, against this machine's; undefined where it tells none. */
function clockAheadMs({ answer, sentMs, receivedMs }: Visit): number | undefined {
  const server = Date.parse(answer.headers.date ?? '')
  if (Number.isNaN(server)) return undefined
  // It was written between, and is cut to the second.
  if (server > receivedMs) return server - receivedMs
  return server + 1000 < sentMs ? server + 1000 - sentMs : 0
}

function judgeClock(seen: Visit): Finding {
  const ahead = clockAheadMs(seen)
  if (ahead === undefined) return skipped('the platform tells no time')
  if (Math.abs(ahead) <= MAX_CLOCK_ERROR_MS) return well("this machine's clock agrees with the platform's")
  const minutes = Math.round(Math.abs(ahead) / 60_000)
  return found(
    `this machine's clock is ${minutes} min ${ahead > 0 ? 'behind' : 'ahead of'} the platform's`,
    'set the clock: timedatectl set-ntp true, or the settings of the system',
  )
}

async function serverTime(visiting: Promise<Visit>): Promise<number> {
  return visiting.then(
    (seen) => clockAheadMs(seen) ?? 0,
    () => 0,
  )
}

/** Judges by the platform's clock, since the platform decides. */
async function judgeToken(
  { settingsWithToken, now: clock }: PlatformSurroundings,
  aheadMs: number,
): Promise<Finding> {
  const now = clock()
  try {
    const settings = await settingsWithToken()
    if (settings.baseUrl === undefined) return skipped('no address is known')
    const login = newToken(settings)
    // Whatever else is wrong with it; the time is judged below.
    const { token } = requireToken(settings, 0)
    if (token.expiresAt === undefined) return well(`it says no end (from ${settings.token?.origin})`)
    if (token.issuedAt !== undefined && token.issuedAt > now + aheadMs + MAX_CLOCK_ERROR_MS)
      return found('it is issued in the future: a clock was wrong, or is', login)
    const warning = expiryWarning(token, now + aheadMs, login)
    if (warning !== undefined) return found(warning.replace(/; renew it:.*/, ''), login)
    return well(`valid until ${new Date(token.expiresAt).toISOString()} (from ${settings.token?.origin})`)
  } catch (error) {
    if (error instanceof AppError) return failed(error)
    throw error
  }
}

/** How a profile gets another token. */
function newToken({ credentialProcess, profile }: Settings): string {
  if (credentialProcess) return `run the credential process by hand: ${credentialProcess.command}`
  return profile ? `rma auth login --profile ${profile.value}` : 'put another into RMA_TOKEN'
}

function judgeAcceptance({ http, answer, hasToken }: Visit, settings: Settings): Finding {
  if (settings.isSandbox) return skipped('none is needed')
  if (!hasToken) return skipped('there is none to send')
  const shop = settings.shop?.value
  if (answer.status === 401) {
    return found(
      'the platform does not accept the token',
      newToken(settings),
      `rma auth status${http.placeFlags} shows which token is used`,
    )
  }
  if (answer.status === 403)
    return found('the token may not read returns', 'ask who issues tokens for one that may')
  if (answer.status !== 200) return skipped(`HTTP ${answer.status} tells nothing about the token`)
  const total = numberText(at(at(answer.body, 'pageInfo'), 'totalRecords'))
  return well(`accepted${shop ? ` for ${shop}` : ''}, ${total || 'an unknown number of'} returns`)
}

function judgeEssentials(results: readonly Essential[], { placeFlags }: Http): Finding {
  const wrong = results.filter(({ verdict }) => verdict === 'fail')
  const skips = results.filter(({ verdict }) => verdict === 'not shown').length
  const passed = results.length - wrong.length - skips
  if (wrong.length === 0)
    return well(`${passed} essential checks hold${skips ? `, ${skips} had nothing to see` : ''}`)
  return found(
    wrong.map(({ id, observed }) => `${id}: ${observed}`).join('; '),
    `rma conformance${placeFlags} tells all that departs from the specification`,
  )
}
