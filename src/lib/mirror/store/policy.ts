import { createHmac, randomBytes } from 'node:crypto'
import { at } from '../../wire/raw.ts'
import type { Return } from '../../wire/returns.ts'
import { readValue, writeValue } from './state.ts'
import type { MirrorDb } from './tables.ts'

/** Choices for copying, kept with the mirror so that every sync copies the same. */
export interface CopyChoices {
  transports: boolean
  refunds: boolean
  /** Transports and refunds of what changed in so many days; null: of everything. */
  detailDays: number | null
  /** How long after their creation returns are kept; null: for ever. */
  keepDays: number | null
  /** IBAN and account holder, too. */
  bankDetails: boolean
  /** Dotted paths that are left out of records: `customer.phone`. */
  without: readonly string[]
}

export const DEFAULT_CHOICES: CopyChoices = {
  transports: true,
  refunds: true,
  detailDays: 90,
  keepDays: 400,
  bankDetails: false,
  without: [],
}

const BANK_DETAILS = ['customerIban', 'accountHolderName']

/** Rules for what a mirror refuses and leaves out. */
export interface CopyPolicy {
  choices: CopyChoices
  /** ISO 8601: returns created before it were forgotten, or are older than what is kept. */
  createdFrom: string | undefined
  /** Whether it is of a person who is to be forgotten. */
  isForgotten(record: Return): boolean
}

export async function readChoices(db: MirrorDb): Promise<CopyChoices> {
  const kept = (await readValue(db, 'meta', 'choices')) as Partial<CopyChoices> | undefined
  return { ...DEFAULT_CHOICES, ...kept }
}

export async function readPolicy(db: MirrorDb): Promise<CopyPolicy> {
  const digests = await db.selectFrom('forgotten').select('digest').execute()
  const forgotten = new Set(digests.map(({ digest }) => digest))
  const key = forgotten.size > 0 ? await forgetKey(db) : ''
  return {
    choices: await readChoices(db),
    createdFrom: (await readValue(db, 'meta', 'created_from')) as string | undefined,
    isForgotten: (record) =>
      forgotten.size > 0 && emailsOf(record).some((email) => forgotten.has(emailDigest(key, email))),
  }
}

/** Under it e-mail addresses are digested; made when it is first needed. */
export async function forgetKey(db: MirrorDb): Promise<string> {
  const key = await readValue(db, 'meta', 'forget_key')
  if (typeof key === 'string') return key
  const made = randomBytes(32).toString('base64url')
  await writeValue(db, 'meta', 'forget_key', made)
  return made
}

export function emailDigest(key: string, email: string): string {
  return createHmac('sha256', key).update(normalEmail(email)).digest('base64url')
}

export function normalEmail(email: string): string {
  return email.normalize('NFKC').trim().toLowerCase()
}

/** The addresses that a record names a person by. */
export function emailsOf(record: Return): string[] {
  return [record.customer, record.origin].flatMap((party) => {
    const email = at(party, 'email')
    return typeof email === 'string' && email !== '' ? [email] : []
  })
}

/** The record without what is left out; the very record if there is nothing of it. */
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
