import { join, relative } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, textFile } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

const DECLARATION =
  /^export (?:declare )?(?:abstract )?(?:async )?(?:const enum|enum|const|let|function\*?|class|interface|type) (\w+)/gm
/** Export lists of own names; re-exports of other files do not count. */
const LIST = /^export (?:type )?\{([^}]*)\}(?! from)/gm

/** Names that a file declares and exports. Commands, which are default exports, have none. */
function declaredIn(source: string) {
  const listed = [...source.matchAll(LIST)]
    .flatMap(([, names = '']) => names.split(','))
    .map((name) => name.trim().replace(/^type |^.* as /, ''))
    .filter((name) => name !== '')
  return new Set([...[...source.matchAll(DECLARATION)].map(([, name = '']) => name), ...listed])
}

const filesOf = new Map<string, string[]>()
for (const name of filesBelow(join(root, 'src'), '.ts')) {
  const file = join(root, 'src', name)
  for (const exported of declaredIn(textFile(file))) {
    filesOf.set(exported, [...(filesOf.get(exported) ?? []), relative(root, file)])
  }
}

it('exported names are found', () => {
  expect(filesOf.get('AppError')).toEqual(['src/lib/errors.ts'])
  expect([...declaredIn("export { a, type B, c as d }\nexport { e } from './e.ts'\n")]).toEqual([
    'a',
    'B',
    'd',
  ])
  expect(filesOf.size).toBeGreaterThan(500)
})

it('each exported name stands for one thing', () => {
  expect([...filesOf].filter(([, files]) => files.length > 1)).toEqual([])
})
