// Builds dist/ from src/: one CommonJS chunk for each command, so that a command loads only the code that it uses.
// Node.js starts CommonJS faster than ES modules (docs/performance.md).
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import Module, { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompress, constants } from 'node:zlib'
import { rolldown } from 'rolldown'
import { billOfMaterials } from './tools/sbom.mjs'
import { TEXT_FILES } from './tools/text-files.mjs'
import { licencePage, thirdPartyParts } from './tools/third-party.mjs'

const root = dirname(fileURLToPath(import.meta.url))
const commandsDir = join(root, 'src/commands')

/** Files below a folder, as paths relative to it. */
function filesBelow(folder) {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/').slice(0, -3))
    .sort()
}

const idOf = (name) => name.replaceAll('/', ':')

/**
 * Modules that rma never uses. http2-wrapper of got creates a TLS context at load, which takes as long as the start of
 * Node.js. The others of got cache answers and host names. `debug` of oclif would print its steps, and TypeScript would
 * compile plug-ins.
 */
const UNUSED = /^(?:http2-wrapper|cacheable-request|cacheable-lookup|debug|is-in-ci|typescript)$/

const UNUSED_PREFIX = '\0unused:'

/** Replacements of modules. The table layout measures only fillers of one column. */
const STAND_INS = {
  typescript: 'module.exports = undefined',
  debug: 'module.exports = () => Object.assign(() => {}, { enabled: false, extend: () => module.exports() })',
  // ink would draw no desk in an environment that sets CI.
  'is-in-ci': 'module.exports = false',
  'string-width': 'module.exports = (text) => text.length',
}

const withoutUnused = {
  name: 'without-unused',
  resolveId: {
    filter: { id: [UNUSED, /^string-width$/] },
    handler(source, importer) {
      const isUnused = UNUSED.test(source) || /[\\/]cli-table3[\\/]/.test(importer)
      return isUnused ? { id: `${UNUSED_PREFIX}${source}`, moduleSideEffects: false } : null
    },
  },
  load: {
    filter: { id: new RegExp(`^${UNUSED_PREFIX}`) },
    handler(id) {
      const standIn = STAND_INS[id.slice(UNUSED_PREFIX.length)]
      return standIn ?? 'export default class {}\nexport class CacheError extends Error {}'
    },
  },
}

/** Node.js modules that a short command loads but does not use (3 to 8 ms each), with their imported members. */
const LATE = {
  'node:crypto': ['createHash', 'hash', 'randomBytes', 'randomUUID'],
  'node:https': ['request', 'Agent', 'globalAgent'],
  'node:tls': ['checkServerIdentity'],
}
const LATE_PREFIX = '\0late:'
const LOADED_BY_ALL = /[\\/](got[\\/]dist|src[\\/]lib[\\/](files|api[\\/]http[\\/]transport\.ts))/

/** Defers loading a built-in module to the first use of a function or default member. */
const lateBuiltins = {
  name: 'late-builtins',
  resolveId: {
    filter: { id: new RegExp(`^(?:${Object.keys(LATE).join('|')})$`) },
    handler: (source, importer) =>
      LOADED_BY_ALL.test(importer) ? { id: LATE_PREFIX + source, moduleSideEffects: false } : null,
  },
  load: {
    filter: { id: new RegExp(`^${LATE_PREFIX}`) },
    handler(id) {
      const source = id.slice(LATE_PREFIX.length)
      const names = LATE[source]
      return [
        `const late = () => process.getBuiltinModule(${JSON.stringify(source)})`,
        ...names.map((name) => `export const ${name} = (...args) => late().${name}(...args)`),
        `export default { ${names.map((name) => `get ${name}() { return late().${name} }`).join(', ')} }`,
      ].join('\n')
    },
  },
}

/**
 * oclif loads all modules that any command could need: plug-ins, help, templates, semver. In its modules `const a_1 =
 * require("a")` becomes a lazy member.
 */
const lateOclif = {
  name: 'late-oclif',
  transform: {
    filter: { id: /\/@oclif\/core\/lib\// },
    handler(code) {
      const members = []
      const member = (name, load) =>
        members.push(
          `get ${name}() { const value = ${load}; Object.defineProperty(late, "${name}", { value }); return value }`,
        )
      // Its late listener would override ours (src/lib/cli/process-io.ts).
      const own = code.replace(/^process\.stdout\.on\('error', [\s\S]*?^\}\);$/m, '')
      let changed = own.replace(
        /^exports\.(\w+) = (__importStar\(require\(".+"\)\));$/gm,
        (_line, name, load) => {
          member(name, load)
          return `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => late.${name} });`
        },
      )
      for (const [line, name, load] of changed.matchAll(
        /^(?:const|var) (\w+_\d) = (.*require\(".+"\)\)?);$/gm,
      )) {
        member(name, load)
        changed = changed.replace(line, '').replace(new RegExp(`(?<![.\\w])${name}\\b`, 'g'), `late.${name}`)
      }
      return { code: `var late = { ${members.join(',\n')} };\n${changed}`, map: null }
    },
  },
}

