// A search in mirrors of 10,000 to a million returns, filled directly; `grep` over the same records as NDJSON beside it.
import { spawnSync } from 'node:child_process'
import { createWriteStream, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { rolldown } from 'rolldown'
import { homeEnv, inScratch, mustRun, rma, root, sized, tail } from './measure.mjs'
import { grouped } from './page.mjs'

const SIZES = sized([10_000, 100_000, 1_000_000], [1000])
const BATCH = 500
const ROUNDS = 40
const FIRST_MS = Date.parse('2024-01-01T00:00:00Z')
const SYLLABLES =
  'ba ben bor ca cor da del don fa fer ga gar han her ib jo kal ko la lin ma mar mo nor ol or'.split(' ')

/** The engine, of which the built command has only pieces. */
async function loadMirror() {
  // Inside the repository, so that the drivers are found.
  const dir = join(root, '.tmp', `bench-search-${process.pid}`)
  mkdirSync(dir, { recursive: true })
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: 'src/lib/mirror/open.ts',
    external: ['libsql', 'pg', 'kysely'],
    logLevel: 'silent',
  })
  await bundle.write({ dir, format: 'esm', entryFileNames: 'open.mjs', chunkFileNames: '[name].mjs' })
  await bundle.close()
  const { openMirror } = await import(pathToFileURL(join(dir, 'open.mjs')).href)
  return { openMirror, remove: () => rmSync(dir, { recursive: true, force: true }) }
}

/** Surnames of which some are common and most are rare, as people's are. */
function surname(index) {
  const rank = Math.floor(60_000 ** ((index * 0.618_033_988_75) % 1))
  const at = (power) => SYLLABLES[Math.floor(rank / SYLLABLES.length ** power) % SYLLABLES.length]
  return `${at(0)}${at(1)}${at(2)}${rank % 3 === 0 ? 'ez' : 'son'}`
}

/** The demo data's records over and over, with names, codes, phones and dates of their own. */
function* records(templates, count) {
  for (let index = 0; index < count; index += 1) {
    const one = structuredClone(templates[index % templates.length])
    const order = `LU${2_000_000 + index}`
    const name = surname(index)
    const fullName = `${one.customer.fullName.split(' ')[0]} ${name}`
    const email = `${name}.${index}@example.com`
    const phone = `+34${600_000_000 + ((index * 7919) % 99_999_989)}`
    Object.assign(one, {
      id: String(5_000_000 + index),
      name: `R#-${order}`,
      merchantReturnName: `${order}-R1`,
    })
    for (const party of [one.customer, one.origin]) Object.assign(party, { fullName, email, phone })
    Object.assign(one.ecommerceOrder, { id: String(70_000_000_000 + index), name: order })
    if (one.activeTransportation?.carrierReference) {
      one.activeTransportation.carrierReference = `PQ4E${10_000_000_000 + index * 97}`
    }
    one.createdAt = `${new Date(FIRST_MS + index * 60_000).toISOString().slice(0, 19).replace('T', ' ')}Z`
    yield one
  }
}

/** What support types: each kind of a random return. */
const KINDS = {
  name: (one) => one.customer.fullName,
  'half a name': (one) => one.customer.fullName.slice(0, -2),
  'a name with a typo': (one) => {
    const [first, last] = one.customer.fullName.split(' ')
    return `${first} ${last.slice(0, 2)}${last[3]}${last[2]}${last.slice(4)}`
  },
  'a spoken order': (one) => one.name.slice(2).replace(/(..)(....)(.*)/, '$1 $2 $3'),
  'a phone': (one) => one.customer.phone.slice(3).replace(/(...)(..)(..)(..)/, '$1 $2 $3 $4'),
  'half an e-mail': (one) => one.customer.email.split('@')[0],
  'a tracking code': (one) => one.activeTransportation?.carrierReference ?? one.name,
  'words that many share': () => 'wrong item sandalias',
  'a city and a reason': () => 'madrid too small',
  nothing: () => 'xyzzy quuxly',
}

async function fill(mirror, templates, size, file) {
  const lines = createWriteStream(file)
  const syncedAt = new Date(FIRST_MS).toISOString()
  const started = performance.now()
  let batch = []
  let fillMs = 0
  for (const record of records(templates, size)) {
    batch.push({ record, syncedAt })
    if (batch.length < BATCH) continue
    const from = performance.now()
    await mirror.apply(batch)
    fillMs += performance.now() - from
    const text = batch.map((one) => `${JSON.stringify(one.record)}\n`).join('')
    if (!lines.write(text)) await new Promise((resolve) => lines.once('drain', resolve))
    batch = []
  }
  await new Promise((resolve) => lines.end(resolve))
  return { fillMs, wholeMs: performance.now() - started }
}

async function ask(mirror, templates, size) {
  const times = new Map(Object.keys(KINDS).map((kind) => [kind, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    const index = (round * 104_729) % size
    const template = templates[index % templates.length]
    const one = records([template], 1).next().value
    Object.assign(one, await recordAt(mirror, index))
    for (const [kind, textOf] of Object.entries(KINDS)) {
      const text = textOf(one)
      const from = performance.now()
      await mirror.search({ text, limit: 21 })
      times.get(kind).push(performance.now() - from)
    }
  }
  return times
}

async function recordAt(mirror, index) {
  const [found] = await mirror.byIds([String(5_000_000 + index)])
  return found.record
}

export async function bench() {
  const { openMirror, remove } = await loadMirror()
  try {
    const rows = []
    for (const size of SIZES) rows.push(...(await inScratch((folder) => benchSize(openMirror, folder, size))))
    return rows
  } finally {
    remove()
  }
}

async function benchSize(openMirror, folder, size) {
  const listed = await mustRun(process.execPath, [rma, 'returns', 'list', '--all', '--json'], {
    env: homeEnv(folder),
    keep: true,
  })
  const templates = JSON.parse(listed.stdout).returns
  const [database, export_] = [join(folder, 'mirror.db'), join(folder, 'returns.ndjson')]
  const mirror = await openMirror({ file: database })
  const { fillMs } = await fill(mirror, templates, size, export_)
  const times = await ask(mirror, templates, size)
  await mirror.close()
  const from = performance.now()
  spawnSync('grep', ['-ci', 'nobody.of.this.name', export_])
  const grepMs = performance.now() - from
  const all = [...times.values()].flat()
  return [
    {
      what: `${grouped(size)} returns: any search`,
      ms: tail(all),
      note: `\`grep\`: ${grepMs.toFixed(0)} ms`,
      goals: [['p95', '<', 50]],
    },
    ...(size === SIZES.at(-1) ? [...times].map(([what, list]) => ({ what, ms: tail(list) })) : []),
    {
      what: 'filled, with its index',
      count: size,
      ms: { median: fillMs },
      sizeMiB: statSync(database).size / 2 ** 20,
      note: `NDJSON: ${(statSync(export_).size / 2 ** 20).toFixed(0)} MiB`,
    },
  ]
}
