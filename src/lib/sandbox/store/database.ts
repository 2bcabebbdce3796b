import type Libsql from 'libsql'

export type Database = InstanceType<typeof Libsql>
export type SqlValue = string | number | null | Uint8Array

/** Runs statements, each prepared once. Rows have the type that the caller says, unchecked: only the sandbox writes the tables. */
export class Statements {
  readonly #db: Database
  readonly #prepared = new Map<string, ReturnType<Database['prepare']>>()

  constructor(db: Database) {
    this.#db = db
  }

  get<Row>(sql: string, ...values: SqlValue[]): Row | undefined {
    return this.all<Row>(sql, ...values)[0]
  }

  all<Row>(sql: string, ...values: SqlValue[]): Row[] {
    // A list: a lone null or blob would be taken for named parameters.
    return this.#prepare(sql).all(values) as Row[]
  }

  run(sql: string, ...values: SqlValue[]): void {
    this.#prepare(sql).run(values)
  }

  #prepare(sql: string): ReturnType<Database['prepare']> {
    const known = this.#prepared.get(sql) ?? this.#db.prepare(sql)
    this.#prepared.set(sql, known)
    return known
  }
}

/** The driver is a native module and loads here only. */
export async function connect(file: string): Promise<Database> {
  const { default: Constructor } = await import('libsql')
  return new Constructor(file)
}

export function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && /^SQLITE_(BUSY|LOCKED)/.test(String(error.code))
}
