import { hash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { messageOf } from '../../errors.ts'
import { rememberSound } from '../../files/database-integrity.ts'
import type { SeedOptions } from '../demo/returns.ts'
import { MEMORY, openDatabase, refill, unusable, writeTransaction } from './open.ts'
import { readMeta, Snapshot, Statements, WritableSnapshot } from './snapshot.ts'

interface WaitingWrite {
  run(data: WritableSnapshot): () => void
  reject(error: unknown): void
}

export class Store {
  #log: FileHandle | undefined
  readonly #waiting: WaitingWrite[] = []
  #writing: Promise<void> | undefined
  #isNoted = false
  #meta: (ReturnType<typeof readMeta> & { dataId: string }) | undefined

  private constructor(
    private readonly file: string,
    private sql: Statements,
    private readonly onNote: SeedOptions['onNote'],
  ) {}

  static async open(file: string, options: SeedOptions): Promise<Store> {
    return new Store(file, new Statements(await openDatabase(file, options)), options.onNote)
  }

  /** Queries once a turn of the event loop. A reset renews `dataId`. */
  get meta() {
    if (this.#meta === undefined) {
      const meta = readMeta(this.sql)
      const dataId = hash('sha256', `data ${meta.secret} ${meta.generation}`).slice(0, 16)
      this.#meta = { ...meta, dataId }
      setImmediate(() => {
        this.#meta = undefined
      })
    }
    return this.#meta
  }

  read<T>(use: (data: Snapshot) => T): T {
    this.sql.db.exec('BEGIN')
    try {
      return use(new Snapshot(this.sql))
    } finally {
      this.sql.db.exec('COMMIT')
    }
  }

  /** Settles once the write is on disk. Waiting writes share a transaction; one that throws is undone alone. */
  write<T>(use: (data: WritableSnapshot) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = (data: WritableSnapshot) => {
        const result = use(data)
        return () => resolve(result)
      }
      this.#waiting.push({ run, reject: (error) => reject(this.#cause(error)) })
      this.#writing ??= this.#writeWaiting()
    })
  }

  async reset(options: SeedOptions) {
    if (this.file === MEMORY) await this.#refillMemory(options)
    else await refill(this.file, options)
    this.#meta = undefined
  }

  async #refillMemory(options: SeedOptions) {
    const { secret, generation } = readMeta(this.sql)
    const db = await openDatabase(MEMORY, options)
    db.prepare('UPDATE meta SET secret = ?, generation = ?').run([secret, generation + 1])
    this.sql.db.close()
    this.sql = new Statements(db)
  }

  async #writeWaiting() {
    await nextTurn()
    while (this.#waiting.length > 0) {
      const writes = this.#waiting.splice(0)
      try {
        const settled = await writeTransaction(this.sql.db, this.file, () =>
          writes.map((each) => this.#run(each)),
        )
        if (this.file !== MEMORY) await this.#syncLog()
        this.#isNoted = false
        for (const settle of settled) settle()
      } catch (error) {
        for (const { reject } of writes) reject(error)
      }
      await nextTurn()
    }
    this.#writing = undefined
  }

  #run({ run, reject }: WaitingWrite) {
    this.sql.run('SAVEPOINT one')
    try {
      const settle = run(new WritableSnapshot(this.sql))
      this.sql.run('RELEASE one')
      this.#meta = undefined
      return settle
    } catch (error) {
      this.sql.run('ROLLBACK TO one')
      this.sql.run('RELEASE one')
      return () => reject(error)
    }
  }

  /** Notes a failure of the file once, until a write succeeds. */
  #cause(error: unknown) {
    const cause = unusable(this.file, error)
    if (cause !== error && !this.#isNoted) this.onNote?.(messageOf(cause))
    this.#isNoted ||= cause !== error
    return cause
  }

  /** SQLite's own sync would hold up all requests. */
  async #syncLog() {
    // Windows syncs writable files only.
    this.#log ??= await open(`${this.file}-wal`, 'r+')
    await this.#log.datasync()
  }

  close() {
    Promise.resolve(this.#writing)
      .then(() => this.#log?.close())
      .catch(() => {})
    this.sql.db.close()
    if (this.file !== MEMORY) rememberSound(this.file)
  }
}
