// Builds the published files. `npm run pack` builds the package. `npm run pack:offline -- [PLATFORM]` also builds one
// that contains its dependencies for a platform and installs without a registry. `--unpacked FOLDER` writes that to a
// new folder.
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

/** Platforms by `process.platform` and `process.arch`. */
const PLATFORMS = ['darwin-arm64', 'darwin-x64', 'linux-arm64', 'linux-x64', 'win32-x64']

/**
 * Stages the package as installed. Its manifest omits scripts, which npm warns about, and build dependencies. Optional
 * dependencies become peers, because npm would install them for everyone.
 * | @param {string} folder emptied first
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

/** Sets file modes that do not depend on the umask. */
function unifyModes(folder) {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) chmodSync(join(entry.parentPath, entry.name), 0o644)
  }
}

/** Adds a platform's dependencies from the lockfile to a staged package, and verifies their integrity. */
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

/** Packs a folder, and prints SHA-256 and path like `sha256sum`. */
function pack(folder, to, suffix = '') {
  mkdirSync(to, { recursive: true })
  const [{ filename }] = JSON.parse(npm(folder, 'pack', '--json', '--ignore-scripts'))
  const file = join(resolve(to), filename.replace(/\.tgz$/, `${suffix}.tgz`))
  // npm would include it in the next package.
  renameSync(join(folder, filename), file)
  process.stdout.write(`${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${file}\n`)
}

if (process.argv[1] === fileURLToPath(import.meta.url)) main()
