// `npm run bench [NAME…]`: all benchmarks, or those named. Prints Markdown for docs/performance.md.
import { cpus, totalmem } from 'node:os'
import { printSection } from './measure.mjs'

const SUBJECTS = [
  {
    title: 'Start-up',
    about:
      'Medians of 25 rounds in turns; from a server that only sends a page it has. ' +
      'Requests are compared with the ten lines of `node:http`, all else with `node -e 0`.',
    benches: ['startup'],
  },
  {
    title: '`returns list --all`',
    about:
      'From a server that only sends pages it has, records of 3 kB; CPU time against ten lines of `fetch`, ' +
      '`JSON.parse` and `JSON.stringify`, median of 3 rounds in turns, and the peak of the process.',
    benches: ['returns-all'],
  },
  {
    title: '`mirror sync`',
    about:
      'Of returns alone, the first time, from a sandbox that runs on the same machine; median of 3 rounds in turns.',
    benches: ['sync'],
  },
  {
    title: '`labels download`',
    about: 'From a bare server, median of 3 rounds in turns.',
    benches: ['labels'],
  },
  {
    title: '`tracking`',
    about:
      'Rows a second: to a bare server, median of 5 rounds in turns, start, validation, journal and retries included. ' +
      'Limits: 10,000 rows at 200 a second without `--rate`. Memory: the peak of the process.',
    benches: ['tracking'],
  },
  {
    title: '`search`',
    about:
      'The whole search but for start-up and refresh, in SQLite: ten kinds of questions, 40 of each. ' +
      '`grep` goes through the same returns as NDJSON once.',
    benches: ['search'],
  },
  {
    title: 'Analysis of a mirror',
    about: 'In SQLite, offline; returns with transports, scans and refunds. Memory: the peak of the process.',
    benches: ['stats'],
  },
  {
    title: 'The sandbox',
    about:
      'On a disk (WAL, `synchronous = FULL`, group commit), its clients on the same machine. ' +
      'The times are medians.',
    benches: ['sandbox-returns', 'sandbox-trackings', 'sandbox-pudos', 'sandbox-soak'],
  },
]
const all = SUBJECTS.flatMap(({ benches }) => benches)
const asked = process.argv.slice(2)
const unknown = asked.filter((name) => !all.includes(name))
if (unknown.length > 0) {
  console.error(`No benchmark is called ${unknown.join(', ')}. There are: ${all.join(', ')}`)
  process.exit(2)
}

const [cpu] = cpus()
console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} × ${cpu?.model.trim()}, ${Math.round(totalmem() / 2 ** 30)} GiB, ` +
    `${process.platform} ${process.arch}, Node.js ${process.version}`,
)
for (const { title, about, benches } of SUBJECTS) {
  const rows = []
  for (const name of benches.filter((one) => asked.length === 0 || asked.includes(one))) {
    const { bench } = await import(`./${name}.mjs`)
    rows.push(...(await bench()))
  }
  if (rows.length > 0) printSection(title, about, rows)
}