/** Makes objects lazy that got creates at load: the first use of Intl takes 20 ms, that of `crypto` 6 ms. */
const lateGot = {
  name: 'late-got',
  transform: {
    filter: { id: [/\/@sindresorhus\/is\//, /\/got\/.*diagnostics-channel/] },
    handler(code) {
      const made = /= (new Intl\.ListFormat\([^)]*\));/g
      // Request ids for listeners of its diagnostics channel.
      const imported = /import \{ randomUUID \} from 'node:crypto';/
      const late = code
        .replace(made, '= { format: (list) => $1.format(list) };')
        .replace(imported, 'let requests = 0; const randomUUID = () => String(++requests);')
      return { code: late, map: null }
    },
  },
}

/**
 * Cuts out unused parts under a non-free licence: the outlines behind the font OCR-A, and Hewlett-Packard's colour
 * profile for PDF/A.
 */
const withoutUnfree = {
  name: 'without-unfree',
  transform: {
    filter: { id: [/\/bwip-js\/dist\/bwip-js-node\.mjs$/, /\/pdfa\/srgbProfile\.js$/] },
    handler(code, id) {
      if (id.endsWith('bwip-js-node.mjs'))
        return { code: replaceOnce(code, /^FontLib\.loadFont\("OCR-A".*$/m, ''), map: null }
      return { code: 'export const getDefaultSRGBProfile = undefined', map: null }
    },
  },
}

/** Cuts out what a PDF library prints about broken files: commands say it in their own words. */
const silentPdf = {
  name: 'silent-pdf',
  transform: {
    filter: { id: /\/pdf-lib\/es\/.*\.js$/, code: 'console.warn(' },
    handler: (code) => ({ code: code.replaceAll('console.warn(', 'void ('), map: null }),
  },
}

/** Makes jq load its WebAssembly module from the compressed file of the build. */
const shippedJq = {
  name: 'shipped-jq',
  transform: {
    filter: { id: /\/jq-web\/jq\.js$/ },
    handler(code) {
      const file = `require('node:path').join(__dirname, '../jq.wasm.br')`
      const wasmBinary = `require('node:zlib').brotliDecompressSync(require('node:fs').readFileSync(${file}))`
      return { code: replaceOnce(code, /^jq = jq\(\)/m, `jq = jq({ wasmBinary: ${wasmBinary} })`), map: null }
    },
  },
}

/**
 * libsql spends 15 ms on a process report and searched programs to detect the C library. The first bytes of the running
 * binary name it. If no library of libsql matches, the original code runs.
 */
const QUICK_LIBSQL = {
  libsql: `
    let driver
    try { driver = require('libsql/quick') } catch { driver = require('libsql') }
    module.exports = driver`,
  '@neon-rs/load': `
    const { closeSync, openSync, readSync } = require('node:fs')
    const libraries = { linux: '-gnu', musl: '-musl' }
    const interpreter = () => {
      const [head, file] = [Buffer.alloc(4096), openSync(process.execPath)]
      readSync(file, head)
      closeSync(file)
      return /\\/ld-(linux|musl)[\\w.-]*\\0/.exec(head.toString('latin1'))?.[1]
    }
    exports.currentTarget = () => {
      const { platform, arch } = process
      const system = { linux: () => libraries[interpreter()], win32: () => '-msvc' }[platform]
      return platform + '-' + arch + (system?.() ?? '')
    }`,
  'detect-libc': 'exports.familySync = () => undefined; exports.GLIBC = exports.MUSL = false',
}
const QUICK_PREFIX = '\0quick:'

const quickLibsql = {
  name: 'quick-libsql',
  resolveId: {
    filter: { id: new RegExp(`^(?:libsql/quick|libsql/promise|${Object.keys(QUICK_LIBSQL).join('|')})$`) },
    handler(source, importer) {
      // Speed does not matter at the end of a first copy.
      if (source === 'libsql/promise') return { id: source, external: true }
      if (importer === `${QUICK_PREFIX}libsql`) {
        if (source === 'libsql') return { id: 'libsql', external: true }
        if (source === 'libsql/quick') return join(root, 'node_modules/libsql/index.js')
      }
      const isReplaced = source === 'libsql' || /[\\/]libsql[\\/]index\.js$/.test(importer ?? '')
      return isReplaced ? { id: QUICK_PREFIX + source } : null
    },
  },
  load: {
    filter: { id: new RegExp(`^${QUICK_PREFIX}`) },
    handler: (id) => QUICK_LIBSQL[id.slice(QUICK_PREFIX.length)],
  },
}

/**
 * CommonJS has no top-level await, so callers await `ready` for ink's layout engine. Code for ink's developers is cut
 * out.
 */
const commonInk = {
  name: 'common-ink',
  transform: {
    filter: { id: [/\/ink\/build\/reconciler\.js$/, /\/yoga-layout\/dist\/src\/index\.js$/] },
    handler(code, id) {
      if (id.endsWith('reconciler.js')) {
        const tools = replaceOnce(code, /^if \(isDev\(\)\) \{\n[\s\S]*?^\}\n/m, '')
        return { code: replaceOnce(tools, /await loadPackageJson\(\)/, 'undefined'), map: null }
      }
      const loaded =
        'const Yoga = {};\nexport const ready = loadYoga().then((raw) => Object.assign(Yoga, wrapAssembly(raw)));'
      return { code: replaceOnce(code, /^const Yoga = .*$/m, loaded), map: null }
    },
  },
}

function replaceOnce(text, what, by) {
  const found = text.match(new RegExp(what, `${what.flags}g`))?.length ?? 0
  if (found !== 1) throw new Error(`${what} is there ${found} times, not once.`)
  return text.replace(what, () => by)
}

/** Writes compressed WebAssembly modules: a quarter to a half of their size, for 30 ms in a run that uses them. */
async function writeWasm(outDir) {
  const at = (path) => join(root, 'node_modules', path)
  const modules = {
    jq: readFileSync(at('jq-web/jq.wasm')),
    pdfium: readFileSync(at('@hyzyla/pdfium/dist/pdfium.wasm')),
  }
  // Higher quality takes four times as long to save 2 % of the size.
  const params = { [constants.BROTLI_PARAM_QUALITY]: 6, [constants.BROTLI_PARAM_LGWIN]: 24 }
  await Promise.all(
    Object.entries(modules).map(async ([name, module]) =>
      writeFileSync(join(outDir, `${name}.wasm.br`), await promisify(brotliCompress)(module, { params })),
    ),
  )
}

/** Modules whose exports are slow to compute: the build computes them and bundles the data. */
const MADE_AHEAD = ['src/lib/wire/shapes.ts', 'src/lib/wire/currency-digits.ts']

const madeAhead = {
  name: 'made-ahead',
  load: {
    filter: { id: new RegExp(`/(?:${MADE_AHEAD.join('|')})$`) },
    async handler(id) {
      const bundle = await rolldown({ cwd: root, platform: 'node', input: id })
      const { output } = await bundle.generate({ format: 'esm', codeSplitting: false })
      await bundle.close()
      const made = await import(`data:text/javascript,${encodeURIComponent(output[0].code)}`)
      const lines = Object.entries(made).map(
        ([name, data]) => `export const ${name} = ${JSON.stringify(data)}`,
      )
      return { code: lines.join('\n'), moduleType: 'js', moduleSideEffects: false }
    },
  },
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
    external: ['@napi-rs/keyring'],
    input: {
      main: 'src/main.ts',
      'man-pages': 'src/lib/cli/help/man-pages.ts',
      ...Object.fromEntries(commands.map((name) => [`commands/${name}`, `src/commands/${name}.ts`])),
    },
    moduleTypes: TEXT_FILES,
    plugins: [
      quickLibsql,
      withoutUnused,
      lateBuiltins,
      lateOclif,
      lateGot,
      withoutUnfree,
      silentPdf,
      shippedJq,
      commonInk,
      madeAhead,
    ],
    transform: { define: { 'process.env.NODE_ENV': '"production"' } },
    logLevel: 'warn',
  })
  rmSync(outDir, { recursive: true, force: true })
  const { output } = await bundle.write({
    dir: outDir,
    format: 'cjs',
    minify,
    exports: 'named',
    // Code from the compile cache (bin/code-cache.js) can't import, and all external modules are CommonJS.
    dynamicImportInCjs: false,
    entryFileNames: '[name].js',
    chunkFileNames: 'chunks/[name]-[hash].js',
  })
  await bundle.close()
  await writeWasm(outDir)
  writeFileSync(join(outDir, 'commands.js'), commandTable(commands))
  writeFileSync(join(outDir, 'build-id'), contentId(outDir, readdirSync(outDir)))
  return output
}

