import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { rolldown } from 'rolldown'
import { afterAll } from 'vitest'
import { TEXT_FILES } from '../../tools/text-files.mjs'

/** Bundles a CommonJS program that has `openSandbox`, for tests of a file that start and kill it. */
export async function bundleProgram(name: string, program: string): Promise<string> {
  const root = resolve(import.meta.dirname, '../..')
  // Inside the repository, so that the driver resolves.
  const dir = join(root, '.tmp', `sandbox-${name}-${process.pid}`)
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: 'src/lib/sandbox/index.ts',
    external: ['libsql'],
    moduleTypes: TEXT_FILES,
    logLevel: 'silent',
  })
  mkdirSync(dir, { recursive: true })
  await bundle.write({ dir, format: 'cjs', entryFileNames: 'sandbox.cjs' })
  await bundle.close()
  const file = join(dir, 'program.cjs')
  writeFileSync(file, `const { openSandbox } = require('./sandbox.cjs')\n${program}`)
  afterAll(() => rmSync(dir, { recursive: true, force: true }))
  return file
}
