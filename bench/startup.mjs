// How long a command takes from nothing, as ratios to what Node.js takes in the same run.
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rolldown } from 'rolldown'
import {
  homeEnv,
  inScratch,
  inTurns,
  mustRun,
  rma,
  root,
  rowOf,
  run,
  sized,
  slower,
  startServer,
} from './measure.mjs'

export const rounds = sized(25, 2)

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

async function bundledGot(folder) {
  const bundle = await rolldown({ input: join(root, 'bench/ten-lines-got.mjs'), platform: 'node' })
  const file = join(folder, 'got.cjs')
  await bundle.write({ file, format: 'cjs', minify: true, codeSplitting: false })
  await bundle.close()
  return file
}

/** Sends pages of returns that it has: `{baseUrl, stop}`. */
export async function startPageServer(folder, records, total, env) {
  const file = join(folder, 'returns.json')
  const argv = ['returns', 'list', '--limit', String(records), '-o', 'json']
  const { stdout } = await mustRun(process.execPath, [rma, ...argv], { env, keep: true })
  writeFileSync(file, stdout)
  return startServer('page-server.mjs', [file, String(total)], env)
}

async function subjectsIn(folder, env, baseUrl) {
  const node = process.execPath
  const url = `${baseUrl}/returns?time_zone=UTC`
  const served = { ...env, RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' }
  const bare = { name: '`node -e 0`', args: ['-e', '0'] }
  const request = {
    name: 'the request in ten lines of `node:http`',
    args: [join(root, 'bench/ten-lines-http.cjs'), url],
    env: served,
  }
  const subjects = [
    bare,
    { name: '`rma --version`', args: [rma, '--version'], to: bare, atMost: 1.2 },
    { name: '`rma --help`', args: [rma, '--help'], to: bare, atMost: 1.3 },
    request,
    {
      name: 'the same with bundled got',
      args: [await bundledGot(folder), url],
      env: served,
      to: request,
    },
    { name: '`rma returns list`', args: [rma, 'returns', 'list'], env: served, to: request, atMost: 3 },
    {
      name: 'the same, profile `mock`',
      args: [rma, 'returns', 'list'],
      to: request,
      atMost: 4.2,
    },
    { name: 'plain oclif hello world', args: [plainOclif(folder), 'world'], to: bare },
  ].map((subject) => ({ command: node, ...subject }))
  for (const command of ['gh', 'aws']) {
    const other = { name: `\`${command} --version\``, command, args: ['--version'], to: bare }
    if ((await run(command, other.args, { env })).code === 0) subjects.push(other)
  }
  return subjects
}

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const server = await startPageServer(folder, 100, 1200, env)
    const subjects = await subjectsIn(folder, env, server.baseUrl)
    const works = subjects.map(({ name, command, args, env: own = env }) => [
      name,
      () => mustRun(command, args, { env: own }),
    ])
    const taken = await inTurns(rounds, Object.fromEntries(works))
    await server.stop()
    return subjects.map(({ name, to, atMost }) =>
      rowOf(name, taken[name], {
        ...(to && slower(taken[name], taken[to.name])),
        ...(atMost && { goals: [['ratio', '≤', atMost]] }),
      }),
    )
  })
}
