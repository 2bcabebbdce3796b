// Cold start of commands on other versions of Node.js, and as a single executable.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { nodeBinary, ownPlatform } from '../tools/node-binary.mjs'
import { homeEnv, inScratch, root } from './measure.mjs'
import { ownSubjects, rounds, rowsOf, startPageServer } from './startup.mjs'

export { rounds }

/** Short names, to fit four columns. */
const SHORT = {
  '`rma --version`': '`--version`',
  '`rma --help`': '`--help`',
  '`rma returns list`': '`returns list`',
  'the same, profile `mock`': '`mock`',
}

function executableIn(folder) {
  const args = [join(root, 'tools/executable.mjs'), ownPlatform, '--to', folder]
  execFileSync(process.execPath, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] })
  return join(folder, `rma-${ownPlatform}`)
}

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const { baseUrl, stop } = await startPageServer(folder, 100, 1200, env)
    const rows = []
    const measure = async (on, subjects) => {
      // The yardsticks are part of the ratios.
      const measured = (await rowsOf(subjects, env)).slice(2)
      rows.push(...measured.map(({ what, ...row }) => ({ what: SHORT[what], on, ...row })))
    }
    for (const major of ['22', '24', '26']) {
      const { version, path: node } = nodeBinary(major)
      await measure(version, ownSubjects({ env, baseUrl, node }))
    }
    // Compared with the same Node.js version.
    const { path: node } = nodeBinary('26')
    const subjects = ownSubjects({ env, baseUrl, node, program: [executableIn(folder)] })
    for (const subject of subjects) if (subject.atMost === 3) subject.atMost = 2.7
    await measure('executable', subjects)
    await stop()
    return rows
  })
}
