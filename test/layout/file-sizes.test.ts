import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { filesBelow, textFile } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

it.each([
  ['src', 300],
  ['src/lib/services', 250],
  ['src/commands', 100],
])('no source of %s has more than %d lines', (folder, most) => {
  const sources = filesBelow(join(root, folder), '.ts')
  expect(sources.length).toBeGreaterThan(50)
  const linesOf = (file: string) => textFile(join(root, folder, file)).split('\n').length - 1
  expect(sources.filter((file) => linesOf(file) > most)).toEqual([])
})

it('no folder of src has more than 25 files', () => {
  const counts = new Map<string, number>()
  for (const entry of readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true }))
    if (entry.isFile()) counts.set(entry.parentPath, (counts.get(entry.parentPath) ?? 0) + 1)
  expect(counts.size).toBeGreaterThan(50)
  expect([...counts].filter(([, files]) => files > 25)).toEqual([])
})
