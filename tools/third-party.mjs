// Lists third-party parts of the package: the file that holds each, its licence and the licence text.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

const TEXTS = join(import.meta.dirname, 'licences')
const readJson = (...path) => JSON.parse(readFileSync(join(...path), 'utf8'))
const keptText = (name) => readFileSync(join(TEXTS, name), 'utf8').trim()

/** Chosen licence of parts that offer several, and the file of its text. */
const CHOSEN = [
  [/Apache-2\.0/, 'apache-2.0.txt'],
  [/MIT/, 'mit.txt'],
  [/ISC/, 'isc.txt'],
  [/BSD-3-Clause/, 'bsd-3-clause.txt'],
  [/LicenseRef-ring/, 'ring.txt'],
]

/** Licence and notices of an npm package: its files, a section of its README, or what tools/licences has. */
function licenceOf(folder, name) {
  const files = readdirSync(folder).filter((entry) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(entry))
  const below = existsSync(join(folder, 'licenses')) ? readdirSync(join(folder, 'licenses')) : []
  const texts = [...files, ...below.map((file) => join('licenses', file))]
    .map((file) => join(folder, file))
    .filter((file) => statSync(file).isFile())
    .map((file) => readFileSync(file, 'utf8').trim())
  if (texts.length > 0) return texts.join('\n\n')
  const readme = readdirSync(folder).find((entry) => /^readme/i.test(entry))
  const section =
    readme && /^#+ licen[cs]e\s+([\s\S]*)/im.exec(readFileSync(join(folder, readme), 'utf8'))?.[1]
  if (section?.includes('Permission is hereby granted')) return section.trim()
  const kept = `${name.replace('/', '-')}.txt`
  if (existsSync(join(TEXTS, kept))) return keptText(kept)
  throw new Error(
    `${name} is bundled, and the text of its licence is missing: put it into tools/licences/${kept}.`,
  )
}

/** Name and folder of a module's package; undefined for a module of rma. */
function packageOf(id) {
  const at = id.lastIndexOf('/node_modules/')
  if (at === -1) return undefined
  const [scope, inner] = id.slice(at + '/node_modules/'.length).split('/')
  const name = scope.startsWith('@') ? `${scope}/${inner}` : scope
  return { name, folder: `${id.slice(0, at)}/node_modules/${name}` }
}

/** Files of the package by their origin: `npm:NAME`, the folder of a package, or a module of rma, `src/…`. */
function holders(root, output) {
  const found = new Map()
  const add = (key, file) => found.set(key, (found.get(key) ?? new Set()).add(file))
  for (const { fileName, modules = {} } of output) {
    for (const id of Object.keys(modules)) {
      const file = `dist/${fileName}`
      const from = packageOf(id)
      if (from === undefined) add(id.replace('\0', '').replace(`${root}/`, ''), file)
      else for (const key of [`npm:${from.name}`, from.folder]) add(key, file)
    }
  }
  add('npm:jq-web', 'dist/jq.wasm.br')
  add('npm:@hyzyla/pdfium', 'dist/pdfium.wasm.br')
  return found
}

/** Crates inside libsql's library: `tokio 1.40.0` → `MIT: Copyright (c) …`. */
function crates() {
  return Object.entries(readJson(TEXTS, 'libsql-crates.json')).map(([crate, terms]) => {
    const [name, version] = crate.split(' ')
    const [licence, notice] = terms.split(': ')
    const text = CHOSEN.find(([pattern]) => pattern.test(licence))[1]
    return { in: ['node_modules/@libsql/*/'], name, version, licence, notice, text, type: 'cargo' }
  })
}

/** Parts that no npm manifest names: inside WebAssembly and native libraries, fonts and data. */
function innerParts(found) {
  return [...readJson(TEXTS, 'parts.json'), ...crates()].map((part) => {
    const files = part.in.flatMap((place) =>
      /^(?:dist|node_modules)\//.test(place) ? [place] : [...(found.get(place) ?? [])],
    )
    if (files.length === 0) throw new Error(`${part.name}: nothing of ${part.in.join(', ')} is bundled.`)
    return { type: 'generic', ...part, files, text: keptText(part.text) }
  })
}

