import { expect, it } from 'vitest'
import { inToolWords } from '../../../../src/lib/services/mcp/tool-words.ts'
import { READING_TOOLS, type ServedTool } from '../../../../src/lib/services/mcp/tools.ts'

it.each([
  ["Wait: rma pudos search 'R#-LU1' --shop LUMBRE-ES", 'Wait: points {"return":"R#-LU1"}'],
  ['rma returns explain LU1 --reply', 'explain {"return":"LU1"}'],
  ['rma returns refunds LU1', 'explain {"return":"LU1"}'],
  ["rma search --shop X 'two words'", 'search {"text":"two words"}'],
  ['rma search TYPO', 'search {"text":"TYPO"}'],
  ['rma returns stuck', 'stuck {}'],
  ['rma mirror sync --yes', 'ask the person to run rma mirror sync'],
  ['client.tier is missing (--tier)', 'client.tier is missing (tier)', 'methods'],
  ['the dates --created-from and --created-to', 'the dates createdFrom and createdTo', 'list'],
  ['nothing was found (see --with-archived)', 'nothing was found'],
  ['--all for the rest', undefined],
  ['give --order NAME', undefined],
  ['give --order NAME', 'give order NAME', 'list'],
])('%s: %s', (text, said, name = 'get') => {
  const tools = READING_TOOLS as ServedTool[]
  const called = tools.find((tool) => tool.name === name)
  expect(called && inToolWords(text, called, tools)).toBe(said)
})
