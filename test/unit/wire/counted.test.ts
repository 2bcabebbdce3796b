import { join } from 'node:path'
import { expect, it } from 'vitest'
import { counted } from '../../../src/lib/wire/counted.ts'
import { filesBelow, textFile } from '../../helpers/files.ts'
import { root } from '../../helpers/run-cli.ts'

it('counted writes one thing in the singular, any other number in the plural', () => {
  expect([0, 1, 2].map((count) => counted(count, 'label'))).toEqual(['0 labels', '1 label', '2 labels'])
  expect([1, 2].map((count) => counted(count, 'copy', 'copies'))).toEqual(['1 copy', '2 copies'])
})

it('no text makes plurals without counted()', () => {
  const src = join(root, 'src')
  const files = filesBelow(src, '.ts')
  const found = files.flatMap((name) =>
    textFile(join(src, name))
      .split('\n')
      .filter(
        (line) => / [a-z]+\(s\)[ '`]|=== 1 \? (?:'1 |'' : 's')|`1 \w+`/.test(line) && !/^\s*\/?\*/.test(line),
      )
      .map((line) => `${name}: ${line.trim()}`),
  )
  expect(found).toEqual([])
})
