// Fills mirrors directly instead of by a sync, which would wait for a platform.
import { closeSync, mkdirSync, openSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { TEXT_FILES } from '../tools/text-files.mjs'
import { returnAt } from './many-returns.mjs'
import { inScratch, root, sized } from './measure.mjs'

const MILLION = process.argv.includes('--million') ? [1_000_000] : []
/** Numbers of returns in the measured mirrors. */
export const SIZES = sized([10_000, 100_000, ...MILLION], [1000])
const BATCH = 2000
const PARTS = {
  'store/open.ts': ['openMirror'],
  'store/apply.ts': ['applyReturns'],
  'stats/facts.ts': ['countMirror'],
  'search/search.ts': ['searchReturns'],
}

/** Loads the mirror's modules from the sources: the built command contains only parts of them. */
async function loadMirror() {
  // Inside the repository, so that imports of the database drivers resolve.
  const dir = join(root, '.tmp', `bench-mirror-${process.pid}`)
  mkdirSync(dir, { recursive: true })
  const entry = join(dir, 'entry.ts')
  const from = (file) => JSON.stringify(join(root, 'src/lib/mirror', file))
  const lines = Object.entries(PARTS).map(([file, names]) => `export { ${names} } from ${from(file)}\n`)
  writeFileSync(entry, lines.join(''))
  const external = ['libsql', 'pg', 'kysely']
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: entry,
    external,
    moduleTypes: TEXT_FILES,
    logLevel: 'silent',
  })
  await bundle.write({ dir, format: 'esm', entryFileNames: 'mirror.mjs', chunkFileNames: '[name].mjs' })
  await bundle.close()
  const parts = await import(pathToFileURL(join(dir, 'mirror.mjs')).href)
  return { ...parts, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Collects the rows of `benchSize(parts, folder, count)` for each size, each in a new folder. */
export async function eachSize(benchSize) {
  const parts = await loadMirror()
  try {
    const rows = []
    for (const count of SIZES) rows.push(...(await inScratch((folder) => benchSize(parts, folder, count))))
    return rows
  } finally {
    parts.remove()
  }
}

/** Fills an empty mirror and writes the same returns as NDJSON. @returns time taken and size of the mirror */
export async function fillMirror(parts, mirror, count, ndjson) {
  const lines = openSync(ndjson, 'w')
  const started = process.cpuUsage()
  for (let first = 0; first < count; first += BATCH) {
    const size = Math.min(BATCH, count - first)
    const returns = Array.from({ length: size }, (_, index) => returnAt(first + index, count))
    await parts.applyReturns(mirror.db, returns)
    writeSync(lines, returns.map(({ record }) => `${JSON.stringify(record)}\n`).join(''))
  }
  closeSync(lines)
  const { user, system } = process.cpuUsage(started)
  return { cpuMs: (user + system) / 1000, sizeMiB: (await parts.countMirror(mirror)).bytes / 2 ** 20 }
}
