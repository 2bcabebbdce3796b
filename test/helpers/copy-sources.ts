import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run-cli.ts'

const SOURCES =
  'src bin tools docs build.mjs package.json package-lock.json CHANGELOG.md CONTRIBUTING.md README.md LICENSE'
const BUILT = 'dist oclif.manifest.json .tmp/built'

/**
 * Copies all inputs of a build, because other tests run the build of this folder.
 * | @param isBuilt includes the build, which `npm run build` then leaves unchanged
 */
export function copySources(folder: string, { isBuilt = false } = {}): string {
  for (const name of `${SOURCES}${isBuilt ? ` ${BUILT}` : ''}`.split(' '))
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
