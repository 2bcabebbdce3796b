// npm run release:check runs the steps of "How a version is published" in CONTRIBUTING.md except the upload, on the
// version that package.json names.
import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { nodeBinary } from './node-binary.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'rma-release-'))
/** Folder of the files to publish. */
const to = join(root, '.tmp/release')
const isWindows = process.platform === 'win32'

/** Files that a package needs in order to run. */
const NEEDED = [
  'bin/run.js',
  'dist/main.js',
  'dist/commands.js',
  'oclif.manifest.json',
  'LICENSE',
  'README.md',
]
const UNWANTED = /^(?:src|test|bench|tools|site|\.ci|\.github)\/|\.test\.|\.map$|\.env|token/i

function run(command, argv, { cwd = root, env = process.env } = {}) {
  return execFileSync(command, argv, {
    cwd,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
  })
}

const commitOf = (name) => run('git', ['rev-list', '-1', name]).trim()
const textOf = (name) => readFileSync(join(root, name), 'utf8')
const { version } = JSON.parse(textOf('package.json'))

const isTagged = () => run('git', ['tag', '--list', `v${version}`]).trim() !== ''
let isDated = false

/** Fails the step unless the fact holds. */
function must(isSo, otherwise) {
  if (!isSo) throw new Error(otherwise)
}

/** Lines of README.md that need a terminal, a real platform, another program or a server that keeps running. */
const UNATTENDED =
  /^(?!.*(?:jq -r|--exec|--copy|labels print|resume|\| *(?:less|head)))rma (?:search|returns|pudos|methods|labels|tracking|api|sandbox (?:advance|faults)|conformance|completion|doctor|commands|schema)\b/

