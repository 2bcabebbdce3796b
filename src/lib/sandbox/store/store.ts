import { createHash } from 'node:crypto'
import { rememberSound } from '../../files/database-integrity.ts'
import type { SeedOptions } from '../demo/seed.ts'
import type { FaultRecord } from '../faults/fault-table.ts'
import { AnswerCache } from './answer-cache.ts'
import { ColumnCache } from './column-cache.ts'
import type { Database } from './database.ts'
import { GroupCommit } from './group-commit.ts'
import { MEMORY, openDatabase, refill, savepoint, writeTransaction } from './open.ts'
import { type Meta, prepareAll, type Queries } from './queries.ts'
import { RecordCache } from './record-cache.ts'
import { returnsOfLines } from './return-cells.ts'
import { CaseTables } from './return-tables.ts'
import type { Product, Shop } from './rows.ts'
import type { ClockMove, Snapshot, StoredReturn, TextFilter, WritableSnapshot } from './snapshot.ts'
import { WriteAheadLog } from './write-ahead-log.ts'
import { WriteParts } from './write-parts.ts'

interface Generation {
  number: number
  secret: string
  shops: Shop[]
  products: Map<number, Product>
  columns: ColumnCache
  records: RecordCache
  writable: WritableSnapshot
}

type ReadGeneration = Omit<Generation, 'writable'>

/** Returns read at once: their blob is of a size that V8 and the allocator still use again and again. */
const PART = 100

export class Store {
  readonly #file: string
  #db: Database
  #queries: Queries
  #cases: CaseTables
  #generation: Generation | undefined
  #known: (Pick<Meta, 'generation' | 'secret'> & { id: string }) | undefined
  #recent: Meta | undefined
  readonly #parts = new WriteParts((work) => savepoint(this.#db, work))
  readonly #writes: GroupCommit<WritableSnapshot>
  readonly #log: WriteAheadLog | undefined
  readonly #answers = new AnswerCache()

