// npm run test:nodes [-- 22,24 [ARGUMENTS OF VITEST]] runs unit, command and end-to-end tests on each Node.js that rma
// supports.
import { spawnSync } from 'node:child_process'
import { delimiter, dirname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBinary } from './node-binary.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const [first = '', ...others] = process.argv.slice(2)
const isMajors = /^\d[\d,]*$/.test(first)
const majors = isMajors ? first.split(',') : ['20', '22', '24', '26']
const wanted = isMajors ? others : process.argv.slice(2)
const ALL = [
  ['test/unit/', 'test/commands/', 'test/e2e/'],
  ['--config', 'vitest.system.config.mts', 'test/system/processes/'],
]
const runs = wanted.length > 0 ? [wanted] : ALL

const results = majors.map((major) => {
  const { version, path } = nodeBinary(major)
  console.log(`\n== Node.js ${version}`)
  const options = {
    cwd: root,
    stdio: 'inherit',
    // Tests that start `node` by name get the same version.
    env: { ...process.env, PATH: `${dirname(path)}${delimiter}${process.env.PATH}` },
  }
  const ends = runs.map((argv) =>
    spawnSync(path, ['node_modules/vitest/vitest.mjs', 'run', ...argv], options),
  )
  return { version, isFine: ends.every(({ status }) => status === 0) }
})

console.log()
for (const { version, isFine } of results) console.log(`Node.js ${version}: ${isFine ? 'passed' : 'FAILED'}`)
process.exitCode = results.every(({ isFine }) => isFine) ? 0 : 1
