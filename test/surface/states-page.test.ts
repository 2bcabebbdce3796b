import { expect, it } from 'vitest'
import { RETURN_TRANSITIONS, TRANSPORT_TRANSITIONS } from '../../src/lib/wire/enumerations.ts'
import { markdownTable } from '../helpers/markdown-table.ts'

function stepsTable(table: Readonly<Record<string, readonly string[]>>, first: readonly string[]) {
  const code = (states: readonly string[]) => states.map((state) => `\`${state}\``).join(', ')
  const rows = Object.entries(table).map(([from, followers]) => [code([from]), code(followers) || 'the end'])
  return markdownTable(['From', 'To'], [['the beginning', code(first)], ...rows])
}

/** Generated from the sandbox's tables; `npx vitest run -u` updates the page. */
it('docs/sandbox/states.md shows the states as the sandbox has them', async () => {
  const page = [
    '# States of returns and transports',
    '',
    '## Return',
    '',
    stepsTable(RETURN_TRANSITIONS, ['NEEDS_VALIDATION', 'PENDING']),
    '',
    '## Transport',
    '',
    stepsTable(TRANSPORT_TRANSITIONS, ['REQUESTED']),
    '',
    '[Tracking](README.md#tracking) says which updates are taken. A drop-off takes no `PICK_UP_*`.',
    '',
  ].join('\n')
  await expect(page).toMatchFileSnapshot('../../docs/sandbox/states.md')
})