function readmeCommands() {
  const blocks = [...textOf('README.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  const lines = blocks.flatMap((block) =>
    block.split('\n').map((line) => line.replace(/\s+# .*$/, '').trim()),
  )
  return lines.filter((line) => UNATTENDED.test(line))
}

/**
 * Runs the README's commands with one of the artefacts in an empty home. Exit code 9 of checks with findings is a
 * success.
 */
function runReadme(name, path) {
  const home = mkdtempSync(join(place, 'home-'))
  const env = { PATH: path, HOME: home, TZ: 'UTC', NO_COLOR: '1' }
  const said = run('rma', ['--version'], { env }).trim()
  must(said.startsWith(`rma-cli/${version} `), `${name} says ${said}`)
  run('rma', ['samples', home], { env })
  for (const line of readmeCommands()) {
    const { status, stderr } = spawnSync('sh', ['-c', line], { cwd: home, env, encoding: 'utf8' })
    must(status === 0 || status === 9, `${name}: ${line}\nended with ${status}\n${stderr}`)
  }
}

/** Steps that only inspect the sources. */
const QUICK = {
  'the working tree is clean': () => {
    const changed = run('git', ['status', '--porcelain']).trim()
    must(changed === '', `not committed:\n${changed}`)
  },
  'CHANGELOG.md has this version first, a tagged commit with its date': () => {
    const [, first, date] = /^## (\S+) \(([^)]*)\)$/m.exec(textOf('CHANGELOG.md')) ?? []
    must(first === version, `package.json says ${version}, CHANGELOG.md ${first}`)
    isDated = /^\d{4}-\d{2}-\d{2}$/.test(date ?? '')
    must(isDated || !isTagged(), `## ${first} (${date}) needs the date of the release`)
  },
  'package-lock.json has this version': () => {
    const { version: locked } = JSON.parse(textOf('package-lock.json'))
    must(locked === version, `package.json says ${version}, package-lock.json ${locked}`)
  },
  'its tag is free, or is of this commit': () => {
    must(!isTagged() || commitOf(`v${version}`) === commitOf('HEAD'), `v${version} is another commit`)
  },
}

const clone = join(place, 'clone')
const tool = (name, ...argv) => run(process.execPath, [join('tools', name), ...argv], { cwd: clone })
const made = (pattern) => readdirSync(to).filter((name) => pattern.test(name))

const SLOW = {
  'a clean clone is set up, without a warning about engines': () => {
    run('git', ['clone', '--quiet', root, clone])
    const { status, stdout, stderr } = spawnSync('npm', ['ci', '--no-audit', '--no-fund'], {
      cwd: clone,
      encoding: 'utf8',
      shell: isWindows,
    })
    must(status === 0 && !stderr.includes('EBADENGINE'), `${stdout}${stderr}`)
    // Files downloaded for an earlier run are reused.
    mkdirSync(join(root, '.tmp/nodes'), { recursive: true })
    symlinkSync(join(root, '.tmp/nodes'), join(clone, '.tmp/nodes'))
    return `Node.js ${process.versions.node}`
  },
  'it passes lint, types and dead code': () => {
    for (const script of ['lint', 'types', 'unused']) run('npm', ['run', script], { cwd: clone })
  },
  'package, offline package, executable, bills of materials, licences, site and checksums are made': () => {
    rmSync(to, { recursive: true, force: true })
    mkdirSync(to, { recursive: true })
    tool('pack.mjs', '--offline', '--to', to)
    tool('executable.mjs', '--to', to)
    run('npm', ['run', 'docs:site'], { cwd: clone })
    cpSync(join(clone, 'site'), join(to, 'site'), { recursive: true })
    for (const name of ['THIRD-PARTY-LICENSES.md', 'sbom.cdx.json'])
      cpSync(join(clone, 'dist', name), join(to, `rma-cli-${version}-${name}`))
    const sums = made(/^rma-/).map(
      (name) =>
        `${createHash('sha256')
          .update(readFileSync(join(to, name)))
          .digest('hex')}  ${name}`,
    )
    writeFileSync(join(to, 'SHA256SUMS'), `${sums.join('\n')}\n`)
    must(sums.length === 7, `made: ${made(/./).join(', ')}`)
    return `${to}: ${made(/./).join(', ')}`
  },
  'the package holds what it needs, and nothing else': () => {
    const [filename] = made(/^rma-cli-[\d.]+\.tgz$/)
    const paths = run('tar', ['-tzf', filename], { cwd: to })
      .split('\n')
      .filter(Boolean)
      .map((path) => path.replace(/^package\//, ''))
    const { size } = statSync(join(to, filename))
    const missing = NEEDED.filter((name) => !paths.includes(name))
    must(missing.length === 0, `missing: ${missing.join(', ')}`)
    const unwanted = paths.filter((path) => UNWANTED.test(path) && !path.startsWith('dist/'))
    must(unwanted.length === 0, `unwanted: ${unwanted.join(', ')}`)
    return `${filename}, ${paths.length} files, ${(size / 1e6).toFixed(1)} MB`
  },
  'both packages can be installed on each Node.js, and run the commands of README.md': () => {
    must(readmeCommands().length > 15, `only ${readmeCommands().length} commands were found`)
    const nodes = ['20', '22', '24', '26'].map((major) => nodeBinary(major))
    for (const { version: node, path } of nodes) {
      const env = { ...process.env, PATH: `${dirname(path)}${delimiter}${process.env.PATH}` }
      for (const tarball of made(/\.tgz$/)) {
        const isOffline = tarball.includes('-offline-')
        const prefix = mkdtempSync(join(place, 'prefix-'))
        const source = isOffline ? ['--offline', '--cache', join(prefix, 'cache')] : ['--prefer-offline']
        const flags = ['--global', '--prefix', prefix, ...source, '--no-audit', '--no-fund']
        run('npm', ['install', ...flags, join(to, tarball)], { cwd: place, env })
        runReadme(
          `${tarball} on Node.js ${node}`,
          `${join(prefix, isWindows ? '' : 'bin')}${delimiter}${env.PATH}`,
        )
      }
    }
    return `${readmeCommands().length} commands on ${nodes.map(({ version: node }) => node).join(', ')}`
  },
  'the executable runs the commands of README.md where there is no Node.js': () => {
    const bin = mkdtempSync(join(place, 'bin-'))
    for (const name of ['sh', 'cat']) symlinkSync(run('which', [name]).trim(), join(bin, name))
    symlinkSync(join(to, made(/^rma-[a-z]+\d*-[a-z\d]+(?:\.exe)?$/)[0]), join(bin, 'rma'))
    runReadme('the executable', bin)
  },
}

function check(steps) {
  for (const [step, look] of Object.entries(steps)) {
    const began = performance.now()
    try {
      const detail = look()
      const seconds = Math.round((performance.now() - began) / 1000)
      console.log(
        `ok      ${step}${detail === undefined ? '' : `: ${detail}`}${seconds > 0 ? ` (${seconds} s)` : ''}`,
      )
    } catch (error) {
      console.log(
        `FAILED  ${step}: ${[error.stdout, error.stderr].filter(Boolean).join('\n') || error.message}`.trimEnd(),
      )
      process.exitCode = 1
      // The slow steps depend on each other.
      if (steps === SLOW) return
    }
  }
}

check(QUICK)
if (process.exitCode !== 1) check(SLOW)
rmSync(place, { recursive: true, force: true })
console.log(
  process.exitCode === 1
    ? '\nNot ready to be published.'
    : `\nReady: what is left is ${isDated ? '' : 'the date in CHANGELOG.md, and '}the upload, step 6 in CONTRIBUTING.md.`,
)
