// CycloneDX 1.6 bill of materials of the package: libraries in the bundle, WebAssembly modules, native libraries,
// installed packages, and their dependency graph.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'))
const slugOf = (name) => name.toLowerCase().replace(/[^a-z0-9.+]+/g, '-')

/**
 * Makes a reproducible bill, free of times and random numbers.
 * | @param {string} root folder of the project
 * @param {object[]} parts as `thirdPartyParts` lists them
 */
export function billOfMaterials(root, parts) {
  const own = readJson(root, 'package.json')
  const { hashes: _none, ...self } = component({ ...own, type: 'npm', licence: own.license })
  const components = new Map(parts.map((part) => [refOf(part), component(part)]))
  const graph = dependencyGraph(root, own, parts)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...self, type: 'application', scope: undefined } },
    components: [...components.values()].sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
    dependencies: [...graph]
      .map(([ref, needed]) => ({ ref, dependsOn: [...needed].sort() }))
      .sort((one, other) => (one.ref < other.ref ? -1 : 1)),
    // Crate names are read from the binary, so a crate that leaves no trace in it may be missing.
    compositions: [{ aggregate: 'incomplete', assemblies: parts.filter((part) => part.main).map(refOf) }],
  }
}

function refOf({ type, name, version }) {
  const named = type === 'generic' ? slugOf(name) : name.replace('@', '%40')
  return `pkg:${type}/${named}${version === undefined ? '' : `@${version}`}`
}

/** Maps each reference, the package's own included, to those of its dependencies. */
function dependencyGraph(root, own, parts) {
  const graph = new Map()
  const add = (from, to) => graph.set(from, (graph.get(from) ?? new Set()).add(to))
  const self = refOf({ ...own, type: 'npm' })
  const npm = parts.filter((part) => part.path !== undefined)
  addPackages(root, npm, add, self)
  const mains = parts.filter((part) => part.main)
  for (const part of parts.filter((one) => one.in)) {
    for (const holder of part.in.flatMap((place) => holdersOf(place, part, mains, npm))) {
      add(holder ?? self, refOf(part))
    }
  }
  for (const ref of [self, ...parts.map(refOf)]) if (!graph.has(ref)) graph.set(ref, new Set())
  return graph
}

/** Adds the npm packages that Node.js resolves from each other. */
function addPackages(root, npm, add, self) {
  const { packages } = readJson(root, 'package-lock.json')
  const refByPath = new Map([['', self], ...npm.map((part) => [part.path, refOf(part)])])
  for (const [path, ref] of refByPath) {
    const { dependencies, optionalDependencies, peerDependencies, devDependencies } = packages[path]
    const bundled = path === '' ? devDependencies : {}
    const wanted = { ...dependencies, ...optionalDependencies, ...peerDependencies, ...bundled }
    for (const name of Object.keys(wanted)) {
      const found = refByPath.get(installedAt(packages, path, name))
      if (found !== undefined) add(ref, found)
    }
  }
}

/** Packages that bring the WebAssembly modules. */
const BRINGERS = { 'dist/jq.wasm.br': 'jq-web', 'dist/pdfium.wasm.br': '@hyzyla/pdfium' }

/** References of the parts that contain a part in a place of `parts.json`. Undefined stands for rma itself. */
function holdersOf(place, part, mains, npm) {
  const main = mains.find((one) => one !== part && one.in.includes(place))
  if (main !== undefined && !part.main) return [refOf(main)]
  if (!/^(?:npm:|dist\/|node_modules\/)/.test(place)) return [undefined]
  const name = BRINGERS[place] ?? place.replace(/^npm:|\*.*$/g, '')
  return npm.filter((one) => one.name === name || `${one.path}/`.startsWith(name)).map(refOf)
}

/** Path of the package that Node.js resolves from another one. */
function installedAt(packages, from, name) {
  const folders = [...from.matchAll(/(?:^|\/)node_modules\/(?:@[^/]+\/)?[^/]+/g)]
  const around = ['', ...folders.map(({ index, 0: last }) => `${from.slice(0, index)}${last}/`)].reverse()
  return around.map((folder) => `${folder}node_modules/${name}`).find((path) => path in packages)
}

/** Licence by its SPDX id, as an SPDX expression, or by name if SPDX does not list its text. */
function licencesOf(licence) {
  if (licence === undefined) return undefined
  if (/ (?:OR|AND|WITH) /.test(licence)) return [{ expression: licence }]
  return [{ license: licence.startsWith('LicenseRef-') ? { name: licence.slice(11) } : { id: licence } }]
}

function component({ type, name, version, licence, integrity, optional, notice, ...part }) {
  const purl = refOf({ type, name, version })
  const [group, short] = name.startsWith('@') ? name.split('/') : [undefined, name]
  return {
    type: 'library',
    'bom-ref': purl,
    group,
    name: short,
    version,
    scope: optional ? 'optional' : 'required',
    hashes: integrity && [
      { alg: 'SHA-512', content: Buffer.from(integrity.slice(7), 'base64').toString('hex') },
    ],
    licenses: licencesOf(licence),
    copyright: notice,
    purl,
    evidence: part.files && {
      occurrences: [...new Set(part.files)].sort().map((location) => ({ location })),
    },
  }
}

/** Adds Node.js and the components that it reports, for the executable. */
export function withNode(bom, version, versions) {
  const node = { type: 'generic', name: 'node', version, licence: 'MIT' }
  const inside = Object.entries(versions)
    .filter(([name]) => !['node', 'modules', 'napi', 'unicode', 'cldr', 'tz'].includes(name))
    .map(([name, one]) => ({ type: 'generic', name, version: one }))
  const [self, ...others] = [refOf(node), ...inside.map(refOf)]
  const own = bom.metadata.component['bom-ref']
  return {
    ...bom,
    components: [...bom.components, component({ ...node, files: ['rma'] }), ...inside.map(component)],
    dependencies: [
      ...bom.dependencies.map((one) =>
        one.ref === own ? { ...one, dependsOn: [...one.dependsOn, self] } : one,
      ),
      { ref: self, dependsOn: others },
      ...others.map((ref) => ({ ref, dependsOn: [] })),
    ],
  }
}
