import { cpSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './run-cli.ts'

const SOURCES =
  'src bin tools docs build.mjs package.json package-lock.json CHANGELOG.md CONTRIBUTING.md README.md LICENSE'
const BUILT = 'dist oclif.manifest.json .tmp/built'

/**
 * All that a build is made of, in a folder of its own: other tests run what is built here.
 *
 * @param isBuilt with what was built of it here, which `npm run build` there leaves as it is
 */
export function copySources(folder: string, { isBuilt = false } = {}): string {
  for (const name of `${SOURCES}${isBuilt ? ` ${BUILT}` : ''}`.split(' '))
    cpSync(join(root, name), join(folder, name), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  return folder
}
