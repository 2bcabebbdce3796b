import { readFileSync } from 'node:fs'
import { Socket } from 'node:net'
import { rootCertificates } from 'node:tls'
import { Kysely, PostgresDialect } from 'kysely'
import type { PoolConfig } from 'pg'
import type { AppError } from '../../errors.ts'
import type { MirrorDb } from './tables.ts'

const CONNECT_MS = 10_000
/** Wait for tables that others use, such as dashboards. */
const LOCK_MS = 5000
/** Connections: one holds the lock of a sync, one works. */
const MAX_CONNECTIONS = 3

export interface PostgresServer {
  /** A name, an address, or the folder of a socket. */
  host: string
  port: number
  user: string | undefined
  password: string | undefined
  database: string | undefined
  schema: string | undefined
  isLocal: boolean
  /** Error of a command that needs a mirror, if there is none. */
  absent?: AppError | undefined
  caFile?: string
}

/** Connects at the first query; to other machines by TLS with a valid certificate. */
export async function openPostgres(
  server: PostgresServer,
  onNotice: (notice: { detail?: string | undefined }) => void = () => {},
): Promise<MirrorDb> {
  const { default: pg } = await import('pg')
  const { host, port, user, database, schema, isLocal, caFile } = server
  const password = server.password ?? (await passwordOfFile(server, pg.defaults.user))
  const ca = caFile === undefined ? undefined : [...rootCertificates, readFileSync(caFile, 'utf8')]
  const sockets = new Set<Socket>()
  const config: PoolConfig = {
    stream: () => {
      const socket = new Socket()
      sockets.add(socket)
      return socket.on('close', () => sockets.delete(socket))
    },
    host,
    port,
    user,
    password,
    database,
    max: MAX_CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    application_name: 'rma',
    // pg adds the host whose certificate is checked.
    ssl: isLocal ? false : { ca },
    options: schema && `-c search_path="${schema}"`,
  }
  const pool = new pg.Pool(config)
  // Idle connections may break; the next query fails with it.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    // The pool handles errors of idle connections only; the one that holds the lock runs no query.
    client.on('error', () => {}).on('notice', onNotice)
    // Compiling a search takes longer than running it. PostgreSQL without a compiler has no such setting.
    client.query(`set lock_timeout = ${LOCK_MS}; set jit = off`).catch(() => {})
  })
  const connect = () =>
    pool.connect().catch((error) => {
      // pg leaves a connection without a password open, but the query fails.
      for (const socket of sockets) socket.destroy()
      throw error
    })
  return new Kysely({
    dialect: new PostgresDialect({ pool: { connect, end: () => pool.end() } }),
  })
}

/** Reads `~/.pgpass`, since pg warns that it will stop doing so. */
async function passwordOfFile(server: PostgresServer, defaultUser: string | undefined) {
  const { default: pgpass } = await import('pgpass')
  const { host, port, user = defaultUser ?? '', database = user } = server
  return new Promise<string | undefined>((resolve) => pgpass({ host, port, user, database }, resolve))
}
