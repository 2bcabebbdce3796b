// How long a command takes from nothing, as ratios to bare Node.js in the same run.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { goal, homeEnv, inScratch, median, mustRun, rma, root, run, startSandbox } from './measure.mjs'

const ROUNDS = 25

/** The hello world that `oclif generate` makes, in short: unbundled, commands found by pattern. */
function plainOclif(folder) {
  const app = join(folder, 'hello')
  mkdirSync(join(app, 'commands'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(app, 'node_modules'))
  writeFileSync(
    join(app, 'package.json'),
    JSON.stringify({ name: 'hello', version: '1.0.0', oclif: { bin: 'hello', commands: './commands' } }),
  )
  writeFileSync(
    join(app, 'commands/world.js'),
    "const {Command} = require('@oclif/core')\nmodule.exports = class World extends Command { async run() { this.log('hello world') } }\n",
  )
  writeFileSync(join(app, 'run.js'), "require('@oclif/core').execute({ dir: __dirname })\n")
  return join(app, 'run.js')
}

async function isPresent(command, args, env) {
  try {
    return (await run(command, args, { env })).code === 0
  } catch {
    return false
  }
}

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const sandbox = await startSandbox(['--memory', '--returns', '1200'], env)
    const listEnv = { ...env, RMA_BASE_URL: sandbox.baseUrl, RMA_TOKEN: sandbox.token }
    const node = process.execPath
    const subjects = [
      { name: 'node -e 0', command: node, args: ['-e', '0'], env },
      { name: 'rma --version', command: node, args: [rma, '--version'], env, target: 1.7 },
      {
        name: 'rma returns list (running sandbox)',
        command: node,
        args: [rma, 'returns', 'list'],
        env: listEnv,
        target: 3.0,
      },
      { name: 'rma returns list (profile mock)', command: node, args: [rma, 'returns', 'list'], env },
      { name: 'plain oclif hello world', command: node, args: [plainOclif(folder), 'world'], env },
    ]
    for (const [command, args] of [
      ['gh', ['--version']],
      ['aws', ['--version']],
    ]) {
      if (await isPresent(command, args, env))
        subjects.push({ name: `${command} ${args.join(' ')}`, command, args, env })
    }
    const times = subjects.map(() => [])
    // Taken in turns, so that what else the machine does falls on all alike; the first round only warms up.
    for (let round = 0; round <= ROUNDS; round += 1) {
      for (const [index, subject] of subjects.entries()) {
        const { ms } = await mustRun(subject.command, subject.args, { env: subject.env })
        if (round > 0) times[index].push(ms)
      }
    }
    await sandbox.stop()
    const base = median(times[0])
    return subjects.map(({ name, target }, index) => {
      const ms = median(times[index])
      const ratio = ms / base
      return [
        `\`${name}\``,
        `${ms.toFixed(0)} ms`,
        `${ratio.toFixed(2)}×`,
        target && goal(`≤ ${target.toFixed(1)}×`, ratio <= target),
      ]
    })
  })
}
