import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { answerKeyPress } from '../../src/lib/services/completion/key-press.ts'
import { asTyped, type Env, expectEnd, jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { measuredCli } from '../helpers/measured-cli.ts'
import { mirrorHome } from '../helpers/mirror-home.ts'
import { powerShellProblems } from '../helpers/powershell-syntax.ts'
import { freshHome, root, runCli, runIn } from '../helpers/run-cli.ts'
import { openShell } from '../helpers/shell-terminal.ts'
import { spawnCli, spawnEnv } from '../helpers/spawn-cli.ts'
import '../../src/commands/completion.ts'

/** Answers a key press from the built table of commands, in this process. */
const answer = (args: string[], env: Env = freshHome()) =>
  answerKeyPress(join(root, 'dist/completion.json'), args, env)

/** Candidates after the words behind `rma`, as fish gets them. */
async function offered(words: string[], env?: Env) {
  return (await answer(typed`fish rma ${words}`, env)).split('\n').slice(0, -1)
}

const values = asTyped(async (words, env: Env | undefined) =>
  (await offered(words, env)).map((line) => line.split('\t')[0] ?? ''),
)

it('completion offers commands, topics and flags with descriptions', async () => {
  expect(await offered(['profiles', 'li'])).toEqual(['list\tList the profiles'])
  expect(await offered(['mirr'])).toEqual(['mirror\tA local copy of returns, for search and analysis'])
  expect(await values`-p mock help returns li`).toEqual(['list'])
  const flags = await values`returns list --status PENDING --`
  expect(flags).toEqual(expect.arrayContaining(typed`--created-from --profile --help`))
  expect(flags).not.toContain('--status')
  expect(await values`returns nothing ''`).toEqual([])
})

it('completion offers values of flags, also after = and commas, in any case', async () => {
  expect(await values`returns list --status rec`).toEqual([
    'RECEPTION_IN_PROGRESS',
    'RECEPTION_COMPLETED',
    'RECEIVED',
    'received, not checked',
  ])
  expect(await values`returns list --status wai`).toEqual(['waiting for the parcel', 'waiting for approval'])
  expect(await values`tracking push --status=PICK_UP_F`).toEqual(['--status=PICK_UP_FAILED'])
  expect(await values`pudos search -o ''`).toContain('geojson')
  expect(await values`labels print --sheet a`).toEqual(['a4', 'a6'])
  expect(await values`returns list --columns name,ord`).toEqual(['name,order'])
  expect(await values`returns list --time-zone Europe/Madr`).toEqual(['Europe/Madrid'])
})

it('completion offers the columns that the command knows', async () => {
  const rejected = await runCli(typed`profiles list --columns nothing`)
  const [, names = ''] = /Columns: (.+)/.exec(rejected.stderr) ?? []
  const known = names.split(', ')
  expect(known).toContain('time-zone')
  expect(await values`profiles list --columns ''`).toEqual(expect.arrayContaining(known))
})

it('completion offers folders, and files by ending', async () => {
  const folder = newFolder()
  for (const name of ['a b.csv', 'plan.ndjson', 'label.pdf', '.hidden.csv'])
    writeFileSync(join(folder, name), '')
  mkdirSync(join(folder, 'sub'))
  const within = (names: string[]) => names.map((name) => join(folder, name)).sort()
  const rows = await values`tracking push --file ${folder}/`
  expect(rows.sort()).toEqual(
    within(['a b.csv', 'plan.ndjson', 'sub']).map((one) => one.replace(/sub$/, 'sub/')),
  )
  expect(await values`labels verify ${folder}/`).toEqual([`${folder}/sub/`])
})

it('profiles, shops, printers, mappings and jobs of this machine are offered', async () => {
  const env = spawnEnv()
  const run = runIn(env)
  await run`alias set late 'returns stuck --offline'`
  await run`profiles add staging --base-url https://x.example/v1 --shop MODA`
  await run`printers add zebra 192.168.1.50`
  mkdirSync(join(env.RMA_CONFIG_DIR, 'mappings'))
  writeFileSync(join(env.RMA_CONFIG_DIR, 'mappings/dpd.json'), '{}')
  for (const id of ['20260301-1000-aaaa', '20260302-1000-bbbb']) {
    mkdirSync(join(env.RMA_DATA_DIR, 'jobs', id), { recursive: true })
  }
  expect(await offered(typed`-p ''`, env)).toEqual(['mock\tmock', 'staging\tdevelopment'])
  expect(await offered(['lat'], env)).toEqual(['late\t= returns stuck --offline'])
  expect(await values(['late', '--fail'], env)).toEqual(['--fail-if-any'])
  expect(await values(['profiles', 'use', 's'], env)).toEqual(['staging'])
  expect(await values(typed`-p staging returns list --shop ''`, env)).toEqual(['MODA'])
  expect(await offered(typed`labels print --printer ''`, env)).toEqual(['zebra\t192.168.1.50:9100'])
  expect(await values(['printers', 'test', 'z'], env)).toEqual(['zebra'])
  expect(await values(['printers', 'add', ''], env)).toEqual([])
  expect(await values(typed`tracking push --mapping ''`, env)).toEqual(['dpd'])
  expect(await values(['jobs', 'show', ''], env)).toEqual(['20260302-1000-bbbb', '20260301-1000-aaaa'])
})

it('broken or missing files give no candidates and no complaint', async () => {
  const env = spawnEnv()
  mkdirSync(env.RMA_CONFIG_DIR)
  writeFileSync(join(env.RMA_CONFIG_DIR, 'config.json'), '{"profiles": 7')
  expect(await values(['returns', 'get', 'LU'], env)).toEqual([])
  expect(await values(['returns', 'l'], env)).toEqual(['list'])
  for (const words of [typed`tcsh rma ''`, typed`fish rma -p ''`]) {
    const nothing = await spawnCli(['__complete', ...words], { env })
    expect(nothing).toMatchObject({ code: 0, stdout: '', stderr: '' })
  }
})

it('names of returns and carrier services come from the mirror, for a few times the work of --version', async () => {
  const { env, run, listed, atPlatform: _, folder } = await mirrorHome()
  succeeded(await run`mirror sync --yes`)
  const names = (await listed()).map(({ name }) => name ?? '').filter((name) => name.startsWith('R#-LU'))
  const [name = ''] = names
  const begin = name.slice('R#-'.length, -2)
  const found = await values(['returns', 'get', begin], env)
  expect(found).toContain(name.slice('R#-'.length))
  expect(await values(typed`labels create --for ${name.slice(0, -1)}`, env)).toContain(name)
  const services = await values(typed`labels create --carrier-service ''`, env)
  expect(services.length).toBeGreaterThan(1)

  const press = ['__complete', 'fish', 'rma', 'returns', 'get', begin]
  const leastWork = async (argv: readonly string[]) => {
    const runs = [await measuredCli(argv, env), await measuredCli(argv, env), await measuredCli(argv, env)]
    for (const { stdout } of runs) expect(stdout).not.toBe('')
    return Math.min(...runs.map(({ cpuMs }) => cpuMs))
  }
  expect(await leastWork(press)).toBeLessThan(4 * (await leastWork(['--version'])))

  rmSync(folder, { recursive: true })
  expect(await values(['returns', 'get', begin], env)).toEqual([])
})

it('bash learns whether a word is complete: a list, or a file path', async () => {
  const folder = newFolder()
  mkdirSync(join(folder, 'sub'))
  const press = (line: string, word: string) => answer(['bash', line, word])
  expect(await press('rma profiles li', 'li')).toBe('words\nlist\n')
  expect(await press('rma returns list --columns name,ord', 'name,ord')).toBe('open\nname,order\n')
  expect(await press(`rma labels verify ${folder}/`, `${folder}/`)).toBe(`files\n${folder}/sub\n`)
})

it('--install writes the script, twice the same, and changes no other file', async () => {
  const env = freshHome()
  const run = runIn(env)
  const rc = join(env.HOME, '.bashrc')
  writeFileSync(rc, 'alias l=ls\n')
  const first = await run`completion fish --install --json`
  const { file, changed, next } = jsonOf(first)
  expect({ file, changed, next }).toEqual({
    file: join(env.HOME, '.config/fish/completions/rma.fish'),
    changed: true,
    next: '',
  })
  expect(textFile(file).trimEnd()).toBe((await runCli(typed`completion fish`)).stdout.trimEnd())
  expect((await run`completion fish --install`).stdout).toContain('as it should be already')
  const zsh = await run`completion zsh --install`
  expect(zsh.stdout).toMatch(
    /\.zshrc:\n {2}fpath=\('.*site-functions' \$fpath\); autoload -Uz compinit; compinit\n/,
  )
  expect(existsSync(join(env.HOME, '.zshrc'))).toBe(false)
  succeeded(await run`completion bash --install`)
  expect(textFile(rc)).toBe('alias l=ls\n')
})

it('--install keeps a script of somebody else', async () => {
  const env = freshHome()
  const file = join(env.HOME, '.config/fish/completions/rma.fish')
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, 'complete -c rma\n')
  expectEnd(await runIn(env)`completion fish --install`, 2, ["is not of rma's making"])
  expect(textFile(file)).toBe('complete -c rma\n')
})

