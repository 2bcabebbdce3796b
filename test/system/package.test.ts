import { execFile } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { basename, dirname, join, relative } from 'node:path'
import { promisify } from 'node:util'
import { Spec, Validation } from '@cyclonedx/cyclonedx-library'
import { beforeAll, expect, it } from 'vitest'
import { asTyped, jsonOf, typed } from '../helpers/command-line.ts'
import { copySources } from '../helpers/copy-sources.ts'
import { newFolder, textFile } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

/* The package as npm packs and installs it, into an empty folder, for a new user. */

const run = promisify(execFile)
const place = newFolder()
const prefix = join(place, 'prefix')
const home = join(place, 'home')
const PATIENCE_MS = 180_000

/** Runs a program of the sources, in a folder of theirs. What it printed. */
const runIn = asTyped(async ([folder, ...argv]) => {
  // Behind a link the modules would be outside of the folder for a bundler, and the build another one.
  const script = `rm -fd node_modules; mkdir node_modules; mount --bind '${root}/node_modules' node_modules; exec "$@"`
  const words = typed`-rm sh -ec ${script} sh ${process.execPath} ${argv}`
  return (await run('unshare', words, { cwd: folder })).stdout
})

/** Builds and packs. The tarballs, each with its SHA-256. */
const pack = asTyped(async ([folder, ...flags]) => {
  const to = mkdtempSync(join(place, 'tarball-'))
  const stdout = await runIn`${folder} tools/pack.mjs --to ${to} ${flags}`
  return Array.from(stdout.matchAll(/^([0-9a-f]{64}) {2}(.+)$/gm), ([, sum = '', file = '']) => ({
    sum,
    file,
  }))
})

/** Messages of npm, without those about the settings of this machine. */
async function install(tarball = '', ...flags: string[]) {
  // npm's notices of itself are none of the package.
  const quiet = typed`--no-audit --no-fund --no-update-notifier`
  const argv = ['install', '--global', '--prefix', prefix, ...quiet, ...flags, tarball]
  const { stderr } = await run('npm', argv, { cwd: place })
  return stderr.replace(/^npm warn Unknown (?:user|env) config .*\n/gm, '')
}

function installedFiles() {
  return readdirSync(prefix, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(join(prefix, 'lib/node_modules'), join(entry.parentPath, entry.name)))
}

const readText = (file: string) => textFile(join(prefix, 'lib/node_modules', file))
const readJson = (file: string) => JSON.parse(readText(file))

/** Rewords the output of `profiles list` in a copy of the sources. */
function withOtherWords(folder: string) {
  const view = join(folder, 'src/lib/services/profiles/profiles.result.ts')
  const before = textFile(view)
  // The length stays the same, so that the size tells nothing.
  const after = before.replaceAll('built-in sandbox', 'BUILT-IN SANDBOX')
  expect(after).not.toBe(before)
  writeFileSync(view, after)
  return folder
}

/** Sets all times to one, like a builder of images. */
function setTimes() {
  for (const file of installedFiles()) utimesSync(join(prefix, 'lib/node_modules', file), 0, 499_162_500)
}

const rma = asTyped(async (argv) => {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TZ: 'UTC' }
  return run(join(prefix, 'bin/rma'), argv, { cwd: place, env })
})

// One build on differing machines (test/system/container.test.ts builds it elsewhere).
const here = copySources(join(place, 'here'), { isBuilt: true })
const there = copySources(join(place, 'elsewhere/there'), { isBuilt: true })
const builtAt = (folder: string) => statSync(join(folder, 'dist/main.js')).mtimeMs
const copiedAt = [here, there].map(builtAt)
let [packed, offline, packedThere, offlineThere]: ({ sum: string; file: string } | undefined)[] = []
let said: string

beforeAll(async () => {
  await run('chmod', ['-R', 'go=', there])
  ;[packed, offline, packedThere, offlineThere] = (
    await Promise.all([packWithUmask(0o022)`${here} --offline`, packWithUmask(0o077)`${there} --offline`])
  ).flat()
  // npm's own cache stays: where the registry can't be reached, what was fetched before will do.
  said = await install(packed?.file, '--prefer-offline')
}, PATIENCE_MS)

const packWithUmask = (mask: number) =>
  asTyped(([folder, ...flags]) => {
    const umask = process.umask(mask)
    const packing = pack`${folder} ${flags}`
    process.umask(umask)
    return packing
  })

it('the package is the same, byte for byte, whoever packs it, with any umask, with its dependencies or without', () => {
  expect([packed?.sum, offline?.sum]).toEqual(Array(2).fill(expect.stringMatching(/^[0-9a-f]{64}$/)))
  expect([packedThere?.sum, offlineThere?.sum]).toEqual([packed?.sum, offline?.sum])
})

it('the package is not rebuilt from the same sources', () => {
  expect([here, there].map(builtAt)).toEqual(copiedAt)
})

it('the package is installed without a warning, a script or what people do not need', () => {
  expect(said).toBe('')
  const manifests = installedFiles().filter((file) => file.endsWith('/package.json'))
  expect(manifests).toHaveLength(6)
  for (const file of manifests) {
    const { scripts = {}, gypfile } = readJson(file)
    const ran = ['preinstall', 'install', 'postinstall', 'prepare', 'prepublish'].filter(
      (name) => name in scripts,
    )
    expect([file, ran, gypfile]).toEqual([file, [], undefined])
  }
  const { devDependencies, scripts, type } = readJson('rma-cli/package.json')
  expect({ devDependencies, scripts, type }).toEqual({ type: 'commonjs' })
})

