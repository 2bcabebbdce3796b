import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runLine } from '../helpers/examples.ts'
import { freshHome, root, runCli } from '../helpers/run-cli.ts'

/** Pattern of the answer on the demo data. */
const ANSWERS: Readonly<Record<string, RegExp>> = {
  ximena: /Ximena Ordóñez/,
  get: /^Where .*\n(?: .*\n)*Money /m,
  pudos: /^NAME .* OPEN NOW/m,
  stuck: /^NAME .* WHY/m,
  reconcile: /^NAME .* DIFFERENCE/m,
}

const [questions = '', work = ''] = readFileSync(join(root, 'docs/comparison.md'), 'utf8').split('\n## ')

it('every question takes one command of at most 30 keys, as the page counts them', async () => {
  const rows = [...questions.matchAll(/^\| [^|]+ \| `(rma [^`]+)` \| (\d+) \|/gm)]
  expect(rows).toHaveLength(6)
  const env = freshHome()
  for (const [, line = '', keys] of rows) {
    expect([line, line.length + 1]).toEqual([line, Number(keys)])
    expect(line.length).toBeLessThan(30)
    const argv = line.split(' ').slice(1)
    const { code, stdout, stderr } = await runCli(argv, { env })
    expect([0, 9], `${line}: ${stderr}`).toContain(code)
    const answer = Object.entries(ANSWERS).find(([word]) => argv.includes(word))?.[1]
    expect(stdout).toMatch(answer ?? /^$/)
  }
}, 60_000)

/** What the page says was done once before. */
const DONE_ONCE = ['rma samples', 'rma profiles set mock --shop LUMBRE-ES --goods goods.csv']
/** By a word of the command: what it prints as JSON. */
const DONE: Readonly<Record<string, object>> = {
  'labels create': { files: expect.arrayContaining([expect.anything()]), failed: [] },
  'labels print': { files: expect.arrayContaining([expect.anything()]) },
  '-m ups': { total: 3, succeeded: 3 },
  '--only-new': { total: 3, succeeded: 3 },
}

it('every task of a day takes one command of no more keys than wanted, as the page counts them', async () => {
  const rows = [...work.matchAll(/^\| [^|]+ \| `(rma [^`]+)` \| (\d+) \((\d+)\) \|/gm)]
  expect(rows).toHaveLength(5)
  const env = freshHome()
  const start = process.cwd()
  process.chdir(env.HOME ?? '')
  try {
    for (const line of DONE_ONCE) expect(await runLine(line, { env })).toMatchObject({ code: 0 })
    for (const [, line = '', keys, most] of rows) {
      expect([line, line.length + 1]).toEqual([line, Number(keys)])
      expect(Number(keys)).toBeLessThanOrEqual(Number(most))
      const { code, stdout, stderr } = await runLine(`${line} --json`, { env })
      expect(code, `${line}: ${stderr}`).toBe(0)
      const done = Object.entries(DONE).find(([words]) => line.includes(words))?.[1]
      expect(JSON.parse(stdout)).toMatchObject(done ?? { line })
    }
  } finally {
    process.chdir(start)
  }
}, 60_000)
