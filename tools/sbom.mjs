// What the package consists of, as CycloneDX 1.6: the libraries inside the bundle, and what is installed beside it.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The same for the same sources: it has no time and no random number.
 *
 * @param {string} root folder of the project
 * @param {Iterable<string>} bundled folders of the packages whose code or data the build put in
 */
export function billOfMaterials(root, bundled) {
  const read = (folder) => JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const own = read(root)
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  const inside = [...bundled].map((folder) => component({ ...read(folder), ...locked(packages, folder) }))
  const beside = Object.keys(packages)
    .filter((path) => path !== '' && !packages[path].dev)
    .map((path) => component({ name: path.replace(/^.*node_modules\//, ''), ...packages[path] }))
  const components = [...new Map([...inside, ...beside].map((one) => [one['bom-ref'], one])).values()]
  const { hashes: _none, ...self } = component(own)
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...self, type: 'application', scope: undefined } },
    components: components.sort((one, other) => (one['bom-ref'] < other['bom-ref'] ? -1 : 1)),
    dependencies: [{ ref: self['bom-ref'], dependsOn: components.map((one) => one['bom-ref']) }],
  }
}

/** What the lockfile says of it, by the end of its path: what is before may be a link. */
function locked(packages, folder) {
  const paths = Object.keys(packages).filter((path) => folder.endsWith(`/${path}`))
  const { integrity } = packages[paths.sort((one, other) => other.length - one.length)[0]]
  return { integrity }
}

function component({ name, version, license, integrity, optional }) {
  const purl = `pkg:npm/${name.replace('@', '%40')}@${version}`
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
    licenses: license && [
      / (?:OR|AND) /.test(license) ? { expression: license } : { license: { id: license } },
    ],
    purl,
  }
}
