import { visible } from '../output/visible.ts'
import { padEnd } from '../output/width.ts'
import { asText, at, list } from '../wire/raw.ts'
import type { Desk, Screen } from './desk.ts'
import { ListScreen } from './list-screen.ts'
import { TextScreen } from './text-screen.ts'

const STYLES = {
  done: 'green',
  failed: 'red',
  unknown: 'red',
  running: 'yellow',
  remaining: 'yellow',
} as const

export function jobsScreen(desk: Desk): Screen {
  const cell = (job: unknown, key: string, width: number) =>
    padEnd(visible(String(at(job, key) ?? '')), width)
  const screen: ListScreen<unknown> = new ListScreen<unknown>(
    desk,
    {
      title: 'jobs',
      head: () => [
        desk.style('  JOB                   STATE     TOTAL    SENT    FAILED  UNKNOWN LEFT', 'bold'),
      ],
      row: (job) => {
        const state = asText(at(job, 'state')) ?? ''
        const counts = ['total', 'succeeded', 'failed', 'unknown', 'remaining'].map((key) =>
          cell(job, key, 7),
        )
        const shown = desk.style(padEnd(state, 9), STYLES[state as keyof typeof STYLES])
        return [cell(job, 'jobId', 21), shown, ...counts].join(' ')
      },
      empty: '  No jobs yet: rma tracking push --file FILE makes one.',
      open: (job) => desk.open(jobScreen(desk, String(at(job, 'jobId')))),
    },
    () => void desk.read(['jobs', 'list']).then(({ json }) => screen.show(list(json))),
  )
  return screen
}

function jobScreen(desk: Desk, id: string): Screen {
  const go = (verb: string, question: string) => () =>
    desk.write(question, ['jobs', verb, id, '--yes'], () => desk.top?.refresh?.())
  return new TextScreen(desk, `job ${id}`, (columns) => desk.textOf(['jobs', 'show', id], columns), [
    { key: 'g', hint: 'go on', act: go('resume', `Go on with the job ${id}?`) },
    {
      key: 't',
      hint: 'try failed rows again',
      act: go('retry', `Send the failed rows of ${id} once more?`),
    },
  ])
}
