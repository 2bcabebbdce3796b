// Builds dist/ out of src/: CommonJS chunks, one a command, so that a command loads only what it uses.
// CommonJS because Node.js starts it faster than the same code as ES modules (docs/performance.md).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { rolldown } from 'rolldown'

const root = dirname(fileURLToPath(import.meta.url))
const commandsDir = join(root, 'src/commands')

/** Files below a folder, as paths relative to it. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/').slice(0, -3))
    .sort()
}

/** `returns/list` → `returns:list`, as oclif names it. */
const idOf = (name) => name.replaceAll('/', ':')

/**
 * got loads this for HTTP/2, which we never ask it for; as it loads it makes a TLS context, which takes as long as
 * Node.js itself takes to start.
 */
const withoutHttp2 = {
  name: 'without-http2',
  resolveId: (source) =>
    source === 'http2-wrapper' ? { id: 'http2-wrapper', moduleSideEffects: false } : null,
  load: (id) => (id === 'http2-wrapper' ? 'export default {}' : null),
}

/**
 * @param {object} options
 * @param {string} options.outDir
 * @param {boolean} options.minify
 */
export async function build({ outDir, minify }) {
  const commands = filesBelow(commandsDir)
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: {
      main: 'src/main.ts',
      'man-pages': 'src/lib/cli/help/man-pages.ts',
      ...Object.fromEntries(commands.map((name) => [`commands/${name}`, `src/commands/${name}.ts`])),
    },
    // These find a file beside themselves (a native addon, a WebAssembly module), so they stay dependencies.
    external: ['libsql', 'jq-web', 'zpl-renderer-js'],
    plugins: [withoutHttp2],
    logLevel: 'warn',
  })
  rmSync(outDir, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: outDir,
    format: 'cjs',
    minify,
    exports: 'named',
    // Code that comes out of a cache (bin/code-cache.js) can't import, and all that stays outside is CommonJS.
    dynamicImportInCjs: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
  writeFileSync(join(outDir, 'commands.js'), commandTable(commands))
  writeFileSync(join(outDir, 'build-id'), buildId(outDir))
  return output
}

/** Names a build by the content of all its files: what was compiled of another one must not run (bin/code-cache.js). */
function buildId(folder) {
  const hash = createHash('sha256')
  for (const name of readdirSync(folder, { recursive: true }).sort()) {
    const file = join(folder, name)
    if (!statSync(file).isFile()) continue
    const content = readFileSync(file)
    hash.update(`${name.split(sep).join('/')} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

/** The table that oclif's explicit strategy reads; each command is loaded when it is asked for. */
function commandTable(commands) {
  const rows = commands.map(
    (name) => `  get ${JSON.stringify(idOf(name))}() { return require("./commands/${name}.js").default },`,
  )
  return `"use strict"\nexports.COMMANDS = {\n${rows.join('\n')}\n}\n`
}

const DATA_LICENCES = `## Data: GeoNames (CC BY 4.0)

Names, places and populations of towns in the sandbox are from GeoNames, https://www.geonames.org, licensed under
https://creativecommons.org/licenses/by/4.0/. They were cut down, and names were added.
`

/** What the bundle carries of others keeps its licence: their texts in one file beside it. */
function writeLicences(output, outDir) {
  const folders = new Set()
  for (const chunk of output) {
    for (const id of Object.keys(chunk.modules ?? {})) {
      const at = id.lastIndexOf('/node_modules/')
      if (at === -1) continue
      const [scope, name] = id.slice(at + '/node_modules/'.length).split('/')
      folders.add(`${id.slice(0, at)}/node_modules/${scope.startsWith('@') ? `${scope}/${name}` : scope}`)
    }
  }
  const texts = [...folders].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
    const file = readdirSync(folder).find((entry) => /^licen[cs]e/i.test(entry))
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `Licence: ${license}`
    return `## ${name} ${version} (${license})\n\n${text}\n`
  })
  writeFileSync(
    join(outDir, 'THIRD-PARTY-LICENSES.md'),
    `# Software in this package by others\n\n${texts.join('\n')}\n${DATA_LICENCES}`,
  )
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const outDir = join(root, 'dist')
  const output = await build({ outDir, minify: true })
  writeLicences(output, outDir)
  execFileSync(process.execPath, [join(root, 'node_modules/oclif/bin/run.js'), 'manifest'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
  })
  const { writeManPages } = createRequire(import.meta.url)('./dist/man-pages.js')
  await writeManPages(root, join(outDir, 'man'))
}
