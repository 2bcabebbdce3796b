// npm run release:check: the steps of "How a version is published" in CONTRIBUTING.md but the upload, on the version
// that package.json names.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const place = mkdtempSync(join(tmpdir(), 'rma-release-'))
const isWindows = process.platform === 'win32'

/** What a package has to hold so that it runs; and what it must not. */
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

const textOf = (name) => readFileSync(join(root, name), 'utf8')
const { version } = JSON.parse(textOf('package.json'))

/** The first fact that is not so ends a step. */
function must(isSo, otherwise) {
  if (!isSo) throw new Error(otherwise)
}

/** The commands of README.md that need nothing but the sandbox and what `rma samples` writes. */
function readmeCommands() {
  const blocks = [...textOf('README.md').matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block]) => block)
  const lines = blocks
    .flatMap((block) => block.split('\n'))
    .map((line) => line.replace(/\s+# .*$/, '').trim())
  return lines.filter((line) =>
    /^rma (?:returns (?:list|get|transportations|explain)|labels create --for) [^|&;]*$/.test(line),
  )
}

/** Those that only look. */
const QUICK = {
  'the working tree is clean': () => {
    const changed = run('git', ['status', '--porcelain']).trim()
    must(changed === '', `not committed:\n${changed}`)
  },
  'CHANGELOG.md has this version first, with its date': () => {
    const [, first, date] = /^## (\S+) \(([^)]*)\)$/m.exec(textOf('CHANGELOG.md')) ?? []
    must(first === version, `package.json says ${version}, CHANGELOG.md ${first}`)
    must(/^\d{4}-\d{2}-\d{2}$/.test(date ?? ''), `## ${first} (${date}) needs the date of the release`)
  },
  'package-lock.json has this version': () => {
    const { version: locked } = JSON.parse(textOf('package-lock.json'))
    must(locked === version, `package.json says ${version}, package-lock.json ${locked}`)
  },
  'its tag is free, or is of this commit': () => {
    const commitOf = (name) => run('git', ['rev-list', '-1', name]).trim()
    const isTaken = run('git', ['tag', '--list', `v${version}`]).trim() !== ''
    must(!isTaken || commitOf(`v${version}`) === commitOf('HEAD'), `v${version} is another commit`)
  },
}

const SLOW = {
  'it can be built, and passes lint, types and dead code': () => {
    for (const script of ['build', 'lint', 'types', 'unused']) run('npm', ['run', script])
  },
  'the package holds what it needs, and nothing else': () => {
    run(process.execPath, [join(root, 'tools/pack.mjs'), '--to', place])
    const [filename] = readdirSync(place).filter((name) => name.endsWith('.tgz'))
    const paths = run('tar', ['-tzf', filename], { cwd: place })
      .split('\n')
      .filter(Boolean)
      .map((path) => path.replace(/^package\//, ''))
    const { size } = statSync(join(place, filename))
    const missing = NEEDED.filter((name) => !paths.includes(name))
    must(missing.length === 0, `missing: ${missing.join(', ')}`)
    const unwanted = paths.filter((path) => UNWANTED.test(path) && !path.startsWith('dist/'))
    must(unwanted.length === 0, `unwanted: ${unwanted.join(', ')}`)
    return `${filename}, ${paths.length} files, ${(size / 1e6).toFixed(1)} MB`
  },
  'it can be installed from there, and is this version': () => {
    const [tarball] = readdirSync(place).filter((name) => name.endsWith('.tgz'))
    const flags = [
      '--global',
      '--prefix',
      join(place, 'prefix'),
      '--prefer-offline',
      '--no-audit',
      '--no-fund',
    ]
    run('npm', ['install', ...flags, join(place, tarball)], { cwd: place })
    const said = run(installed, ['--version'], { env: newcomer }).trim()
    must(said.startsWith(`rma-cli/${version} `), `it says ${said}`)
    return said
  },
  'the commands of README.md run as installed': () => {
    const commands = readmeCommands()
    must(commands.length > 5, `only ${commands.length} were found`)
    const env = {
      ...newcomer,
      PATH: `${join(place, 'prefix', isWindows ? '' : 'bin')}${isWindows ? ';' : ':'}${process.env.PATH}`,
    }
    run('sh', ['-ec', ['rma samples', ...commands].join('\n')], { cwd: place, env })
    return `${commands.length} commands`
  },
}

const installed = join(place, 'prefix', isWindows ? 'rma.cmd' : 'bin/rma')
const newcomer = { PATH: process.env.PATH, HOME: place, TZ: 'UTC', NO_COLOR: '1' }

function check(steps) {
  for (const [step, look] of Object.entries(steps)) {
    try {
      const detail = look()
      console.log(`ok      ${step}${detail === undefined ? '' : `: ${detail}`}`)
    } catch (error) {
      console.log(
        `FAILED  ${step}: ${[error.stdout, error.stderr].filter(Boolean).join('\n') || error.message}`.trimEnd(),
      )
      process.exitCode = 1
    }
  }
}

check(QUICK)
if (process.exitCode !== 1) check(SLOW)
rmSync(place, { recursive: true, force: true })
console.log(
  process.exitCode === 1
    ? '\nNot ready to be published.'
    : '\nReady: what is left is the upload, step 6 in CONTRIBUTING.md.',
)