/** Writes the completion table, because loading all commands takes too long for a key press. */
async function writeCompletionTable(outDir) {
  const bundle = await rolldown({
    cwd: root,
    platform: 'node',
    input: 'src/lib/services/completion/make-table.ts',
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'cjs', dynamicImportInCjs: false, codeSplitting: false })
  await bundle.close()
  const module = new Module(join(root, 'make-table.js'))
  module.paths = Module._nodeModulePaths(root)
  module._compile(output[0].code, module.id)
  const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))
  const { topics } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).oclif
  const { COMMANDS } = createRequire(import.meta.url)('./dist/commands.js')
  const viewOf = (id) => COMMANDS[id].result.view
  const table = await module.exports.completionTable(Object.values(commands), topics, viewOf)
  writeFileSync(join(outDir, 'completion.json'), JSON.stringify(table))
}

/** Files of a folder under a name, a file or folder that may be missing. */
function filesOf(folder, name) {
  const found = statSync(join(folder, name), { throwIfNoEntry: false })
  if (!found?.isDirectory()) return found ? [name] : []
  return readdirSync(join(folder, name)).flatMap((inner) => filesOf(folder, join(name, inner)))
}

/** Hash of all files, which keeps compiled code of another build from running (bin/code-cache.js). */
function contentId(folder, names) {
  const hash = createHash('sha256')
  for (const name of names.flatMap((one) => filesOf(folder, one)).sort()) {
    const content = readFileSync(join(folder, name))
    hash.update(`${name.split(sep).join('/')} ${content.length}\n`).update(content)
  }
  return hash.digest('hex').slice(0, 32)
}

