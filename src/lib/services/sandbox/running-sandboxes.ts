import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { readdir, readFile, rm } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import type { RequestOptions } from 'node:https'
import { hostname } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as z from 'zod'
import type { Context } from '../../cli/context.ts'
import { textFlag } from '../../config/flag-kinds.ts'
import { makeDataFolder } from '../../config/paths.ts'
import { AppError, appError, errorCode, usageError } from '../../errors.ts'
import { askKernel, holdLiveness } from '../../files/liveness.ts'
import { removeStaleFiles, replaceFile } from '../../files/temporary-file.ts'
import { jsonOrUndefined } from '../../wire/json.ts'
import { errorBodySchema } from '../../wire/tracking.ts'

export const dataFlags = {
  data: textFlag('DIR', 'Data of the sandbox, if elsewhere than usual'),
}

/** File by which other processes find a running sandbox. */
const entrySchema = z.object({
  baseUrl: z.string().refine((text) => URL.canParse(text)),
  controlUrl: z.string(),
  controlToken: z.string(),
  /** PEM; undefined without TLS. */
  certificate: z.string().optional(),
  pid: z.int(),
  host: z.string(),
  alive: z.string(),
})

type Entry = z.infer<typeof entrySchema> & { file: string }
type RunningSandbox = Pick<Entry, 'baseUrl' | 'controlUrl' | 'controlToken' | 'certificate'>

const FILE = /^sandbox-[\w-]+\.json$/

/** Folder that lists sandboxes with data elsewhere, found by base URL. */
export function elsewhereFolder(cacheDir: string): string {
  return join(cacheDir, 'sandboxes')
}

/** Writes this process's entry file, for its owner alone. Removes those of dead processes. */
export async function announce(
  dir: string,
  running: RunningSandbox,
): Promise<{ withdraw: () => Promise<void>; certificateFile: string }> {
  await makeDataFolder(dir)
  await removeStaleFiles(dir)
  const liveness = await holdLiveness(dir)
  for (const entry of await entriesIn(dir)) if (await isDead(entry)) await removeEntry(entry.file)
  // Containers that share the folder may share process ids and ports.
  const file = join(dir, `sandbox-${randomBytes(6).toString('hex')}-${new URL(running.baseUrl).port}.json`)
  const entry = { ...running, pid: process.pid, host: hostname(), alive: liveness.name }
  await replaceFile(file, `${JSON.stringify(entry, undefined, 2)}\n`)
  const certificateFile = file.replace(/json$/, 'pem')
  if (running.certificate !== undefined) await replaceFile(certificateFile, running.certificate)
  const withdraw = async () => {
    await removeEntry(file)
    liveness.release()
  }
  return { withdraw, certificateFile }
}

async function removeEntry(file: string) {
  for (const one of [file, file.replace(/json$/, 'pem')]) await rm(one, { force: true })
}

/** @throws AppError `unavailable` if none runs, `usage` if several do */
async function findRunning(dirs: readonly string[], baseUrl: string | undefined): Promise<RunningSandbox> {
  const entries = (await Promise.all(dirs.map(entriesIn))).flat().filter(({ host }) => host === hostname())
  // Users may leave out the base URL's path.
  const matching = entries.filter(
    (entry) => baseUrl === undefined || new URL(entry.baseUrl).origin === new URL(baseUrl).origin,
  )
  const alive: Entry[] = []
  for (const entry of matching) if (!(await isDead(entry))) alive.push(entry)
  const [running, another] = alive
  if (running && !another) return running
  if (running) {
    throw usageError('Several sandboxes are running.', ...alive.map((entry) => `--base-url ${entry.baseUrl}`))
  }
  const [dead] = matching
  const where = baseUrl === undefined ? '' : ` at ${baseUrl}`
  throw appError(
    'unavailable',
    dead
      ? `The sandbox at ${dead.baseUrl} is gone: its process ${dead.pid} ended unexpectedly.`
      : `No sandbox of this machine is running${where}.`,
    'rma sandbox start, in another terminal',
    'one that keeps its data elsewhere is found with --data DIR or --base-url URL',
  )
}