it('the script for PowerShell passes the line up to the cursor, and takes values in quotes', async () => {
  const { stdout } = await runCli(typed`completion powershell`)
  expect(stdout).toMatch(
    /^# Completion of rma for powershell.*\nRegister-ArgumentCompleter -Native -CommandName rma /,
  )
  expect(await powerShellProblems(stdout)).toEqual([])
  expect(await powerShellProblems(stdout.replace('::new(', '::new'))).not.toEqual([])
  const press = (line: string, word: string) =>
    answer(['powershell'], { ...freshHome(), _RMA_COMPLETE_LINE: line, _RMA_COMPLETE_WORD: word })
  expect(await press('rma profiles li', 'li')).toBe('list\tList the profiles\n')
  expect(await press("rma returns list --status 'PE", "'PE")).toBe('PENDING\twaiting for the parcel\n')
  expect(await press('rma returns list --columns name,ord', 'ord')).toBe('order\torder\n')
  const folder = newFolder()
  writeFileSync(join(folder, 'a b.csv'), '')
  expect(await press(`rma tracking push --file ${folder}/`, `${folder}/`)).toBe(
    `'${folder}/a b.csv'\t${folder}/a b.csv\n`,
  )
})

it('bash completes at the Tab key, and is left alone where rma fails', async () => {
  const folder = newFolder()
  writeFileSync(join(folder, 'my file.csv'), '')
  const env = spawnEnv({ PS1: '$ ' })
  await runCli(typed`completion bash --install`, { env: { ...env, XDG_DATA_HOME: folder } })
  const bash = openShell('bash', env, folder)
  await bash.run(`source '${folder}/bash-completion/completions/rma'`)
  await bash.type('rma prof\t', /rma profiles $/)
  await bash.type('li\t', /list $/)
  await bash.type('-o js\t', /json $/)
  await bash.run('\u0015true')
  await bash.type('rma returns list --status=PE\t', /--status=PENDING $/)
  await bash.type('\u0015rma returns list --status on\t', /--status on\\ its\\ way\\ to\\ the\\ shop $/)
  await bash.type('\u0015rma tracking push --file my\t', /--file my\\ file\.csv $/)
  // Neither a list nor a folder ends with its first part.
  await bash.type('\u0015rma returns list --columns name,ord\t,sta\t', /--columns name,order,status$/)
  mkdirSync(join(folder, 'sub'))
  writeFileSync(join(folder, 'sub/x.csv'), '')
  await bash.type('\u0015rma tracking push --file su\tx\t', /--file sub\/x\.csv $/)
  mkdirSync(join(folder, 'bin'))
  writeFileSync(join(folder, 'bin/rma'), '#!/bin/sh\necho broken >&2; exit 1\n', { mode: 0o755 })
  await bash.run('\u0015PATH=$PWD/bin:$PATH')
  const failed = await bash.type('rma prof\t iles', /iles$/)
  expect(failed).not.toContain('broken')
})
