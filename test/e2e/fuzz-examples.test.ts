import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { play } from '../helpers/fuzz/play.ts'
import { TARGETS } from '../helpers/fuzz/targets.ts'

const EXAMPLES = join(import.meta.dirname, '../fixtures/fuzz')

it.each(Object.entries(TARGETS))(
  'reads examples and former faults of %s as any other input',
  async (name, load) => {
    const target = await load()
    const files = readdirSync(join(EXAMPLES, name))
    expect(files).not.toEqual([])
    for (const file of files) {
      await expect(play(target, readFileSync(join(EXAMPLES, name, file))), file).resolves.toBeTypeOf('string')
    }
  },
)
