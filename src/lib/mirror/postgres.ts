import { readFileSync } from 'node:fs'
import { rootCertificates } from 'node:tls'
import { Kysely, PostgresDialect } from 'kysely'
import type { PoolConfig } from 'pg'
import type { DatabaseAddress } from './database-url.ts'
import type { MirrorDb } from './tables.ts'

const CONNECT_MS = 10_000
/** One holds the lock of a sync, one works; more wait. */
const MAX_CONNECTIONS = 3

export interface PostgresOptions {
  /** Of the URL or `PGPASSWORD`; without one, `~/.pgpass`. */
  password: string | undefined
  /** PEM file of further trust anchors. */
  caFile: string | undefined
}

/** Connects when it is first asked; off this machine by TLS only, to a host whose certificate holds. */
export async function openPostgres(
  address: DatabaseAddress,
  { password, caFile }: PostgresOptions,
): Promise<MirrorDb> {
  const { default: pg } = await import('pg')
  const { host, port, user, database, schema, isLocal } = address
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
  const config: PoolConfig = {
    host,
    port,
    user,
    database,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'rma',
    ssl: isLocal ? false : { ca, servername: host },
    ...(password === undefined ? {} : { password }),
    ...(schema === undefined ? {} : { options: `-c search_path=${schema}` }),
  }
  const pool = new pg.Pool(config)
  // A connection that breaks while nobody uses it; whoever asks next is told.
  pool.on('error', () => {})
  return new Kysely({ dialect: new PostgresDialect({ pool }) })
}