/** Table for oclif's explicit strategy. Each command is loaded on demand. */
function commandTable(commands) {
  const rows = commands.map(
    (name) => `  get ${JSON.stringify(idOf(name))}() { return require("./commands/${name}.js").default },`,
  )
  return `"use strict"\nexports.COMMANDS = {\n${rows.join('\n')}\n}\n`
}

/** Writes the help for all of rma as a terminal shows it (src/main.ts), for widths that do not change it. */
function writeHelp(outDir) {
  const [narrow, wide] = [80, 1000].map((columns) =>
    execFileSync(process.execPath, [join(root, 'bin/run.js'), '--help'], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: '/nonexistent', FORCE_COLOR: '1', OCLIF_COLUMNS: String(columns) },
    }),
  )
  if (narrow === wide)
    writeFileSync(join(outDir, 'help.txt'), wide.replace(/^( *)rma-cli\/.* node-v.*$/m, '$1{version}'))
}

/** Inputs of the build. The last one changes with the packages in `node_modules`. */
const INPUTS = [
  'build.mjs',
  'bin',
  'src',
  'tools/sbom.mjs',
  'tools/third-party.mjs',
  'tools/licences',
  'package.json',
  'package-lock.json',
]
INPUTS.push('node_modules/.package-lock.json')
const OUTPUTS = ['dist', 'oclif.manifest.json']
/** File with the hashes of the last build's inputs and outputs. */
const BUILT = join(root, '.tmp/built')

const builtState = () => `${contentId(root, INPUTS)} ${contentId(root, OUTPUTS)}`
const isUpToDate = () => existsSync(BUILT) && readFileSync(BUILT, 'utf8') === builtState()

async function main() {
  const outDir = join(root, 'dist')
  const output = await build({ outDir, minify: true })
  const parts = thirdPartyParts(root, output)
  writeFileSync(join(outDir, 'THIRD-PARTY-LICENSES.md'), licencePage(parts))
  writeFileSync(join(outDir, 'sbom.cdx.json'), JSON.stringify(billOfMaterials(root, parts), null, 2))
  execFileSync(process.execPath, [join(root, 'node_modules/oclif/bin/run.js'), 'manifest'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { ...process.env, OCLIF_SKIP_NEW_VERSION_CHECK: 'true' },
  })
  const file = join(root, 'oclif.manifest.json')
  const manifest = JSON.parse(readFileSync(file, 'utf8'))
  // oclif copies all properties of a command; this one is code.
  for (const command of Object.values(manifest.commands)) delete command.result
  writeFileSync(file, JSON.stringify(manifest))
  await writeCompletionTable(outDir)
  const { writeManPages } = createRequire(import.meta.url)('./dist/man-pages.js')
  await writeManPages(root, join(outDir, 'man'))
  writeHelp(outDir)
  mkdirSync(dirname(BUILT), { recursive: true })
  writeFileSync(BUILT, builtState())
}

if (process.argv[1] === fileURLToPath(import.meta.url) && !isUpToDate()) await main()
