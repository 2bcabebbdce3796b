import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { asTyped, ended, expectEnd, jsonOf, ndjson, typed } from '../../helpers/command-line.ts'
import { newFolder } from '../../helpers/files.ts'
import { freshHome, root, runCli, runIn } from '../../helpers/run-cli.ts'
import { startSandbox } from '../../helpers/start-sandbox.ts'
import '../../../src/commands/returns/get.ts'
import '../../../src/commands/returns/list.ts'
import '../../../src/commands/sandbox/play.ts'
import '../../../src/commands/sandbox/reset.ts'

const docs = join(root, 'docs/sandbox/scenarios')
const folder = newFolder()
const create = { do: 'create', as: 'r', shop: 'LUMBRE-ES', orderName: 'P1' }

let count = 0
function fileOf(...steps: object[]) {
  const file = join(folder, `${++count}.json`)
  writeFileSync(file, JSON.stringify({ steps }))
  return file
}

describe.each(['on the data', 'on a sandbox that runs'])('%s', (place) => {
  const env = freshHome()
  const run = runIn(env)
  const play = asTyped((argv) => run`sandbox play ${argv}`)
  const where = place === 'on the data' ? `in ${env.RMA_DATA_DIR}` : 'that runs'
  const started = async () => {
    if (place === 'on the data') {
      await run`sandbox reset --returns 10`
    } else {
      const { stop } = await startSandbox(env)
      onTestFinished(async () => void (await stop()))
    }
  }

  it('a scenario is played step by step', async () => {
    await started()
    const { stdout } = expectEnd(
      await play`${join(docs, 'lost-in-transit.json')}`,
      0,
      `Playing Lost in transit on the sandbox ${where}\n`,
    )
    expect(stdout).toMatch(/^STEP +DO +RETURN +OUTCOME +DETAIL\n/)
    expect(stdout).toMatch(/\n +7 +expect +R#-LOST +done +as expected\n$/)
    const returns = await run`returns list --name R#-LOST --jq .returns[].status`
    expect(returns.stdout).toBe('RECEPTION_IN_PROGRESS\n')

    const json = jsonOf(await play`${join(docs, 'label-made-twice.json')} --json`)
    expect([Object.keys(json), json.passed, json.steps[0].as]).toEqual([['steps', 'passed'], true, 'shoes'])

    const check = fileOf(
      create,
      { do: 'close', return: 'r' },
      { do: 'check', return: 'r' },
      { do: 'advance', by: '1d' },
    )
    const failed = ended(await play`${check} -o ndjson`, 6)
    const lines = ndjson(failed.stdout)
    expect(lines.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      '1 done',
      '2 failed',
      '3 skipped',
      '4 skipped',
    ])
    const [, error] = failed.stderr.trimEnd().split('\n')
    expect(JSON.parse(error ?? '').error).toMatchObject({
      kind: 'rejected',
      message: `Step 2 (close R#-P1) did not come out as ${check} says; those after it were not done.`,
      hints: ['to go on, play a file of the steps from 2 on, with "returns": {"r":"R#-P1"}'],
      errors: [{ message: "R#-P1 is PENDING: CLOSED can't follow that" }],
    })
    expect(jsonOf(await play`${check} --json -q`).passed).toBe(false)
  })

  it('a bad scenario changes nothing, and every mistake is named', async () => {
    await started()
    const total = async () => (await run`returns list --jq .pageInfo.totalRecords`).stdout
    const before = await total()
    const file = fileOf(
      create,
      { do: 'check', return: 'q' },
      { do: 'track', return: 'r' },
      { ...create, shop: 'NONE' },
    )
    const { stdout, stderr } = expectEnd(await play`${file}`, 2, [
      `Error: ${file} is not a scenario that can be played.\n`,
    ])
    expect(stdout).toBe('')
    for (const path of ['steps[1].return', 'steps[2].trackingStatus', 'steps[3].shop'])
      expect(stderr).toContain(path)
    expect(await total()).toBe(before)
  })
})

describe('a file', () => {
  const env = freshHome()
  it('a scenario may come from standard input', async () => {
    await runIn(env)`sandbox reset --returns 5`
    const stdin = JSON.stringify({ steps: [create] })
    expectEnd(await runCli(typed`sandbox play -`, { env, stdin }), 0, ['Playing The standard input on'])
  })

  it.each([
    ['/nowhere.json', '', 'there is no such file'],
    ['-', '{', 'The standard input is not JSON'],
    ['-', `{"steps":${'['.repeat(2000)}${']'.repeat(2000)}}`, 'nested deeper'],
    ['-', '[]', /can be played.\n {2}must be of type object/],
  ])('%s %.9s is refused', async (file, stdin, message) => {
    expectEnd(await runCli(typed`sandbox play ${file}`, { env, stdin }), 2, [message])
  })
})

it('a scenario played on a running sandbox with --data is seen by it, and by another process on the same data', async () => {
  const env = freshHome()
  const dir = newFolder()
  const { baseUrl, token, stop } = await startSandbox(env, '--data', dir)
  const played = await runIn(env)`sandbox play ${fileOf(create)} --data ${dir} --json`
  expect(jsonOf(played)).toMatchObject({ passed: true, steps: [{ return: 'R#-P1' }] })
  expect(played.stderr).toContain('that runs')
  const seen = await fetch(`${baseUrl}/returns?name=R%23-P1`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(await seen.json()).toMatchObject({ returns: [{ name: 'R#-P1' }] })
  const other = { ...env, RMA_DATA_DIR: dir }
  const { stdout } = await runCli(typed`returns get R#-P1 --profile mock --jq .status`, {
    env: other,
  })
  expect(stdout).toBe('PENDING\n')
  await stop()
})

it('Ctrl-C tells how to continue a scenario', async () => {
  const interrupt = new AbortController()
  expectEnd(
    await runCli(typed`sandbox play ${fileOf(create)} -q -o ndjson`, {
      env: freshHome(),
      interrupt: interrupt.signal,
      onOutput: () => interrupt.abort(),
    }),
    130,
    ['stays done; to go on, play a file of the steps'],
  )
})
