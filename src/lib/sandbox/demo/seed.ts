import { ColumnWriter, executionTimes } from '../store/column-blocks.ts'
import type { Database } from '../store/database.ts'
import { customerText, returnValues } from '../store/return-cells.ts'
import { demoShops } from './catalogue.ts'
import { makeCustomer } from './customers.ts'
import { numberedReturn } from './numbered-return.ts'
import type { Demo, DemoReturn } from './returns.ts'

const DAY_MS = 86_400_000
const BATCH = 2000

export interface SeedOptions {
  seed: number
  returns: number
  /** Ms since the epoch; only its UTC day counts. */
  now: number
  onSeeding?: ((done: number, total: number) => void) | undefined
}

export async function seedDemoData(db: Database, options: SeedOptions): Promise<void> {
  const { onSeeding } = options
  const demo: Demo = {
    seed: options.seed,
    returns: options.returns,
    customers: Math.ceil(options.returns * 0.4),
    anchor: (Math.floor(options.now / DAY_MS) * DAY_MS) / 1000,
    shops: demoShops(),
  }
  onSeeding?.(0, demo.returns)
  insertShops(db, demo)
  await insertCustomers(db, demo)
  const insert = returnInserter(db)
  for (let index = 0; index < demo.returns; index++) {
    insert.add(numberedReturn(demo, index))
    if (index % BATCH === BATCH - 1) {
      onSeeding?.(index + 1, demo.returns)
      await pause()
    }
  }
  insert.finish()
  onSeeding?.(demo.returns, demo.returns)
}

function insertShops(db: Database, demo: Demo): void {
  const shop = db.prepare('INSERT INTO shops VALUES (?, ?)')
  const product = db.prepare('INSERT INTO products VALUES (?, ?)')
  for (const entry of demo.shops) {
    shop.run([entry.shop.no, JSON.stringify(entry.shop)])
    for (const item of entry.catalogue) product.run([item.product.no, JSON.stringify(item.product)])
  }
}

async function insertCustomers(db: Database, demo: Demo): Promise<void> {
  const customer = db.prepare('INSERT INTO customers VALUES (?, ?)')
  for (let no = 0; no < demo.customers; no++) {
    customer.run([no, customerText(makeCustomer(demo.seed, demo.shops, no))])
    if (no % BATCH === BATCH - 1) await pause()
  }
}

function returnInserter(db: Database) {
  const returns = db.prepare('INSERT INTO returns VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  const blocks = db.prepare('INSERT INTO return_columns VALUES (?, ?)')
  const columns = new ColumnWriter((first, data) => void blocks.run([first, data]))
  return {
    add({ row, ...parts }: DemoReturn): void {
      const { no, shop, status, created, updated } = row
      returns.run([...returnValues(row, parts)])
      columns.add({ no, shop, status, created, updated, refunded: executionTimes(parts.refunds) })
    },
    finish: () => columns.flush(),
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
