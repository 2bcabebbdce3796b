import { usageError } from '../errors.ts'

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|::1|\[::1\])$/i

/** Returns the predicate of an error whose subject is the setting. */
export function databaseUrlProblem(text: string): string | undefined {
  try {
    parseDatabaseUrl(text)
    return undefined
  } catch (error) {
    if (error instanceof RangeError) return error.message
    return 'is not the address of a database; it looks like postgres://user@db.example.com/returns'
  }
}

export function withoutPassword(url: string): string {
  if (!URL.canParse(url) || new URL(url).password === '') return url
  throw usageError(
    '--database takes no password.',
    'give it in PGPASSWORD, in ~/.pgpass, or with the address in RMA_DATABASE',
  )
}

export function shownDatabaseUrl(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  url.password = ''
  return url.href
}

/** @throws RangeError with the problem, TypeError if the text is no URL */
export function parseDatabaseUrl(text: string) {
  const url = new URL(text)
  if (!/^postgres(?:ql)?:$/.test(url.protocol)) throw new RangeError('must start with postgres://')
  const known = ['host', 'schema']
  const unknown = [...url.searchParams.keys()].find((name) => !known.includes(name))
  if (unknown !== undefined) {
    throw new RangeError(`has a parameter ${unknown}; known are ${known.join(' and ')}, TLS needs none`)
  }
  const schema = url.searchParams.get('schema') ?? undefined
  if (schema !== undefined && !/^[A-Za-z_][\w$]*$/.test(schema)) {
    throw new RangeError('has a schema that is not a plain name')
  }
  const host = url.searchParams.get('host') ?? (decodeURIComponent(url.hostname) || 'localhost')
  return {
    /** Host name, IP address, or folder of a socket. */
    host,
    port: Number(url.port || 5432),
    user: decodeURIComponent(url.username) || undefined,
    password: decodeURIComponent(url.password) || undefined,
    database: decodeURIComponent(url.pathname.slice(1)) || undefined,
    /** Absent: the server's default. */
    schema,
    /** True if no data leave this machine. */
    isLocal: host.startsWith('/') || LOOPBACK.test(host),
  }
}
