import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { freshHome, root, runCli } from '../helpers/run-cli.ts'

/** What the answer on the demo data has to hold. */
const ANSWERS: Readonly<Record<string, RegExp>> = {
  ximena: /Ximena Ordóñez/,
  get: /^Where .*\n(?: .*\n)*Money /m,
  pudos: /^NAME .* OPEN NOW/m,
  stuck: /^NAME .* WHY/m,
  reconcile: /^NAME .* DIFFERENCE/m,
}

it('every question takes one command of at most 30 keys, as the page counts them', async () => {
  const page = readFileSync(join(root, 'docs/comparison.md'), 'utf8')
  const rows = [...page.matchAll(/^\| [^|]+ \| `(rma [^`]+)` \| (\d+) \|/gm)]
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
})