  private constructor(file: string, db: Database) {
    this.#file = file
    this.#db = db
    this.#queries = prepareAll(db)
    this.#cases = new CaseTables(db, this.#queries)
    this.#log = file === MEMORY ? undefined : new WriteAheadLog(file)
    this.#writes = new GroupCommit({
      transaction: async (work) => {
        await this.#parts.transaction((all) => this.#transaction(all), work)
        await this.#log?.sync()
      },
      part: (work) => this.#parts.part(work),
    })
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
    const meta = this.#recentMeta()
    return { dataId: this.#dataId(meta), clockOffset: meta.clockOffset }
  }

  get faults(): FaultRecord[] {
    return faultsIn(this.#recentMeta())
  }

  /** The last move of the clock. */
  get move(): ClockMove | undefined {
    return moveIn(this.#recentMeta())
  }

  /** Runs `use` on one state of the data, whatever other processes write. */
  read<T>(use: (data: Snapshot) => T): T {
    this.#db.exec('BEGIN')
    try {
      const meta = this.#queries.meta()
      return use(this.#snapshot(this.#generationOf(meta), meta))
    } finally {
      this.#db.exec('COMMIT')
    }
  }

  /** The answer to a question about returns: that of before if none has changed since, or what `make` reads now. */
  answer(question: string, make: () => Buffer): Buffer {
    const { generation, changed } = this.#queries.meta()
    return this.#answers.answer(`${generation} ${changed}`, question, make)
  }

  /** Settles once all is on the disk, or none after an error. Writes at one time share a transaction, in order. */
  write<T>(use: (data: WritableSnapshot) => T): Promise<T> {
    return this.#writes.write(use)
  }

  async #transaction(work: (data: WritableSnapshot) => void): Promise<void> {
    try {
      await writeTransaction(this.#db, this.#file, () => {
        this.#recent = undefined
        const meta = this.#queries.meta()
        const generation = this.#generationOf(meta)
        generation.columns.merge(meta)
        work(generation.writable)
      })
    } finally {
      this.#recent = undefined
    }
  }

  /** Replaces all data but the secret; until then requests see the old ones. */
  async reset(options: SeedOptions): Promise<void> {
    await this.#refill(options)
    this.#recent = undefined
  }

  async #refill(options: SeedOptions): Promise<void> {
    if (this.#file === MEMORY) {
      const { secret, generation } = this.#queries.meta()
      const db = await openDatabase(MEMORY, options)
      db.prepare('UPDATE meta SET secret = ?, generation = ?').run([secret, generation + 1])
      this.#db.close()
      this.#db = db
      this.#queries = prepareAll(db)
      this.#cases = new CaseTables(db, this.#queries)
      this.#generation = undefined
      return
    }
    await refill(this.#file, options)
  }

  close(): void {
    this.#log?.close()
    this.#db.close()
    if (this.#file !== MEMORY) rememberSound(this.#file)
  }

  /**
   * As of this turn of the event loop, whose requests had arrived when it began: each asks several times, and every
   * question is a query. A transaction has its own.
   */
  #recentMeta(): Meta {
    if (this.#recent === undefined) {
      this.#recent = this.#queries.meta()
      setImmediate(() => {
        this.#recent = undefined
      })
    }
    return this.#recent
  }

  #dataId({ generation, secret }: Meta): string {
    if (this.#known?.generation !== generation || this.#known.secret !== secret) {
      this.#known = { generation, secret, id: sha256(`data ${secret} ${generation}`).slice(0, 16) }
    }
    return this.#known.id
  }

  #generationOf(meta: Meta): Generation {
    if (this.#generation?.number !== meta.generation) {
      const products: Product[] = this.#queries.products.all().map(({ doc }) => JSON.parse(doc))
      const records = new RecordCache()
      const read = {
        number: meta.generation,
        secret: meta.secret,
        shops: this.#queries.shops.all().map(({ doc }) => JSON.parse(doc)),
        products: new Map(products.map((product) => [product.no, product])),
        columns: new ColumnCache(this.#queries, (no) => records.forget(no)),
        records,
      }
      this.#generation = { ...read, writable: this.#writable(read) }
    }
    return this.#generation
  }

  #snapshot(generation: Generation, meta: Meta): Snapshot {
    return {
      ...this.#reads(generation),
      search: (filter, skip, limit) => {
        const among = this.#candidates(filter)
        return generation.columns.current(meta).search({ ...filter, among }, skip, limit)
      },
      page: (numbers, kind, write, around) =>
        generation.records.page(
          numbers,
          kind,
          (missing) => this.#written(missing, write, generation),
          around,
        ),
    }
  }

  #reads(generation: ReadGeneration): Omit<Snapshot, 'search' | 'page'> {
    const { labels } = this.#queries
    return {
      shops: generation.shops,
      product: (no) => known(generation.products.get(no), 'product', no),
      products: () => generation.products.values(),
      findReturn: (no) => [...this.#returns([no], generation)][0],
      findCase: (no) => this.#cases.find(no),
      findShipment: (shop, name) => this.#cases.findShipment(shop, name),
      casesOfOrder: (shop, order) => this.#cases.casesOfOrder(shop, order),
      labelSets: (shop, clientShipmentId) => labels.ofShipment(shop, clientShipmentId),
      labelSet: (no) => labels.numbered(no),
      servedLabel: (urlKey) => labels.served(urlKey),
    }
  }

  #writable(generation: ReadGeneration): WritableSnapshot {
    const { labels, setClockOffset, setFaults, setMove } = this.#queries
    const cases = this.#cases
    const writing =
      <A extends unknown[], R>(write: (...values: A) => R) =>
      (...values: A): R => {
        this.#parts.noteWrite()
        return write(...values)
      }
    return {
      ...this.#reads(generation),
      findNamed: (name) => cases.findNamed(name),
      saveCase: writing((before, after) => cases.save(before, after)),
      *casesWithStatus(range, one, other) {
        for (const no of cases.withStatus(range, one, other)) {
          const found = cases.find(no)
          if (found !== undefined) yield found
        }
      },
      firstReturn: () => cases.first(),
      lastReturn: () => cases.last(),
      returnsOfOrder: (shop, order) => cases.ofOrder(shop, order),
      addCustomer: writing((customer) => cases.addCustomer(customer)),
      addReturn: writing((row, parts) => cases.add(row, parts)),
      clockOffset: () => this.#queries.meta().clockOffset,
      setClockOffset: writing((seconds) => void setClockOffset.all(seconds)),
      faults: () => faultsIn(this.#queries.meta()),
      setFaults: writing((faults) => void setFaults.all(JSON.stringify(faults))),
      move: () => moveIn(this.#queries.meta()),
      setMove: writing((move) => void setMove.all(JSON.stringify(move))),
      takeParcelNumbers: writing((count) => labels.takeParcelNumbers(count)),
      addLabelSet: writing((set) => labels.add(set)),
    }
  }

  /** One at a time, so that what is made on the way is gone before the collector looks for it. */
  *#written(
    numbers: readonly number[],
    write: (stored: StoredReturn) => string,
    generation: Generation,
  ): Iterable<string> {
    let at = 0
    for (const stored of this.#returns(numbers, generation)) {
      const no = numbers[at++] ?? 0
      yield write(known(stored.no === no ? stored : undefined, 'return', no))
    }
  }

  *#returns(numbers: readonly number[], { shops }: ReadGeneration): Iterable<StoredReturn> {
    for (let from = 0; from < numbers.length; from += PART) {
      const [lines] = this.#queries.returns.get(JSON.stringify(numbers.slice(from, from + PART))) ?? []
      if (lines) yield* returnsOfLines(lines, shops)
    }
  }

  #candidates({ name, order }: TextFilter): number[] | undefined {
    const byName = name === undefined ? undefined : this.#queries.byName.all(name).map(({ no }) => no)
    if (order === undefined) return byName
    const byOrder = this.#queries.byOrder.all(order, `R#-${order}`, `R#-${order}.`, order).map(({ no }) => no)
    return byName === undefined ? byOrder : byName.filter((no) => byOrder.includes(no))
  }
}

function faultsIn({ faults }: Meta): FaultRecord[] {
  return JSON.parse(faults)
}

function moveIn({ move }: Meta): ClockMove | undefined {
  return move === null ? undefined : JSON.parse(move)
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex')
}

function known<T>(value: T | undefined, what: string, no: number): T {
  if (value === undefined) throw new Error(`The data file has no ${what} ${no}`)
  return value
}
