import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { succeeded } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { freshHome, root, runCli } from '../helpers/run-cli.ts'

interface Job {
  job: string
  typed: string
  /** Part of what a person then sees. */
  seen: RegExp
  /** Work that the job takes without rma. */
  without: string
}

/** Jobs by role, and the most keys that each may take. Support has one screen of 24 lines. */
const ROLES: readonly { role: string; most: number; jobs: readonly Job[] }[] = [
  {
    role: 'Support',
    most: 40,
    jobs: [
      {
        job: "Which return is Ximena Ordóñez's?",
        typed: 'rma search ximena ordones',
        seen: /Ximena Ordóñez/,
        without: '`--all --jq` and a filter: 94 keys',
      },
      {
        job: 'Where is it, and when does the money come?',
        typed: 'rma returns get LU105189',
        seen: /^Where .*\n(?: .*\n)*Money /m,
        without: 'three commands: 126 keys',
      },
      {
        job: 'Write to the customer',
        typed: 'rma returns explain LU105189 --reply',
        seen: /LU105189/,
        without: 'five answers read',
      },
      {
        job: 'Which point is open?',
        typed: 'rma pudos search LU105189',
        seen: /^NAME .*OPEN/m,
        without: 'address and carrier typed: 63 keys',
      },
      {
        job: '"I can\'t find the label"',
        typed: 'rma labels download LU105189',
        seen: /R-LU105189\.pdf/,
        without: 'an id found, base64 decoded',
      },
    ],
  },
  {
    role: 'Warehouse',
    most: 60,
    jobs: [
      {
        job: 'Labels of all that wait',
        typed: 'rma labels create --status PENDING --out morning -y',
        seen: /Done/,
        without: 'a loop: 97 keys',
      },
      {
        job: 'A4 sheets of a folder',
        typed: 'rma labels print morning --per-page 4',
        seen: /labels\.pdf/,
        without: 'another program',
      },
      {
        job: 'From label 2 on, after a jam',
        typed: 'rma labels print --reprint last --from-label 2',
        seen: /labels-2\.pdf/,
        without: 'files found by hand',
      },
    ],
  },
  {
    role: 'Scripts',
    most: 60,
    jobs: [
      {
        job: "A carrier's export",
        typed: 'rma tracking push -f ups.csv -m ups -y',
        seen: /Done: 3 sent/,
        without: 'awk and the push: 190 keys',
      },
      {
        job: 'What is new of a file',
        typed: 'rma tracking push -f updates.csv --only-new',
        seen: /Done/,
        without: 'a plan and the push: 94 keys',
      },
      {
        job: 'What became of it',
        typed: 'rma jobs show --last',
        seen: /succeeded/i,
        without: 'not to be had',
      },
    ],
  },
]

/** Commands that the page counts as set-up, before the jobs of warehouse and scripts. */
const DONE_ONCE = ['rma samples', 'rma profiles set mock --shop LUMBRE-ES --goods goods.csv']

/** Lines that a terminal of 80 columns shows of a text. */
const shown = (text: string) =>
  text
    .trimEnd()
    .split('\n')
    .flatMap((line) => line.match(/.{1,80}/gu) ?? [''])

it('every job takes one command of few keys and one screen, as the page counts them', async () => {
  const env = freshHome()
  const page = join(root, 'docs/comparison.md')
  let text = await readFile(page, 'utf8')
  const start = process.cwd()
  // Some jobs name files of the folder that a person is in.
  process.chdir(newFolder())
  try {
    const run = (line: string) => runCli(line.split(' ').slice(1), { env, columns: 80 })
    for (const { role, most, jobs } of ROLES) {
      if (role === 'Warehouse') for (const line of DONE_ONCE) succeeded(await run(line))
      const rows: string[] = []
      for (const { job, typed, seen, without } of jobs) {
        const { stdout, stderr } = await run(typed)
        const screen = shown(stdout + stderr)
        expect(stdout + stderr, typed).toMatch(seen)
        expect([typed, typed.length < most]).toEqual([typed, true])
        if (role === 'Support') expect(screen.length, typed).toBeLessThanOrEqual(24)
        // Dates and opening hours wrap differently from day to day.
        const [, counted] = text.split(`\`${typed}\``)[1]?.match(/^ \| \d+ \| (\d+) /) ?? []
        const lines = Math.abs(Number(counted) - screen.length) <= 3 ? counted : screen.length
        rows.push(`| ${job} | \`${typed}\` | ${typed.length + 1} | ${lines} | ${without} |`)
      }
      const table = [
        '| Job | Typed | Keys | Lines | Without it |',
        '| --- | --- | --- | --- | --- |',
        ...rows,
      ]
      text = text.replace(new RegExp(`(?<=## ${role}\n\n)[^#]*?(?=\n\n)`), table.join('\n'))
    }
  } finally {
    process.chdir(start)
  }
  await expect(text).toMatchFileSnapshot(page)
})
