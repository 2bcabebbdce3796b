// `npm run bench [-- PART…]` prints the results of all or the named benchmarks as tables. --save also writes them to
// results.json and the pages about speed. --quick is a smoke test. --against DIR compares two builds. --million runs
// search and stats with a million returns, ten minutes each to fill. --minutes N shortens the soak of an hour.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { compare, rounds as compareRounds, SUBJECTS } from './compare.mjs'
import { watchMachine } from './machine.mjs'
import { root } from './measure.mjs'
import { PAGES, pageWith, resultsText, sectionOf } from './page.mjs'

/** Benchmarks, each a file of bench/. */
const PARTS = [
  ...[
    'startup',
    'startup-nodes',
    'reading',
    'sync',
    'labels',
    'printing',
    'push',
    'pace',
    'memory',
    'million',
    'search',
    'stats',
  ],
  ...['sandbox-returns', 'sandbox-advance', 'sandbox-trackings', 'sandbox-pudos', 'soak'],
]
const resultsFile = join(root, 'bench/results.json')
const pages = PAGES.map((path) => join(root, path))

function refuse(message) {
  console.error(message)
  process.exit(2)
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    against: { type: 'string' },
    million: { type: 'boolean' },
    minutes: { type: 'string' },
    quick: { type: 'boolean' },
    save: { type: 'boolean' },
  },
})
const { against, quick, save } = values
const known = against === undefined ? PARTS : SUBJECTS
const unknown = positionals.filter((name) => !known.includes(name))
if (unknown.length > 0) refuse(`There is no ${unknown.join(', ')}. There are: ${known.join(', ')}`)
if (save && (quick || against !== undefined)) refuse('--save is for runs of full size of this build.')
if (against !== undefined && !existsSync(join(against, 'bin/run.js'))) refuse(`${against} is not built.`)
const names = positionals.length > 0 ? positionals : known

async function measured(work, rounds) {
  const ended = watchMachine()
  const rows = await work()
  return { ...ended(), rounds, rows }
}

if (against !== undefined) {
  const results = { now: await measured(() => compare(against, names), compareRounds) }
  console.log(sectionOf(['now'], results))
} else {
  for (const name of names) {
    const { bench, rounds } = await import(`./${name}.mjs`)
    const result = await measured(bench, rounds)
    console.log(`\n${name}: ${sectionOf([name], { [name]: result })}`)
    if (!save) continue
    // Read late, since another run may have saved results meanwhile.
    const results = { ...JSON.parse(readFileSync(resultsFile, 'utf8')), [name]: result }
    writeFileSync(resultsFile, resultsText(results))
    for (const page of pages) writeFileSync(page, pageWith(readFileSync(page, 'utf8'), results))
  }
}
