import { createHash } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { rememberSound } from '../../files/database-integrity.ts'
import type { SeedOptions } from '../demo/seed.ts'
import type { FaultRecord } from '../faults/fault.ts'
import { type Database, Statements } from './database.ts'
import { MEMORY, openDatabase, refill, writeTransaction } from './open.ts'
import { type Fixtures, type Meta, readFixtures, readMeta, Snapshot, WritableSnapshot } from './snapshot.ts'

interface WaitingWrite {
  run(data: WritableSnapshot): () => void
  reject(error: unknown): void
}

export class Store {
  readonly #file: string
  #log: FileHandle | undefined
  #db: Database
  #sql: Statements
  readonly #fixtures: Fixtures
  readonly #waiting: WaitingWrite[] = []
  #writing: Promise<void> | undefined
  #recent: (Meta & { dataId: string }) | undefined

  private constructor(file: string, db: Database) {
    this.#file = file
    this.#db = db
    this.#sql = new Statements(db)
    this.#fixtures = readFixtures(this.#sql)
  }

  /** `file` may be `:memory:`; a new one is filled. */
  static async open(file: string, options: SeedOptions): Promise<Store> {
    return new Store(file, await openDatabase(file, options))
  }

  /** Signs tokens; a reset keeps it. */
  get secret(): string {
    return this.#recentMeta().secret
  }

  /** Id of the data, new after a reset, and the clock's lead in seconds. */
  get identity(): { dataId: string; clockOffset: number } {
    return this.#recentMeta()
  }

  get faults(): FaultRecord[] {
    return this.#recentMeta().faults
  }

  /** Runs `use` on one state of the data, whatever other processes write. */
  read<T>(use: (data: Snapshot) => T): T {
    this.#db.exec('BEGIN')
    try {
      return use(new Snapshot(this.#sql, this.#fixtures))
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  /**
   * Runs `use` in a transaction and settles once it is on the disk. Writes that wait at the same time share a
   * transaction; one that throws is undone alone.
   */
  write<T>(use: (data: WritableSnapshot) => T): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const run = (data: WritableSnapshot) => {
        const result = use(data)
        return () => resolve(result)
      }
      this.#waiting.push({ run, reject })
      this.#writing ??= this.#writeWaiting()
    })
  }

  /** Replaces all data but the secret; until then requests see the old ones. */
  async reset(options: SeedOptions): Promise<void> {
    if (this.#file === MEMORY) await this.#refillMemory(options)
    else await refill(this.#file, options)
    this.#recent = undefined
  }

  async #refillMemory(options: SeedOptions): Promise<void> {
    const { secret, generation } = readMeta(this.#sql)
    const db = await openDatabase(MEMORY, options)
    db.prepare('UPDATE meta SET secret = ?, generation = ?').run([secret, generation + 1])
    this.#db.close()
    this.#db = db
    this.#sql = new Statements(db)
  }

  async #writeWaiting(): Promise<void> {
    await nextTurn()
    while (this.#waiting.length > 0) {
      const writes = this.#waiting.splice(0)
      try {
        const settled = await writeTransaction(this.#db, this.#file, () =>
          writes.map((each) => this.#run(each)),
        )
        if (this.#file !== MEMORY) await this.#syncLog()
        for (const settle of settled) settle()
      } catch (error) {
        for (const { reject } of writes) reject(error)
      }
      await nextTurn()
    }
    this.#writing = undefined
  }

  /** @returns what settles the write after the commit */
  #run({ run, reject }: WaitingWrite): () => void {
    this.#sql.run('SAVEPOINT one')
    try {
      const settle = run(new WritableSnapshot(this.#sql, this.#fixtures))
      this.#sql.run('RELEASE one')
      this.#recent = undefined
      return settle
    } catch (error) {
      this.#sql.run('ROLLBACK TO one')
      this.#sql.run('RELEASE one')
      return () => reject(error)
    }
  }

  /** Syncs the file that SQLite appends transactions to. SQLite itself would hold up all requests meanwhile. */
  async #syncLog(): Promise<void> {
    // Windows syncs only what may be written to.
    this.#log ??= await open(`${this.#file}-wal`, 'r+')
    await this.#log.datasync()
  }

  close(): void {
    Promise.resolve(this.#writing)
      .then(() => this.#log?.close())
      .catch(() => {})
    this.#db.close()
    if (this.#file !== MEMORY) rememberSound(this.#file)
  }

  /** One query for all that the requests of this turn of the event loop ask. */
  #recentMeta(): Meta & { dataId: string } {
    if (this.#recent === undefined) {
      const meta = readMeta(this.#sql)
      this.#recent = { ...meta, dataId: sha256(`data ${meta.secret} ${meta.generation}`).slice(0, 16) }
      setImmediate(() => {
        this.#recent = undefined
      })
    }
    return this.#recent
  }
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}