async function entriesIn(dir: string): Promise<Entry[]> {
  const names = await readdir(dir).catch((error: unknown) => {
    if (['ENOENT', 'ENOTDIR'].includes(errorCode(error) ?? '')) return []
    throw new AppError('config', `${dir} can't be read (${errorCode(error) ?? String(error)}).`)
  })
  const entries = await Promise.all(
    names.filter((name) => FILE.test(name)).map((name) => readEntry(join(dir, name))),
  )
  return entries.filter((entry) => entry !== undefined)
}

async function readEntry(file: string): Promise<Entry | undefined> {
  try {
    const { data } = entrySchema.safeParse(JSON.parse(await readFile(file, 'utf8')))
    return data && { ...data, file }
  } catch {
    // Gone meanwhile, or not yet written.
    return undefined
  }
}

async function isDead({ file, alive }: Entry) {
  return (await askKernel(dirname(file), alive)) === 'dead'
}

/** Making a million returns takes about a minute. */
const TIMEOUT_MS = 120_000

export interface SandboxControl {
  baseUrl: string
  call(method: 'GET' | 'PUT' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<unknown>
}

export async function openControl(context: Context, data: string | undefined): Promise<SandboxControl> {
  const { baseUrl } = await context.settings()
  const { dataDir, cacheDir } = context.paths
  const named = baseUrl?.source === 'profile' ? undefined : baseUrl?.value
  const usual = named === undefined ? [dataDir, cacheDir] : [dataDir, cacheDir, elsewhereFolder(cacheDir)]
  const running = await findRunning(data === undefined ? usual : [data], named)
  return {
    baseUrl: running.baseUrl,
    call: async (method, path, body) => {
      const { status, text: answer } = await exchange(running, path, {
        method,
        headers: { Authorization: `Bearer ${running.controlToken}` },
        signal: AbortSignal.any([context.io.interrupt, AbortSignal.timeout(TIMEOUT_MS)]),
        body: body === undefined ? undefined : JSON.stringify(body),
      })
      if (status === 200) return JSON.parse(answer)
      throw refused(status, answer, running)
    },
  }
}

async function exchange(
  { baseUrl, controlUrl, certificate: ca }: RunningSandbox,
  path: string,
  { body, ...options }: Pick<RequestOptions, 'method' | 'headers' | 'signal'> & { body: string | undefined },
) {
  const { request } = await (ca === undefined ? import('node:http') : import('node:https'))
  // Trusts that very certificate only, whatever host it is for.
  const trust = { ca, allowPartialTrustChain: true, checkServerIdentity: () => undefined }
  try {
    const sent = request(controlUrl + path, { ...options, ...trust }).end(body)
    const [answer] = (await once(sent, 'response')) as [IncomingMessage]
    return { status: answer.statusCode ?? 0, text: await text(answer) }
  } catch (error) {
    const code = errorCode(error)
    throw appError(
      'unavailable',
      `The sandbox at ${baseUrl} does not answer${code ? ` (${code})` : ''}.`,
      'rma sandbox start, in another terminal',
    )
  }
}

function refused(status: number, text: string, { baseUrl }: RunningSandbox) {
  const body = errorBodySchema.safeParse(jsonOrUndefined(text))
  const details = (body.data?.errors ?? []).map(({ message }) => ({ message: message ?? 'no message' }))
  if (status === 401) {
    return new AppError(
      'config',
      `Another program than the sandbox that was started answers at ${baseUrl}.`,
      {
        hints: ['rma sandbox start, in another terminal'],
        status,
      },
    )
  }
  // CT03: valid, but not in this state.
  const isRefusal = body.data?.errors?.some(({ code }) => code === 'CT03')
  const kind = status === 404 ? 'not-found' : isRefusal ? 'rejected' : status < 500 ? 'usage' : 'unavailable'
  const [only, ...others] = details
  return others.length > 0 || !only
    ? new AppError(kind, 'The sandbox refuses this.', { details, status })
    : new AppError(kind, `${only.message}.`, { status })
}
