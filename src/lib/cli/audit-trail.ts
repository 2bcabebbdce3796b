import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Http } from '../api/http/client.ts'
import { effectiveMethod, type HttpRequest } from '../api/http/request.ts'
import { isRead, mayHaveHappened } from '../api/http/retry-policy.ts'
import type { EndedEntry, NewAuditEntry, SentEntry } from '../audit/entry.ts'
import type { AuditLog } from '../audit/log.ts'
import { type AppPaths, makeDataFolder } from '../config/paths.ts'
import type { Settings } from '../config/settings.ts'
import { AppError, rewordError } from '../errors.ts'
import { stringifyJson } from '../wire/json.ts'
import { asText, at } from '../wire/raw.ts'
import type { Io } from './process-io.ts'

/** E-mail address in a path or an id. */
const ADDRESS = /[^/\s]+(?:@|%40)[^/\s]+/gi

type Sent = Omit<SentEntry, 'type' | 'command' | 'agent' | 'profile' | 'origin'>
type Ended = Omit<EndedEntry, 'type' | 'of'>

interface Surroundings {
  io: Pick<Io, 'agent' | 'now' | 'onWrite'>
  paths: AppPaths
  settings(): Promise<Settings>
  warn(text: string): Promise<void>
}

/** Records the writes of one run: a line before each request, one after it, one with the exit code. */
export class AuditTrail {
  readonly dir: string
  #log: Promise<AuditLog> | undefined
  #underWay = 0

  constructor(
    private readonly context: Surroundings,
    private readonly command: string,
  ) {
    this.dir = join(context.paths.dataDir, 'audit')
  }

  /** Records all writes of a client but `attempt`, whose rows are in the journal of a job. */
  recording(http: Http): Http {
    const recorded = async <T>(
      request: HttpRequest,
      send: () => Promise<T>,
      outcomeOf: (value: T) => string = () => 'succeeded',
    ) => {
      if (isRead(effectiveMethod(request))) return send()
      const end = await this.begin(await sentOf(request))
      let outcome = 'bug'
      try {
        const value = await send()
        outcome = outcomeOf(value)
        return value
      } catch (error) {
        if (error instanceof AppError) outcome = error.kind
        throw error
      } finally {
        await end({ outcome })
      }
    }
    return {
      ...http,
      request: (request) => recorded(request, () => http.request(request)),
      write: (request, write) => recorded(request, () => http.write(request, write)),
      probe: (request) =>
        recorded(
          request,
          () => http.probe(request),
          ({ status, headers }) => {
            if (status < 300) return 'succeeded'
            return mayHaveHappened({ kind: 'response', status, headers }) ? 'unknown' : 'rejected'
          },
        ),
    }
  }

  /** Returns a function that records the outcome. @throws AppError if the write must not be sent */
  async begin(sent: Sent): Promise<(ended: Ended) => Promise<void>> {
    this.context.io.onWrite?.()
    const { baseUrl, profile } = await this.context.settings()
    if (baseUrl === undefined) return async () => {}
    const of = await this.#append({
      type: 'sent',
      command: this.command,
      agent: this.context.io.agent,
      profile: profile?.value ?? null,
      origin: new URL(baseUrl.value).origin,
      ...sent,
    }).catch((error: unknown) => {
      throw error instanceof AppError ? rewordError(error, `Not sent. ${error.message}`) : error
    })
    this.#underWay += 1
    return async (ended) => {
      await this.#append({ type: 'ended', of, ...ended }).catch((error: unknown) =>
        this.context.warn(`The outcome of a write is not recorded. ${(error as Error).message}`),
      )
      this.#underWay -= 1
    }
  }

  async end(exitCode: number) {
    if (this.#log === undefined) return
    await this.#append({ type: 'exit', exitCode }).catch(() => {})
    // An interrupted command may still be ending its writes.
    if (this.#underWay === 0) (await this.#log.catch(() => undefined))?.close()
  }

  /** Returns when a command last wrote to a platform, in epoch milliseconds. Writes to the sandbox are not recorded. */
  lastWriteMs(): number {
    if (!existsSync(this.dir)) return 0
    return Math.max(0, ...readdirSync(this.dir).map((name) => statSync(join(this.dir, name)).mtimeMs))
  }

  async #append(entry: NewAuditEntry) {
    this.#log ??= openLog(this.dir)
    return (await this.#log).append(this.context.io.now(), entry)
  }
}

async function openLog(dir: string) {
  await makeDataFolder(dir)
  const { AuditLog } = await import('../audit/log.ts')
  return AuditLog.open(dir)
}

async function sentOf({ method, path, body }: HttpRequest): Promise<Sent> {
  // Loaded here, since reads do without this module.
  const { hash } = await import('node:crypto')
  const text = stringifyJson(body)
  return {
    operation: `${method} ${path.split('?', 1)[0]}`.replace(ADDRESS, '***'),
    shipmentId: asText(at(body, 'clientShipmentId') ?? at(body, 'shipmentId'))?.replace(ADDRESS, '***'),
    bodySha256: text === undefined ? undefined : hash('sha256', text),
  }
}
