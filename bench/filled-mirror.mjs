// A mirror of so many returns, as one made by a sync but for its tables of items and scans, which nothing here reads:
// a sync of a million takes ten minutes.
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { returnAt } from './many-returns.mjs'
import { root, sized } from './measure.mjs'

const MILLION = process.argv.includes('--million') ? [1_000_000] : []
/** How many returns are in the mirrors that are measured. */
export const SIZES = sized([10_000, 100_000, ...MILLION], [1000])
const BATCH = 2000
const PARTS = {
  'open.ts': ['openMirror'],
  'insert.ts': ['insertRows'],
  'identifiers.ts': ['identifiersOf'],
  'late-indexes.ts': ['createLateIndexes', 'dropLateIndexes'],
  'measures.ts': ['measure'],
  'rows.ts': ['refundRows', 'returnRow', 'transportRows'],
  'search/maintain.ts': ['indexReturns', 'textEntry'],
}

/** The mirror's own parts, of which the built command has only pieces. */
export async function loadMirror() {
  // Inside the repository, so that the drivers are found.
  const dir = join(root, '.tmp', `bench-mirror-${process.pid}`)
  mkdirSync(dir, { recursive: true })
  const entry = join(dir, 'entry.ts')
  const from = (file) => JSON.stringify(join(root, 'src/lib/mirror', file))
  const lines = Object.entries(PARTS).map(([file, names]) => `export { ${names} } from ${from(file)}\n`)
  writeFileSync(entry, lines.join(''))
  const external = ['libsql', 'pg', 'kysely']
  const bundle = await rolldown({ cwd: root, platform: 'node', input: entry, external, logLevel: 'silent' })
  await bundle.write({ dir, format: 'esm', entryFileNames: 'mirror.mjs', chunkFileNames: '[name].mjs' })
  await bundle.close()
  const parts = await import(pathToFileURL(join(dir, 'mirror.mjs')).href)
  return { ...parts, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Fills an empty mirror, and writes the same as NDJSON. @returns what it took, and how large the mirror is */
export async function fillMirror(parts, mirror, count, ndjson) {
  const lines = openSync(ndjson, 'w')
  const started = process.cpuUsage()
  await parts.dropLateIndexes(mirror.db)
  for (let first = 0; first < count; first += BATCH) {
    const size = Math.min(BATCH, count - first)
    const returns = Array.from({ length: size }, (_, index) => returnAt(first + index, count))
    await mirror.db.transaction().execute((db) => enter(parts, db, returns))
    writeSync(lines, returns.map(({ record }) => `${JSON.stringify(record)}\n`).join(''))
  }
  closeSync(lines)
  await parts.createLateIndexes(mirror.db)
  const { user, system } = process.cpuUsage(started)
  return { cpuMs: (user + system) / 1000, sizeMiB: (await mirror.counts()).bytes / 2 ** 20 }
}

async function enter(parts, db, returns) {
  const {
    identifiersOf,
    indexReturns,
    insertRows,
    measure,
    refundRows,
    returnRow,
    textEntry,
    transportRows,
  } = parts
  const own = { delivered_at: null, version: 1, transports_version: 1, refunds_version: 1 }
  const rows = returns.map(({ record, syncedAt }) => ({ ...returnRow(record), ...own, synced_at: syncedAt }))
  await insertRows(db, 'returns', rows)
  const each = (rowsOf) => returns.flatMap((one) => rowsOf(one, one.record.id))
  const identifiers = ({ record, transportations }, id) =>
    identifiersOf(record, transportations).map((value) => ({ value, return_id: id }))
  await insertRows(db, 'identifiers', each(identifiers))
  const transports = ({ transportations }, id) => transportRows(transportations, id)
  await insertRows(db, 'transports', each(transports))
  await insertRows(
    db,
    'refunds',
    each(({ refunds }, id) => refundRows(refunds, id)),
  )
  await measure(
    db,
    returns.map((facts) => ({ id: facts.record.id, facts })),
  )
  await indexReturns(
    db,
    rows.map((row, index) => textEntry({ ...row, record: returns[index].record })),
  )
}
