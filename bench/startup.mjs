// Cold start of commands, as ratios to the start of Node.js in the same run.
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

/** Writes a short form of the hello world of `oclif generate`: unbundled, commands found by pattern. */
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

/** Starts a server of stored pages of returns: `{baseUrl, stop}`. */
export async function startPageServer(folder, records, total, env) {
  const file = join(folder, 'returns.json')
  const argv = ['returns', 'list', '--limit', String(records), '-o', 'json']
  const { stdout } = await mustRun(process.execPath, [rma, ...argv], { env, keep: true })
  writeFileSync(file, stdout)
  return startServer('page-server.mjs', [file, String(total)], env)
}

/**
 * Commands of rma after their two yardsticks: Node.js doing no work, and the request in ten lines.
 * | @param node path of the Node.js that runs all of them
 */
export function ownSubjects({ env, baseUrl, node = process.execPath, program = [node, rma] }) {
  const url = `${baseUrl}/returns?time_zone=UTC`
  const served = { ...env, RMA_BASE_URL: baseUrl, RMA_TOKEN: 'token' }
  const bare = { name: '`node -e 0`', command: [node, '-e', '0'] }
  const request = {
    name: 'the request in ten lines of `node:http`',
    command: [node, join(root, 'bench/ten-lines-http.cjs'), url],
    env: served,
  }
  const list = [...program, 'returns', 'list']
  return [
    bare,
    request,
    { name: '`rma --version`', command: [...program, '--version'], to: bare, atMost: 1.2 },
    { name: '`rma --help`', command: [...program, '--help'], to: bare, atMost: 1.3 },
    { name: '`rma returns list`', command: list, env: served, to: request, atMost: 3 },
    { name: 'the same, profile `mock`', command: list, to: request, atMost: 4.2 },
  ]
}

async function othersIn(folder, env, [bare, request]) {
  const node = process.execPath
  const got = [node, await bundledGot(folder), request.command.at(-1)]
  const others = [
    { name: 'the request with bundled got', command: got, env: request.env, to: request },
    { name: 'plain oclif hello world', command: [node, plainOclif(folder), 'world'], to: bare },
  ]
  for (const name of ['gh', 'aws']) {
    const other = { name: `\`${name} --version\``, command: [name, '--version'], to: bare }
    if ((await run(name, ['--version'], { env })).code === 0) others.push(other)
  }
  return others
}

/** Returns a row for each subject, run alternately. */
export async function rowsOf(subjects, env) {
  const works = subjects.map(({ name, command: [file, ...args], env: own = env }) => [
    name,
    () => mustRun(file, args, { env: own }),
  ])
  const taken = await inTurns(rounds, Object.fromEntries(works))
  return subjects.map(({ name, to, atMost }) =>
    rowOf(name, taken[name], {
      ...(to && slower(taken[name], taken[to.name])),
      ...(atMost && { goals: [['ratio', '≤', atMost]] }),
    }),
  )
}

export async function bench() {
  return inScratch(async (folder) => {
    const env = homeEnv(folder)
    const { baseUrl, stop } = await startPageServer(folder, 100, 1200, env)
    const own = ownSubjects({ env, baseUrl })
    const rows = await rowsOf([...own, ...(await othersIn(folder, env, own))], env)
    await stop()
    return rows
  })
}
