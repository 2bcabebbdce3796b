import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { causedBy, errorCode } from '../errors.ts'
import { counted } from '../wire/counted.ts'
import { jsonOrUndefined } from '../wire/json.ts'
import { type AuditLine, auditLineSchema } from './entry.ts'
import { hostOf, lineHash } from './log.ts'

const LINE_START = '{"chain":"'

interface Location {
  file: string
  /** Null for a whole file. */
  line: number | null
}

/** Line of the log; `entry` is undefined if it can't be read. */
export interface AuditLink extends Location {
  text: string
  entry: AuditLine | undefined
}

export interface BrokenLink extends Location {
  message: string
}

interface Head extends Location {
  seq: number
  hash: string | null
}

/** Yields all lines, in order for each machine. @throws AppError `config` */
export async function* auditLinks(dir: string): AsyncGenerator<AuditLink> {
  for (const file of await namesIn(dir, '.ndjson')) {
    for (const [index, text] of (await linesOf(dir, file)).entries()) {
      if (text === '') continue
      yield { file, line: index + 1, text, entry: auditLineSchema.safeParse(jsonOrUndefined(text)).data }
    }
  }
}

/** Follows each chain to the end that the index names. */
export async function verifyAudit(dir: string) {
  // The index is read first, since lines enter it last.
  const index = await readIndex(dir)
  const files = await namesIn(dir, '.ndjson')
  const chains = new Map<string, Head>()
  /** Unreadable lines by chain and number. A torn line is written again under its number. */
  const unread = new Map<string, Location>()
  const broken: BrokenLink[] = []
  let lines = 0
  for await (const { file, line, text, entry } of auditLinks(dir)) {
    lines += 1
    if (entry === undefined) {
      if (!isTorn(text)) broken.push({ file, line, message: 'the line was not written by rma' })
      const [, chain, seq] = /^\{"chain":"(\w+)","seq":(\d+),/.exec(text) ?? []
      unread.set(`${chain} ${seq}`, { file, line })
      continue
    }
    const { chain, seq, hash } = entry
    const before = chains.get(chain)
    chains.set(chain, { file, line, seq, hash })
    const message = problemOf(text, entry, before)
    if (message !== undefined) broken.push({ file, line, message, ...unreadLine(unread, chain, before) })
  }
  for (const file of index.files) {
    if (!files.includes(file)) broken.push({ file, line: null, message: 'the file is gone' })
  }
  for (const file of files) {
    const host = hostOf(file)
    if (host === undefined) broken.push({ file, line: null, message: 'it was not written by rma' })
    else if (!index.hosts.has(host))
      broken.push({ file: `${host}.index`, line: null, message: `it is gone or empty, and ${file} is there` })
  }
  for (const [chain, head] of index.heads) {
    const last = chains.get(chain)
    if (files.includes(head.file)) broken.push(...endProblem(last, head, unreadLine(unread, chain, last)))
  }
  broken.sort((one, other) => one.file.localeCompare(other.file) || (one.line ?? 0) - (other.line ?? 0))
  return { files: files.length, lines, chains: chains.size, broken }
}

function isTorn(text: string) {
  return text.startsWith(LINE_START) || LINE_START.startsWith(text)
}

function problemOf(text: string, { seq, prev, hash }: AuditLine, before: Head | undefined) {
  if (lineHash(text.replace(/,"hash":"\w+"\}$/, '}')) !== hash) return 'the line was changed'
  const expected = (before?.seq ?? 0) + 1
  if (seq > expected)
    return `${counted(seq - expected, 'line of its run is', 'lines of its run are')} missing before it`
  if (seq < expected || prev !== (before?.hash ?? null))
    return 'the line does not follow the one before it in its run'
  return undefined
}

function endProblem(last: Head | undefined, head: Head, unread: BrokenLink | undefined) {
  const missing = head.seq - (last?.seq ?? 0)
  if (missing > 0)
    return [
      unread ?? {
        file: head.file,
        line: last?.file === head.file ? last.line : null,
        message: `${counted(missing, 'line of a run is', 'lines of a run are')} missing${last ? ' after it' : ''}`,
      },
    ]
  if (missing < 0 || last?.hash === head.hash) return []
  return [{ file: head.file, line: last?.line ?? null, message: 'the line is not the one in the index' }]
}

function unreadLine(
  unread: Map<string, Location>,
  chain: string,
  before: Head | undefined,
): BrokenLink | undefined {
  const location = unread.get(`${chain} ${(before?.seq ?? 0) + 1}`)
  return location && { ...location, message: "the line can't be read" }
}

/** Reads the last synced line of each chain. */
async function readIndex(dir: string) {
  const heads = new Map<string, Head>()
  const files = new Set<string>()
  for (const name of await namesIn(dir, '.index')) {
    for (const text of await linesOf(dir, name)) {
      const [, file, chain, seq, hash] = /^(\S+) (\w+) (\d+) (\w{64})$/.exec(text) ?? []
      if (file === undefined || chain === undefined || hash === undefined) continue
      files.add(file)
      heads.set(chain, { file, line: null, seq: Number(seq), hash })
    }
  }
  return { heads, files, hosts: new Set([...files].map((file) => hostOf(file))) }
}

async function namesIn(dir: string, end: string) {
  const names = await readdir(dir).catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return []
    throw unreadable(dir, error)
  })
  return names.filter((name) => name.endsWith(end)).sort()
}

async function linesOf(dir: string, name: string) {
  const path = join(dir, name)
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw unreadable(path, error)
  })
  return text.split('\n')
}

function unreadable(path: string, cause: unknown) {
  return causedBy(cause, 'config', `The audit log ${path} can't be read (${errorCode(cause)}).`)
}
