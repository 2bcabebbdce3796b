// Search in mirrors of 10,000 returns and more, a million with --million, compared with `grep` over NDJSON.
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { eachSize, fillMirror, SIZES } from './filled-mirror.mjs'
import { returnAt } from './many-returns.mjs'
import { tail } from './measure.mjs'
import { grouped } from './page.mjs'

const ROUNDS = 40

const swapped = (word) => `${word.slice(0, 2)}${word[3] ?? ''}${word[2] ?? ''}${word.slice(4)}`

/** Queries of a support desk, made from a random return. */
const KINDS = {
  name: ({ customer }) => customer.fullName,
  'half a name': ({ customer }) => customer.fullName.slice(0, -2),
  'a surname': ({ customer }) => customer.fullName.split(' ')[1],
  'a name with a typo': ({ customer }) => {
    const [first, ...rest] = customer.fullName.split(' ')
    return [first, swapped(rest.join(' '))].join(' ')
  },
  'a spoken order': ({ name }) => name.slice(2).replace(/(..)(....)(.*)/, '$1 $2 $3'),
  'a phone': ({ customer }) => customer.phone.slice(3).replace(/(...)(..)(..)(..)/, '$1 $2 $3 $4'),
  'an e-mail': ({ customer }) => customer.email,
  'before the @': ({ customer }) => customer.email.split('@')[0],
  'half an e-mail': ({ customer }) => customer.email.split('@')[0].slice(0, -3),
  'a tracking code': ({ activeTransportation }) => activeTransportation.carrierReference,
  'words that many share': () => 'wrong item sandalias',
  'a city and a reason': ({ customer }) => `${customer.address.city} too small`,
  nothing: () => 'xyzzy quuxly',
}

async function ask({ searchReturns }, mirror, count) {
  const times = new Map(Object.keys(KINDS).map((kind) => [kind, []]))
  for (let round = 0; round < ROUNDS; round += 1) {
    const { record } = returnAt((round * 104_729) % count, count)
    for (const [kind, textOf] of Object.entries(KINDS)) {
      const text = textOf(record)
      const from = performance.now()
      await searchReturns(mirror.db, { text, limit: 21 })
      times.get(kind).push(performance.now() - from)
    }
  }
  return times
}

/** Searches a name key by key, as the desk does. */
async function type({ searchReturns }, mirror, count) {
  const times = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const { customer } = returnAt((round * 7919) % count, count).record
    const letters = Array.from(customer.fullName)
    for (let length = 1; length <= letters.length; length += 1) {
      const from = performance.now()
      await searchReturns(mirror.db, { text: letters.slice(0, length).join(''), limit: 50 })
      times.push(performance.now() - from)
    }
  }
  return times
}

export function bench() {
  return eachSize(benchSize)
}

async function benchSize(parts, folder, count) {
  const [database, export_] = [join(folder, 'mirror.db'), join(folder, 'returns.ndjson')]
  const mirror = await parts.openMirror({ file: database })
  const { cpuMs, sizeMiB } = await fillMirror(parts, mirror, count, export_)
  const times = await ask(parts, mirror, count)
  const keys = await type(parts, mirror, count)
  await mirror.db.destroy()
  const from = performance.now()
  spawnSync('grep', ['-ci', 'nobody.of.this.name', export_])
  const grepMs = performance.now() - from
  const all = [...times.values()].flat()
  return [
    {
      what: `${grouped(count)} returns: any search`,
      ms: tail(all),
      note: `\`grep\`: ${grepMs.toFixed(0)} ms`,
      goals: [['p95', '<', 50]],
    },
    {
      what: `${grouped(count)} returns: each key of a name`,
      ms: tail(keys),
      goals: [['p95', '<', 100]],
    },
    ...(count === SIZES.at(-1)
      ? [...times].map(([what, list]) => ({ what, detail: true, ms: tail(list) }))
      : []),
    { what: 'filled, with its index', count, cpuMs: { median: cpuMs }, sizeMiB },
  ]
}
