/**
 * node count-tests.mjs FOLDER RUN… lists failed tests of vitest's reports FOLDER/RUN.json, and prints their totals as
 * the last line of `.ci/run`. Exits with 1 if a test failed, a file could not run, or a report is missing.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const [folder, ...runs] = process.argv.slice(2)
const sum = { passed: 0, failed: 0, skipped: 0 }
let isWhole = runs.length > 0
for (const run of runs) {
  const file = join(folder, `${run}.json`)
  if (!existsSync(file)) {
    console.error(`There is no report of the run "${run}"`)
    isWhole = false
    continue
  }
  const report = JSON.parse(readFileSync(file, 'utf8'))
  isWhole &&= report.success
  sum.passed += report.numPassedTests
  sum.failed += report.numFailedTests
  sum.skipped += report.numPendingTests + report.numTodoTests
  for (const { name, assertionResults } of report.testResults) {
    for (const { status, fullName, failureMessages } of assertionResults) {
      if (status === 'failed') console.log(`FAILED ${name} > ${fullName}\n${failureMessages.join('\n')}`)
    }
  }
  // A test file that failed to load contains no failed test.
  sum.failed += report.testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  ).length
}
console.log(`${sum.passed} passed, ${sum.failed} failed, ${sum.skipped} skipped`)
process.exitCode = isWhole && sum.failed === 0 ? 0 : 1
