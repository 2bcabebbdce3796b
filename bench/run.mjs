// `npm run bench [NAME…]`: all benchmarks, or those named. Prints Markdown for docs/performance.md.
import { cpus, totalmem } from 'node:os'

const all = [
  'startup',
  'returns-all',
  'sandbox-returns',
  'labels',
  'tracking',
  'sandbox-trackings',
  'sandbox-pudos',
  'sandbox-soak',
]
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
for (const name of asked.length > 0 ? asked : all) {
  const { bench } = await import(`./${name}.mjs`)
  await bench()
}
