import { createHmac, randomBytes } from 'node:crypto'
import { at } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import type { MirrorDb } from './tables.ts'

export const DEFAULT_CHOICES = {
  transports: true,
  refunds: true,
  /** Days of changes whose transports and refunds are copied; null: all. */
  detailDays: 90 as number | null,
  /** Days that returns are kept after their creation; null: for ever. */
  keepDays: 400 as number | null,
  bankDetails: false,
  without: [] as readonly string[],
}

/** Choices for copying, kept with the mirror so that every sync copies the same. */
export type CopyChoices = typeof DEFAULT_CHOICES

const BANK_DETAILS = ['customerIban', 'accountHolderName']

export async function readChoices(db: MirrorDb): Promise<CopyChoices> {
  return { ...DEFAULT_CHOICES, ...(await readValue<Partial<CopyChoices>>(db, 'choices')) }
}

export async function readPolicy(db: MirrorDb) {
  const digests = await db.selectFrom('forgotten').select('digest').execute()
  const forgotten = new Set(digests.map(({ digest }) => digest))
  const key = forgotten.size > 0 ? await forgetKey(db) : ''
  const createdFrom = await readValue<string>(db, 'created_from')
  return {
    choices: await readChoices(db),
    /** Returns created before this time (ISO 8601) were forgotten. */
    createdFrom,
    isTooOld: (createdAt: string | null | undefined) =>
      createdFrom !== undefined && typeof createdAt === 'string' && createdAt < createdFrom,
    isForgotten: (record: Return) =>
      forgotten.size > 0 && emailsOf(record).some((email) => forgotten.has(emailDigest(key, email))),
  }
}

/** Returns the key for digests of e-mail addresses. Makes it on first use. */
export async function forgetKey(db: MirrorDb): Promise<string> {
  const key = await readValue<string>(db, 'forget_key')
  if (key !== undefined) return key
  const made = randomBytes(32).toString('base64url')
  await writeValue(db, 'forget_key', made)
  return made
}

export function emailDigest(key: string, email: string): string {
  return createHmac('sha256', key).update(normalEmail(email)).digest('base64url')
}

export function normalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

export function emailsOf(record: Return): string[] {
  return [record.customer, record.origin].flatMap((party) => {
    const email = at(party, 'email')
    return typeof email === 'string' && email !== '' ? [email] : []
  })
}

export function leaveOut(record: Return, { bankDetails, without }: CopyChoices): Return {
  let kept = record
  if (!bankDetails) for (const name of BANK_DETAILS) kept = withoutPath(kept, [name]) as Return
  for (const path of without) kept = withoutPath(kept, path.split('.')) as Return
  return kept
}

function withoutPath(value: unknown, [key = '', ...rest]: readonly string[]): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutPath(item, [key, ...rest]))
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return value
  const { [key]: gone, ...others } = value as Record<string, unknown>
  return rest.length === 0 ? others : { ...value, [key]: withoutPath(gone, rest) }
}

export const INITIAL_STATE = {
  /** Id of the sandbox's data that were copied; null for a live platform. */
  sandboxId: null as string | null,
  /** Progress of an unfinished full copy. */
  full: null as { position: number | null; startedMs: number; done: number; total: number | null } | null,
  /** Platform time up to which all changes are copied; null before the first copy. */
  markMs: null as number | null,
  /** Lead of the platform's clock; null if the last answer had no time. */
  clockAheadMs: null as number | null,
  syncedMs: null as number | null,
  fullMs: null as number | null,
  /** Returns that the platform had at the last comparison, and its time. */
  platformTotal: null as number | null,
  comparedMs: null as number | null,
  /** Returns that are too old for the mirror; null if there are none. */
  notKept: null as { returns: number; createdBefore: string } | null,
  isComplete: false,
  /** True if the platform ignores the filter by change date: each sync copies all. */
  ignoresUpdates: false,
  /** True if the platform does not filter or sort by creation date. */
  ignoresDates: false,
}

/** Progress of copying, kept in one transaction with the copies. Times are in epoch milliseconds. */
export type SyncState = typeof INITIAL_STATE

export async function readState(db: MirrorDb): Promise<SyncState> {
  return { ...INITIAL_STATE, ...(await readValue<Partial<SyncState>>(db, 'state', 'sync_state')) }
}

export function writeState(db: MirrorDb, state: SyncState) {
  return writeValue(db, 'state', state, 'sync_state')
}

type ValueTable = 'sync_state' | 'meta'

export async function readValue<T>(
  db: MirrorDb,
  name: string,
  table: ValueTable = 'meta',
): Promise<T | undefined> {
  const row = await db.selectFrom(table).select('value').where('name', '=', name).executeTakeFirst()
  return row === undefined ? undefined : JSON.parse(row.value)
}

export async function writeValue(db: MirrorDb, name: string, value: unknown, table: ValueTable = 'meta') {
  const text = JSON.stringify(value)
  await db
    .insertInto(table)
    .values({ name, value: text })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value: text }))
    .execute()
}

export interface MirrorOrigin {
  platform: string
  /** Sorted shop codes; empty: all shops of the token. */
  shops: readonly string[]
  /** Digest of a token that names no shop (`merchantOf`). */
  owner?: string
}

export function readOrigin(db: MirrorDb) {
  return readValue<MirrorOrigin>(db, 'origin')
}
