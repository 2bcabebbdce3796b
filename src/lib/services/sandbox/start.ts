import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { hostname } from 'node:os'
import { createSecureContext } from 'node:tls'
import type { Context } from '../../cli/context.ts'
import { defaultedFlag, type FlagValues, switchFlag, textFlag } from '../../config/flag-kinds.ts'
import { readDuration } from '../../config/flag-values.ts'
import { errorCode, quotedWord, usageError } from '../../errors.ts'
import { parseRateLimit } from '../../sandbox/http/rate-limit.ts'
import { selfSigned } from '../../sandbox/http/self-signed.ts'
import { readFaultFile } from './faults.ts'
import { announce, elsewhereFolder } from './running-sandboxes.ts'
import { openControlledSandbox } from './target.ts'

export const fillFlags = {
  seed: textFlag('N', 'Number that selects the demo data; 1 by default'),
  returns: textFlag('N', 'How many returns; 1200 by default'),
}

/** Most returns that a sandbox is asked to hold: about 1 GB of data a million. */
const MAX_RETURNS = 5_000_000

export function readFill(flags: { seed?: string; returns?: string }) {
  return {
    seed: readNumber('--seed', flags.seed, 2 ** 32 - 1),
    returns: readNumber('--returns', flags.returns, MAX_RETURNS),
  }
}

function readNumber(flag: string, text: string | undefined, most: number) {
  if (text === undefined) return undefined
  const number = /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN
  if (number <= most) return number
  throw usageError(`${flag}: ${JSON.stringify(text)} is not a whole number from 0 to ${most}.`)
}

export async function issueToken(
  context: Context,
  wanted: { shops?: string; expiresIn: string; data?: string },
) {
  const lifetimeSeconds = readDuration('--expires-in', wanted.expiresIn)
  const sandbox = await openControlledSandbox(context, wanted.data)
  const known = await sandbox.shops()
  const shops = wanted.shops?.split(',').map((code) => code.trim()) ?? [...known]
  const unknown = shops.filter((code) => !known.includes(code))
  if (unknown.length > 0) {
    throw usageError(`--shops: the sandbox has no shop ${unknown.join(', ')}.`, `shops: ${known.join(', ')}`)
  }
  return { token: await sandbox.issueToken({ shops, lifetimeSeconds }), shops }
}

export const serveFlags = {
  port: defaultedFlag('PORT', '4010', 'Port to listen on; 0 takes a free one'),
  host: defaultedFlag('HOST', '127.0.0.1', 'Address to listen on'),
  data: textFlag('DIR', 'Keep the data here; by default where the profile mock has them'),
  memory: switchFlag('Keep the data in memory, gone at the end', { exclusive: ['data'] }),
  'tls-cert': textFlag('FILE', 'Serve HTTPS with this certificate (PEM)', { dependsOn: ['tls-key'] }),
  'tls-key': textFlag('FILE', 'Key of --tls-cert (PEM)', { dependsOn: ['tls-cert'] }),
  'tls-self-signed': switchFlag(
    'Serve HTTPS with a certificate made for this run, and print its file for --ca-file',
    { exclusive: ['tls-cert', 'tls-key'] },
  ),
  'allow-remote': switchFlag('Listen on an address that other machines can reach'),
  'rate-limit': textFlag('N/s', 'Answer more requests of one token with 429: 200/s, 1000/m'),
  faults: textFlag('FILE', 'Faults from the start, see rma sandbox faults'),
  ...fillFlags,
}

type ServeFlags = FlagValues<typeof serveFlags>

/** Ctrl-C is an interruption, SIGTERM a success. */
export async function serveSandbox(context: Context, flags: ServeFlags) {
  const { data: dir, memory, host } = flags
  const [port, fill] = [readNumber('--port', flags.port, 65_535) ?? 0, readFill(flags)]
  const rateLimit = readRateLimit(flags['rate-limit'])
  const faults = flags.faults === undefined ? undefined : await readFaultFile(context.input, flags.faults)
  const tls = await readTls(flags, context)
  context.progress.start('Starting the sandbox')
  const sandbox = await context.openSandbox({ dir, memory, ...fill })
  if (faults) await sandbox.faults.set(faults)
  const server = await sandbox.listen({ host, port, tls, rateLimit, allowRemote: flags['allow-remote'] })
  // Set up before printing, as readers of the output may signal at once.
  const stop = AbortSignal.any([context.io.interrupt, context.io.terminate()])
  const stopped = stop.aborted || once(stop, 'abort')
  const announced: Awaited<ReturnType<typeof announce>>[] = []
  try {
    const { baseUrl, controlUrl, controlToken } = server
    const { cacheDir, dataDir } = context.paths
    const running = { baseUrl, controlUrl, controlToken, certificate: tls?.cert }
    const folders = [
      memory ? cacheDir : (dir ?? dataDir),
      ...(dir === undefined ? [] : [elsewhereFolder(cacheDir)]),
    ]
    for (const folder of folders) announced.push(await announce(folder, running))
    const caFile = flags['tls-self-signed'] ? announced[0]?.certificateFile : undefined
    const token = sandbox.issueToken()
    context.progress.stop()
    const text = `Base URL  ${baseUrl}\nToken     ${token}`
    await context.render({ kind: 'text', text, json: { baseUrl, token, controlUrl, controlToken, caFile } })
    await context.note(`For other commands: export RMA_BASE_URL=${baseUrl} RMA_TOKEN=${token}`)
    if (caFile) await context.note(`Its certificate, for this run: --ca-file ${quotedWord(caFile)}`)
    const { inForce } = sandbox.faults
    if (inForce > 0) await context.note(`Faults in force: ${inForce} (rma sandbox faults lists them)`)
    await context.note('Ctrl-C ends it.')
    await context.streams.flush()
    await stopped
  } finally {
    for (const { withdraw } of announced) await withdraw()
    await server.close()
  }
  context.assertNotInterrupted()
}

function readRateLimit(text: string | undefined) {
  if (text === undefined) return undefined
  const limit = parseRateLimit(text)
  if (limit) return limit
  throw usageError(
    `--rate-limit: ${JSON.stringify(text)} is not a rate up to 100000.`,
    'for example 200/s or 1000/m',
  )
}

async function readTls(flags: ServeFlags, { io }: Context) {
  const { 'tls-cert': certFile, 'tls-key': keyFile, host } = flags
  if (flags['tls-self-signed']) {
    return selfSigned([...new Set([host, hostname(), 'localhost', '127.0.0.1', '::1'])], io.now())
  }
  if (certFile === undefined || keyFile === undefined) return undefined
  const [cert = '', key = ''] = await Promise.all(
    Object.entries({ '--tls-cert': certFile, '--tls-key': keyFile }).map(([flag, file]) =>
      readFile(file, 'utf8').catch((cause: unknown) => {
        throw usageError(`${flag} ${file} can't be read (${errorCode(cause)}).`)
      }),
    ),
  )
  try {
    createSecureContext({ cert, key })
  } catch {
    throw usageError(`--tls-cert and --tls-key are not a certificate with its key, as PEM.`)
  }
  return { cert, key }
}
