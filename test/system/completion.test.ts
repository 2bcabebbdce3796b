import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { newFolder } from '../helpers/files.ts'
import { runIn } from '../helpers/run-cli.ts'
import { openShell } from '../helpers/shell-terminal.ts'
import { spawnEnv } from '../helpers/spawn-cli.ts'

function folderWithFile() {
  const folder = newFolder()
  writeFileSync(join(folder, 'my file.csv'), '')
  return folder
}

it('zsh completes at the Tab key, with the script where --install wrote it', async () => {
  const folder = folderWithFile()
  const env = spawnEnv({ PS1: '$ ', XDG_DATA_HOME: folder })
  const { stdout } = await runIn(env)`completion zsh --install --jq .next`
  const zsh = openShell('zsh', env, folder)
  await zsh.run(stdout.split('\n')[1] ?? '')
  await zsh.type('rma prof\t', /rma profiles $/)
  await zsh.type('li\t', /list $/)
  await zsh.type('--columns=name,time\t', /--columns=name,time-zone$/)
  await zsh.type('\u0015rma returns list --status=pe\t', /PENDING $/)
  await zsh.type('\u0015rma returns list --status=on\t', /on\\ its\\ way\\ to\\ the\\ shop $/)
  await zsh.type('\u0015rma tracking push --file my\t', /--file my\\ file\.csv $/)
  const offered = await zsh.type('\u0015rma returns list --st\t', /--strict +-- Departures/)
  expect(offered).toMatch(/--status +-- One of PENDING/)
})

it('fish completes at the Tab key, with the script where --install wrote it', async () => {
  const folder = folderWithFile()
  const env = spawnEnv({ XDG_CONFIG_HOME: folder })
  const { stdout } = await runIn(env)`completion fish --install --jq .file`
  const fish = openShell('fish', env, folder)
  await fish.run(`source '${stdout.trim()}'`)
  await fish.type('rma prof\t', /rma profiles /)
  await fish.type('li\t', /profiles list /)
  await fish.type('\u0015rma returns list --status=pe\t', /PENDING /)
  await fish.type('\u0015rma tracking push --file my\t', /--file my\\ file\.csv /)
  const offered = await fish.type('\u0015rma returns list --st\t', /Departures/)
  expect(offered).toMatch(/--status +\(One of PENDING/)
})
