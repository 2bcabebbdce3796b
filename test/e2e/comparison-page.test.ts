import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { succeeded } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { freshHome, root, runCli } from '../helpers/run-cli.ts'

type Job = readonly [
  job: string,
  typed: string,
  /** Part of what a person then sees. */
  seen: RegExp,
  /** Work that the job takes without rma. */
  without: string,
]

/** Jobs by role, and the most keys that each may take. Support has one screen of 24 lines. */
const ROLES: readonly { role: string; most: number; jobs: readonly Job[] }[] = [
  {
    role: 'Support',
    most: 40,
    jobs: [
      [
        "Which return is Ximena Ordóñez's?",
        'rma search ximena ordones',
        /Ximena Ordóñez/,
        '`--all --jq` and a filter: 94 keys',
      ],
      [
        'Where is it, and when does the money come?',
        'rma returns get LU105189',
        /^Where .*\n(?: .*\n)*Money /m,
        'three commands: 126 keys',
      ],
      ['Write to the customer', 'rma returns explain LU105189 --reply', /LU105189/, 'five answers read'],
      [
        'Which point is open?',
        'rma pudos search LU105189',
        /^NAME .*OPEN/m,
        'address and carrier typed: 63 keys',
      ],
      [
        '"I can\'t find the label"',
        'rma labels download LU105189',
        /R-LU105189\.pdf/,
        'an id found, base64 decoded',
      ],
    ],
  },
  {
    role: 'Warehouse',
    most: 60,
    jobs: [
      [
        'Labels of all that wait',
        'rma labels create --status PENDING --out morning -y',
        /Done/,
        'a loop: 97 keys',
      ],
      ['A4 sheets of a folder', 'rma labels print morning --per-page 4', /labels\.pdf/, 'another program'],
      [
        'From label 2 on, after a jam',
        'rma labels print --reprint last --from-label 2',
        /labels-2\.pdf/,
        'files found by hand',
      ],
    ],
  },
  {
    role: 'Scripts',
    most: 60,
    jobs: [
      [
        "A carrier's export",
        'rma tracking push -f ups.csv -m ups -y',
        /Done: 3 sent/,
        'awk and the push: 190 keys',
      ],
      [
        'What is new of a file',
        'rma tracking push -f updates.csv --only-new',
        /Done/,
        'a plan and the push: 94 keys',
      ],
      ['What became of it', 'rma jobs show --last', /succeeded/i, 'not to be had'],
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
      for (const [job, typed, seen, without] of jobs) {
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
