import { type Database, Statements } from '../store/database.ts'
import { insertReturn } from '../store/snapshot.ts'
import { demoShops } from './catalogue.ts'
import { type Demo, numberedReturn } from './returns.ts'

const DAY_MS = 86_400_000
const BATCH = 2000

export interface SeedOptions {
  seed: number
  returns: number
  /** Ms since the epoch; only its UTC day counts. */
  now: number
  onSeeding?: ((done: number, total: number) => void) | undefined
  onNote?: ((text: string) => void) | undefined
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
  const sql = new Statements(db)
  insertShops(sql, demo)
  for (let index = 0; index < demo.returns; index++) {
    insertReturn(sql, numberedReturn(demo, index))
    if (index % BATCH === BATCH - 1) {
      onSeeding?.(index + 1, demo.returns)
      await pause()
    }
  }
  onSeeding?.(demo.returns, demo.returns)
}

function insertShops(sql: Statements, demo: Demo): void {
  for (const { shop, catalogue } of demo.shops) {
    sql.run('INSERT INTO shops VALUES (?, ?)', shop.no, JSON.stringify(shop))
    for (const { product } of catalogue) {
      sql.run('INSERT INTO products VALUES (?, ?)', product.no, JSON.stringify(product))
    }
  }
}

function pause(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