/** Packages that npm installs beside rma, included in the offline package and the executable. */
function packagesBeside(root) {
  const { packages } = readJson(root, 'package-lock.json')
  return Object.entries(packages)
    .filter(([path, { dev }]) => path !== '' && !dev)
    .map(([path, { version, license, integrity, optional }]) => {
      const name = path.replace(/^.*node_modules\//, '')
      // Libraries for one platform lack a text of their own.
      const texts = [name, name.startsWith('@libsql/') ? 'libsql' : '@napi-rs/keyring']
      const folder = texts.map((one) => join(root, 'node_modules', one)).find(hasLicence)
      const text = licenceOf(folder, name)
      const notice = /keyring-/.test(name) ? KEYRING_NOTICE : undefined
      // One row for all platforms.
      const files = [`${path.replace(/(@libsql\/|keyring-).+$/, '$1*')}/`]
      return { type: 'npm', name, version, licence: license, integrity, optional, notice, files, path, text }
    })
}

const KEYRING_NOTICE = 'licences of the crates inside are in LICENSE.third-party.md of that folder'

const hasLicence = (folder) =>
  existsSync(folder) && readdirSync(folder).some((entry) => /^licen[cs]e(?:\.md)?$/i.test(entry))

/**
 * Returns all third-party parts in a fixed order.
 * | @param {string} root folder of the project
 * @param {object[]} output chunks of the bundle
 */
export function thirdPartyParts(root, output) {
  const found = holders(root, output)
  const { packages } = readJson(root, 'package-lock.json')
  const bundled = [...found.keys()].filter((key) => /\/node_modules\//.test(key)).sort()
  const npm = bundled.map((folder) => {
    const { name, version, license } = readJson(folder, 'package.json')
    const files = [
      ...found.get(folder),
      ...[...found.get(`npm:${name}`)].filter((file) => file.endsWith('.br')),
    ]
    const path = lockedPath(packages, folder)
    const { integrity } = packages[path]
    return {
      type: 'npm',
      name,
      version,
      licence: license,
      integrity,
      files,
      path,
      text: licenceOf(folder, name),
    }
  })
  return [...npm, ...innerParts(found), ...packagesBeside(root)]
}

/** Finds a folder's path in the lockfile by its ending, because the beginning may be a link. */
function lockedPath(packages, folder) {
  const paths = Object.keys(packages).filter((path) => folder.endsWith(`/${path}`))
  return paths.sort((one, other) => other.length - one.length)[0]
}

/** Page of the licence texts, without duplicates, after an index of files. */
export function licencePage(parts) {
  const texts = [...new Set(parts.map(({ text }) => text))]
  const named = ({ name, version }) => [name, version].filter(Boolean).join(' ')
  const numberOf = (text) => texts.indexOf(text) + 1
  const rows = new Map()
  for (const part of parts) {
    for (const file of part.files) {
      const key = `${file}\n${String(numberOf(part.text)).padStart(4, '0')}`
      rows.set(key, [...(rows.get(key) ?? []), part])
    }
  }
  const table = [...rows]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, held]) => {
      const [file] = key.split('\n')
      const licences = [...new Set(held.map(({ licence }) => licence))].join('; ')
      const number = numberOf(held[0].text)
      return `| \`${file}\` | ${[...new Set(held.map(named))].join(', ')} | ${licences} | [${number}](#text-${number}) |`
    })
  const sections = texts.map((text, at) => {
    const held = parts.filter((part) => part.text === text)
    const list = [...new Set(held.map((part) => `- ${named(part)}${part.notice ? `: ${part.notice}` : ''}`))]
    return `## Text ${at + 1}\n\n${list.join('\n')}\n\n\`\`\`\`text\n${text}\n\`\`\`\`\n`
  })
  return `${HEAD}${table.join('\n')}\n\n${sections.join('\n')}`
}

const HEAD = `# Software in this package by others

Find the file in this table; the number leads to the text of the licence. Files that the table does not name are rma
itself, under the MIT licence in the file LICENSE. Of what offers several licences, rma uses the one whose text is given.
Folders \`node_modules/\` are installed beside the package by npm; the offline package and the executable hold them.

| File or folder | Part | Licence | Text |
| --- | --- | --- | --- |
`

/** Adds Node.js, which the executable holds. */
export function withNodeLicence(page, version, text) {
  const row = `| the executable | Node.js ${version} and what is inside it | MIT and others | [Node.js](#nodejs) |`
  const head = page.indexOf('| --- |')
  const at = page.indexOf('\n\n', head)
  return `${page.slice(0, at)}\n${row}${page.slice(at)}\n## Node.js\n\n\`\`\`\`text\n${text.trim()}\n\`\`\`\`\n`
}
