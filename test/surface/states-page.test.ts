import { expect, it } from 'vitest'
import { FIRST_RETURN_STATUSES } from '../../src/lib/sandbox/returns/journey.ts'
import { RETURN_TRANSITIONS, TRANSPORT_TRANSITIONS } from '../../src/lib/wire/enumerations.ts'

function diagram(table: Readonly<Record<string, readonly string[]>>, first: readonly string[]): string {
  const steps = Object.entries(table).flatMap(([from, followers]) =>
    followers.length === 0 ? [`  ${from} --> [*]`] : followers.map((to) => `  ${from} --> ${to}`),
  )
  return [
    '```mermaid',
    'stateDiagram-v2',
    ...first.map((state) => `  [*] --> ${state}`),
    ...steps,
    '```',
  ].join('\n')
}

/** The page is drawn from the tables that the sandbox works by; `npx vitest run -u` draws it anew. */
it('docs/sandbox/states.md shows the states as the sandbox has them', async () => {
  const page = [
    '# States of returns and transports',
    '',
    'Drawn from the tables in `src/lib/wire/enumerations.ts`; updates are judged by `src/lib/wire/tracking/rule.ts`.',
    '',
    '## Return',
    '',
    diagram(RETURN_TRANSITIONS, FIRST_RETURN_STATUSES),
    '',
    '## Transport',
    '',
    diagram(TRANSPORT_TRANSITIONS, ['REQUESTED']),
    '',
    'Reports may skip states that lie on the way. After a failed or cancelled transport a new one becomes the active one at',
    'once, as long as the return waits for its parcel. A drop-off takes no `PICK_UP_*`.',
    '',
    'An update with the number of a transport that has ended belongs to that transport: known or older it changes nothing,',
    'newer it is refused. So is one without a number that says what that transport ended with, while the next one is only',
    'requested. An update of the very moment of the last one never goes backwards.',
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../../docs/sandbox/states.md')
})
