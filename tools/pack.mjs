// Makes what people get. `npm run pack` builds the package; `npm run pack:offline -- [PLATFORM]` besides one that
// installs without a registry, as it has its dependencies for one platform in it. `--unpacked FOLDER` makes that a new folder.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

export const root = join(dirname(fileURLToPath(import.meta.url)), '..')

/** As Node.js names them, `process.platform` and `process.arch`. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']

/**
 * The package as it is installed. Its manifest says what users need: no scripts, at which npm warns, and nothing that
 * only building needs. Optional dependencies would be installed for all; as peers they are for those who ask for them.
 *
 * @param {string} folder what was there is gone
 */
export function stagePackage(folder) {
  execFileSync(process.execPath, [join(root, 'build.mjs')], { cwd: root, stdio: ['ignore', 2, 2] })
  const { scripts: _scripts, devDependencies: _tools, optionalDependencies, ...manifest } = readManifest(root)
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  for (const name of [...manifest.files, 'README.md', 'LICENSE']) {
    cpSync(join(root, name), join(folder, name), { recursive: true })
  }
  const optional = Object.keys(optionalDependencies).map((name) => [name, { optional: true }])
  writeManifest(folder, {
    ...manifest,
    peerDependencies: optionalDependencies,
    peerDependenciesMeta: Object.fromEntries(optional),
  })
  unifyModes(folder)
}

/** Makes modes the same whatever the umask was when the files were made. */
function unifyModes(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644)
  }
}

/** Puts the dependencies of a platform into a staged package, as the lockfile names them: their integrity is checked. */
export function addDependencies(folder, platform) {
  const { peerDependencies: _peers, peerDependenciesMeta: _meta, ...manifest } = readManifest(folder)
  const { optionalDependencies } = readManifest(root)
  const [os, cpu] = platform.split('-')
  const place = join(root, '.tmp', `dependencies-${platform}-${process.pid}`)
  try {
    mkdirSync(place, { recursive: true })
    for (const name of ['package.json', 'package-lock.json']) cpSync(join(root, name), join(place, name))
    npm(
      place,
      'ci',
      '--omit=dev',
      '--ignore-scripts',
      `--os=${os}`,
      `--cpu=${cpu}`,
      '--no-audit',
      '--no-fund',
    )
    rmSync(join(folder, 'node_modules'), { recursive: true, force: true })
    cpSync(join(place, 'node_modules'), join(folder, 'node_modules'), { recursive: true })
  } finally {
    rmSync(place, { recursive: true, force: true })
  }
  rmSync(join(folder, 'node_modules/.package-lock.json'))
  unifyModes(join(folder, 'node_modules'))
  const bundleDependencies = Object.keys({ ...manifest.dependencies, ...optionalDependencies })
  writeManifest(folder, { ...manifest, optionalDependencies, bundleDependencies })
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
}

function writeManifest(folder, manifest) {
  writeFileSync(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`)
}

export function npm(cwd, ...argv) {
  const shell = process.platform === 'win32'
  return execFileSync('npm', argv, { cwd, encoding: 'utf8', shell, stdio: ['ignore', 'pipe', 'inherit'] })
}

function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      offline: { type: 'boolean' },
      unpacked: { type: 'string' },
      to: { type: 'string', default: '.' },
    },
  })
  const [platform = `${process.platform}-${process.arch}`] = positionals
  if (!PLATFORMS.includes(platform)) throw new Error(`${platform}: one of ${PLATFORMS.join(', ')} is needed.`)
  if (values.unpacked !== undefined) {
    if (existsSync(values.unpacked)) throw new Error(`${values.unpacked} is there already.`)
    stagePackage(values.unpacked)
    addDependencies(values.unpacked, platform)
    return
  }
  const folder = join(root, '.tmp', `package-${process.pid}`)
  try {
    stagePackage(folder)
    pack(folder, values.to)
    if (values.offline) {
      addDependencies(folder, platform)
      pack(folder, values.to, `-offline-${platform}`)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Prints its SHA-256 and its path, as `sha256sum` does. */
function pack(folder, to, suffix = '') {
  mkdirSync(to, { recursive: true })
  const [{ filename }] = JSON.parse(npm(folder, 'pack', '--json', '--ignore-scripts'))
  const file = join(resolve(to), filename.replace(/\.tgz$/, `${suffix}.tgz`))
  // npm would put it into itself the next time.
  renameSync(join(folder, filename), file)
  process.stdout.write(`${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
