import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const GRAMMARS = '@vscode/tree-sitter-wasm'

/** Lines that a PowerShell grammar can't parse; empty for a valid script. */
export async function powerShellProblems(script: string): Promise<string[]> {
  const require = createRequire(import.meta.url)
  // `import` does not see its exports.
  const { Language, Parser }: typeof import('@vscode/tree-sitter-wasm') = require(GRAMMARS)
  await Parser.init()
  const file = join(dirname(require.resolve(GRAMMARS)), 'tree-sitter-powershell.wasm')
  const parser = new Parser().setLanguage(await Language.load(file))
  const root = parser.parse(script)?.rootNode
  const wrong = root?.descendantsOfType('ERROR') ?? []
  const lines = wrong.map((node) => `line ${(node?.startPosition.row ?? 0) + 1}: ${node?.text}`)
  return root?.hasError && lines.length === 0 ? ['something is missing'] : lines
}
