// How long a command takes from nothing on other Node.js than this one, and as an executable of its own.
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { nodeBinary, ownPlatform } from '../tools/node-binary.mjs'
import { homeEnv, inScratch, root } from './measure.mjs'
import { ownSubjects, rounds, rowsOf, startPageServer } from './startup.mjs'

export { rounds }

/** `[bare, request, …]` as in `ownSubjects`, each named after what runs it. */
function namedAfter(where, subjects, goals = {}) {
  for (const subject of subjects) {
    Object.assign(subject, { name: `${where}: ${subject.name}`, ...goals[subject.name] })
  }
  return subjects
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
    for (const major of ['22', '24', '26']) {
      const { version, path: node } = nodeBinary(major)
      const subjects = namedAfter(version, ownSubjects({ env, baseUrl, node }))
      // The yardsticks are in the ratios.
      rows.push(...(await rowsOf(subjects, env)).slice(2))
    }
    // Compared with the Node.js that is in it.
    const { path: node } = nodeBinary('26')
    const program = [executableIn(folder)]
    const goals = { '`rma returns list`': { atMost: 2.7 } }
    const subjects = namedAfter('executable', ownSubjects({ env, baseUrl, node, program }), goals)
    rows.push(...(await rowsOf(subjects, env)).slice(2))
    await stop()
    return rows
  })
}
