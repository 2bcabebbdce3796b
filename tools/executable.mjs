// Builds rma as one file that needs no installation: `npm run pack:executable -- [PLATFORM…]`. It is a Node.js "single
// executable application", made from the binaries that Node.js publishes in the npm registry.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { rolldown } from 'rolldown'
import { nodeBinary, ownPlatform } from './node-binary.mjs'
import { addDependencies, root, stagePackage } from './pack.mjs'
import { withNode } from './sbom.mjs'
import { withNodeLicence } from './third-party.mjs'

const NODE_VERSION = '26.10.0'

/** Archive for bin/executable.js, excluding libraries for another C library than that of the Node.js binary. */
function archiveOf(folder) {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .filter((name) => !/-musl\//.test(name))
    .sort()
  const contents = files.map((name) => readFileSync(join(folder, name)))
  const index = Buffer.from(JSON.stringify(files.map((name, at) => [name, contents[at].length])))
  const length = Buffer.alloc(4)
  length.writeUInt32LE(index.length)
  return Buffer.concat([length, index, ...contents])
}

async function bundleStart(file) {
  const bundle = await rolldown({ cwd: root, platform: 'node', input: 'bin/executable.js', logLevel: 'warn' })
  await bundle.write({ file, format: 'cjs', minify: true })
  await bundle.close()
}

/** Adds Node.js to the licences and the bill of materials of a staged package. */
function describeNode(dist, node, licence) {
  const edit = (name, change) =>
    writeFileSync(join(dist, name), change(readFileSync(join(dist, name), 'utf8')))
  edit('THIRD-PARTY-LICENSES.md', (page) =>
    withNodeLicence(page, NODE_VERSION, readFileSync(licence, 'utf8')),
  )
  const said = execFileSync(node, ['-p', 'JSON.stringify(process.versions)'], { encoding: 'utf8' })
  edit('sbom.cdx.json', (bom) =>
    JSON.stringify(withNode(JSON.parse(bom), NODE_VERSION, JSON.parse(said)), null, 2),
  )
}

async function main() {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { to: { type: 'string', default: '.' } },
  })
  const platforms = positionals.length > 0 ? positionals : [ownPlatform]
  const work = join(root, '.tmp', `executable-${process.pid}`)
  try {
    mkdirSync(work, { recursive: true })
    mkdirSync(values.to, { recursive: true })
    const { path: builder, licence } = nodeBinary(NODE_VERSION)
    await bundleStart(join(work, 'start.js'))
    stagePackage(join(work, 'package'))
    describeNode(join(work, 'package/dist'), builder, licence)
    for (const platform of platforms) {
      addDependencies(join(work, 'package'), platform)
      const archive = archiveOf(join(work, 'package'))
      writeFileSync(join(work, 'archive'), archive)
      writeFileSync(join(work, 'id'), createHash('sha256').update(archive).digest('hex').slice(0, 32))
      const output = join(resolve(values.to), `rma-${platform}${platform.startsWith('win32') ? '.exe' : ''}`)
      const config = {
        main: 'start.js',
        output,
        executable: nodeBinary(NODE_VERSION, platform).path,
        disableExperimentalSEAWarning: true,
        assets: { archive: 'archive', id: 'id' },
      }
      writeFileSync(join(work, 'config.json'), JSON.stringify(config))
      execFileSync(builder, ['--build-sea', 'config.json'], {
        cwd: work,
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      // Copies for readers who do not run the executable.
      for (const name of ['THIRD-PARTY-LICENSES.md', 'sbom.cdx.json'])
        copyFileSync(join(work, 'package/dist', name), `${output.replace(/\.exe$/, '')}-${name}`)
      process.stdout.write(`${output}\n`)
    }
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main()
