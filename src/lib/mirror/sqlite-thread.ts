import { createRequire } from 'node:module'
import { Worker } from 'node:worker_threads'
import {
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type Kysely,
  type QueryResult,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'

/**
 * SQLite in another thread, since it gives the event loop no turn. A statement that failed fails all that come after it
 * up to the end of the transaction, as in PostgreSQL: they were sent before that was known.
 *
 * A text rather than a file, as the program is bundled.
 */
const PROGRAM = `
  const { parentPort, workerData: { libsql, file, setup } } = require('node:worker_threads')
  const Database = require(libsql)
  const db = new Database(file)
  db.exec(setup)
  const statements = new Map()
  let failure
  const run = (sql, parameters) => {
    if (sql === 'rollback' && !db.inTransaction) return []
    const statement = statements.get(sql) ?? db.prepare(sql)
    statements.set(sql, statement)
    if (statement.reader) return statement.all(parameters)
    if (!Array.isArray(parameters[0])) statement.run(parameters)
    else for (const row of parameters) statement.run(row)
    return []
  }
  parentPort.on('message', ({ sql, parameters, isAsked }) => {
    let rows = []
    if (sql === 'rollback') failure = undefined
    try {
      if (!failure) rows = run(sql, parameters)
    } catch ({ message, code }) {
      failure = { message, code }
    }
    if (isAsked) parentPort.postMessage({ rows, failure })
  })`

/** Its heap holds statements, and the rows that are on their way. */
const LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 128 }

/** For transactions that write: what gives no rows is not waited for, and fails the next thing that is. */
export class ThreadDialect implements Dialect {
  constructor(
    private readonly file: string,
    /** Statements for the connection. */
    private readonly setup: string,
  ) {}

  createDriver(): Driver {
    return new ThreadDriver(this.file, this.setup)
  }

  createQueryCompiler() {
    return new SqliteQueryCompiler()
  }

  createAdapter() {
    return new SqliteAdapter()
  }

  createIntrospector(db: Kysely<unknown>) {
    return new SqliteIntrospector(db)
  }
}

interface Answer {
  rows: unknown[]
  failure?: { message: string; code?: string }
}

class ThreadDriver implements Driver {
  #connection: ThreadConnection | undefined
  #turn: Promise<void> = Promise.resolve()
  #endTurn = () => {}

  constructor(
    private readonly file: string,
    private readonly setup: string,
  ) {}

  async init(): Promise<void> {
    this.#connection = new ThreadConnection(this.file, this.setup)
  }

  async acquireConnection(): Promise<ThreadConnection> {
    const before = this.#turn
    let endTurn = () => {}
    this.#turn = new Promise((resolve) => {
      endTurn = resolve
    })
    await before
    this.#endTurn = endTurn
    return this.#connection as ThreadConnection
  }

  async releaseConnection(): Promise<void> {
    this.#endTurn()
  }

  async beginTransaction(connection: ThreadConnection): Promise<void> {
    connection.post('begin immediate')
  }

  async commitTransaction(connection: ThreadConnection): Promise<void> {
    await connection.ask('commit')
  }

  async rollbackTransaction(connection: ThreadConnection): Promise<void> {
    await connection.ask('rollback')
  }

  async destroy(): Promise<void> {
    await this.#connection?.end()
  }
}

const GIVES_ROWS = /^\s*(?:select|with|pragma)\b|\breturning\b/i

class ThreadConnection implements DatabaseConnection {
  readonly #worker: Worker
  readonly #waiting: ((answer: Answer) => void)[] = []
  /** The thread itself. */
  #failure: Error | undefined

  constructor(file: string, setup: string) {
    const libsql = createRequire(import.meta.url).resolve('libsql')
    this.#worker = new Worker(PROGRAM, {
      eval: true,
      workerData: { libsql, file, setup },
      resourceLimits: LIMITS,
    })
    this.#worker.on('message', (answer: Answer) => this.#waiting.shift()?.(answer))
    this.#worker.on('error', (error) => this.#fail(error))
    this.#worker.on('exit', () => this.#fail(new Error('the thread of the database ended')))
  }

  post(sql: string, parameters: readonly unknown[] = []): void {
    this.#worker.postMessage({ sql, parameters, isAsked: false })
  }

  async ask(sql: string, parameters: readonly unknown[] = []): Promise<unknown[]> {
    if (this.#failure !== undefined) throw this.#failure
    this.#worker.postMessage({ sql, parameters, isAsked: true })
    const { rows, failure } = await new Promise<Answer>((resolve) => {
      this.#waiting.push(resolve)
    })
    if (this.#failure !== undefined) throw this.#failure
    if (failure === undefined) return rows
    throw Object.assign(new Error(failure.message), { code: failure.code })
  }

  async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    if (GIVES_ROWS.test(sql)) return { rows: (await this.ask(sql, parameters)) as R[] }
    this.post(sql, parameters)
    return { rows: [] }
  }

  // biome-ignore lint/correctness/useYield: what writes reads nothing row by row
  async *streamQuery<R>(): AsyncGenerator<QueryResult<R>> {
    throw new Error('not in a thread that writes')
  }

  async end(): Promise<void> {
    await this.#worker.terminate()
  }

  #fail(error: Error): void {
    this.#failure ??= error
    for (const resolve of this.#waiting.splice(0)) resolve({ rows: [] })
  }
}
