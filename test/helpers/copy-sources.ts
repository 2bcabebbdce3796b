import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run-cli.ts'

const SOURCES =
  'src bin tools docs build.mjs package.json package-lock.json CHANGELOG.md CONTRIBUTING.md README.md LICENSE'

/** All that a build is made of, in a folder of its own: other tests run what is built here. */
export function copySources(folder: string): string {
  for (const name of SOURCES.split(' ')) cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
