import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const cache = fileURLToPath(new URL('../.tmp/nodes/', import.meta.url))

/** Of this machine, as the npm package `node` calls those that hold the binaries. */
function packageName() {
  const { platform, arch } = process
  const prefix = platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'
  return `${prefix}-${platform === 'win32' ? 'win' : platform}-${arch}`
}

/**
 * The newest Node.js of a major version that the registry has, kept in `.tmp/nodes`.
 * @param {string} major `22`
 * @returns {{ version: string, path: string }} `22.23.3`, and its executable
 */
export function nodeBinary(major) {
  const name = packageName()
  const prefix = join(cache, major)
  const manifest = join(prefix, 'node_modules', name, 'package.json')
  if (!existsSync(manifest)) {
    mkdirSync(prefix, { recursive: true })
    const flags = ['--prefix', prefix, '--no-save', '--no-package-lock', '--ignore-scripts']
    execFileSync('npm', ['install', ...flags, '--no-audit', '--no-fund', `${name}@${major}`], {
      cwd: prefix,
      stdio: ['ignore', 'ignore', 'inherit'],
      shell: process.platform === 'win32',
    })
  }
  const { version, bin } = JSON.parse(readFileSync(manifest, 'utf8'))
  return { version, path: join(dirname(manifest), bin.node) }
}