it('the package takes at most 32 MB, with no library twice except one per C library', () => {
  const files = installedFiles()
  const bytes = files.map((file) => statSync(join(prefix, 'lib/node_modules', file)).size)
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(32_000_000)
  const large = files.filter((_file, at) => (bytes[at] ?? 0) > 100_000)
  const names = large.map((file) => basename(file))
  expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual(['index.node'])
})

it('the package has every page that its pages link to', () => {
  const pages = installedFiles().filter((file) => /^rma-cli\/(docs\/.*|[A-Z]+)\.md$/.test(file))
  const links = pages.flatMap((page) =>
    Array.from(readText(page).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g), ([, link = '']) =>
      join(dirname(page), link),
    ),
  )
  expect(links).toContain('rma-cli/docs/labels.md')
  expect(links.filter((link) => !existsSync(join(prefix, 'lib/node_modules', link)))).toEqual([])
})

it('the package lists its contents in a bill of materials', async () => {
  const text = readText('rma-cli/dist/sbom.cdx.json')
  const problems = await new Validation.JsonStrictValidator(Spec.Version.v1dot6).validate(text)
  expect(problems).toBeNull()
  const refs = JSON.parse(text).components.map((one: { purl: string }) => one.purl)
  expect(refs).toEqual(
    expect.arrayContaining(
      ['libsql', '%40libsql/linux-x64-musl', 'got', 'jq-web', '%40hyzyla/pdfium', 'bwip-js'].map((name) =>
        expect.stringMatching(`^pkg:npm/${name}@\\d`),
      ),
    ),
  )
  const licences = readText('rma-cli/dist/THIRD-PARTY-LICENSES.md')
  // A name alone is not a text.
  expect(licences).not.toMatch(/^Licence: /m)
  expect(licences).toContain('Apache ECharts')
  const named = refs.map((ref: string) => /^pkg:npm\/(.+)@/.exec(ref)?.[1]?.replace('%40', '@') ?? '')
  expect(named.filter((name: string) => name && !licences.includes(`\n- ${name} `))).toEqual([])
})

it('the package draws labels with its own dependencies', { timeout: PATIENCE_MS }, async () => {
  const [zpl, sheet] = [join(place, 'one.zpl'), join(place, 'sheet.pdf')]
  writeFileSync(zpl, '^XA^PW800^LL1200^FO60,60^A0N,60^FDR-1001^FS^XZ')
  await rma`labels print ${zpl} --sheet 4x6 --out ${sheet}`
  expect(readFileSync(sheet, 'latin1')).toMatch(/^%PDF-/)
  const received: Buffer[] = []
  const printer = createServer((socket) => socket.on('data', (bytes) => received.push(bytes)))
  await once(printer.listen(0, '127.0.0.1'), 'listening')
  await rma`labels print ${sheet} -P 127.0.0.1:${(printer.address() as AddressInfo).port}`
  printer.close()
  expect(String(Buffer.concat(received))).toMatch(/^\^XA.*\^GF/s)
})

it('ten commands of the package run on an empty home', { timeout: PATIENCE_MS }, async () => {
  expect((await rma`--version`).stdout).toMatch(/^rma-cli\/\d/)
  expect((await rma`--help`).stdout).toMatch(/returns +Find and read/)
  expect((await rma`labels create --help`).stdout).toMatch('--carrier-service')
  const listed = jsonOf(await rma`returns list --limit 3 --json`)
  expect(listed.returns).toHaveLength(3)
  const name = (await rma`returns list --limit 1 --jq .returns[0].name`).stdout.trim()
  expect(name).toBe(listed.returns[0].name)
  expect((await rma`returns get ${name} -o yaml`).stdout).toMatch(/^id: /m)
  expect((await rma`sandbox token`).stdout).toMatch('.')
  expect((await rma`-n tracking push ${name} --status SHIPPING_IN_PROGRESS`).stdout).toMatch(/^POST/)
  expect((await rma`api GET /returns -f limit=1`).stdout).toContain('"returns"')
  expect((await rma`profiles add x --base-url https://returns.example/v1`).stdout).toMatch('Added')
  expect((await rma`profiles list`).stdout).toMatch('built-in sandbox')
})

it('an upgrade runs the new build, whatever the times of its files', {
  timeout: PATIENCE_MS,
}, async () => {
  setTimes()
  for (let round = 0; round < 2; round += 1) {
    expect((await rma`profiles list`).stdout).toMatch('built-in sandbox')
  }
  // An upgrade changes the program; manual pages and lists of parts are left out here.
  const build = `import('./build.mjs').then(({ build }) => build({ outDir: process.argv[1], minify: true }))`
  await runIn`${withOtherWords(there)} -e ${build} ${join(prefix, 'lib/node_modules/rma-cli/dist')}`
  setTimes()
  for (let round = 0; round < 2; round += 1) {
    expect((await rma`profiles list`).stdout).toMatch('BUILT-IN SANDBOX')
    expect((await rma`returns list --limit 1`).stdout).toMatch(/^NAME/)
  }
})

it('the package installs from one file, without a registry', { timeout: PATIENCE_MS }, async () => {
  expect(offline?.file).toMatch(/rma-cli-[\d.]+-offline-linux-x64\.tgz$/)
  rmSync(prefix, { recursive: true })
  expect(await install(offline?.file, '--offline', '--cache', join(place, 'empty-cache'))).toBe('')
  expect((await rma`returns list --limit 1`).stdout).toMatch(/^NAME/)
  expect(installedFiles().filter((name) => name.endsWith('.node'))).toHaveLength(3)
})
