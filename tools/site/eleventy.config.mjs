// npm run docs:site builds plain HTML in site/: the pages of docs/ and a page for each command topic. It works from
// disk.
import { copyFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { commandPages } from './command-pages.mjs'
import { searchIndex, sectionsOf } from './search-index.mjs'

const root = fileURLToPath(new URL('../..', import.meta.url))
const OUTPUT = process.env.SITE_OUTPUT ?? 'site'

/** `docs/sandbox/README.md` → `sandbox/index.html`. */
function outputOf(inputPath) {
  const name = inputPath.replace(/^(?:\.\/)?(?:docs\/)?/, '').replace(/\.md$/, '')
  return `${name.replace(/(^|\/)README$/, '$1index').toLowerCase()}.html`
}

/** Makes the same anchors as GitHub, so that links to a section work in both. */
function anchorOf(heading) {
  const kept = heading.toLowerCase().replace(/[^\p{L}\p{N} _-]/gu, '')
  return kept.replaceAll(' ', '-')
}

/** Makes links between pages relative, because a site on a disk has no root. */
function linkBetween(page, link) {
  const [path, anchor] = link.split('#')
  if (/^\w+:/.test(link) || !path.endsWith('.md')) return link
  const target = outputOf(posix.join(posix.dirname(page.inputPath), path))
  const between = posix.relative(posix.dirname(outputOf(page.inputPath)), target)
  return anchor === undefined ? between : `${between}#${anchor}`
}

function openLinks(tokens, page) {
  for (const token of tokens) {
    if (token.type === 'link_open') token.attrSet('href', linkBetween(page, token.attrGet('href')))
    // Files of docs/ are at the root of the site.
    if (token.type === 'image') token.attrSet('src', token.attrGet('src').replace(/^docs\//, ''))
  }
}

const isEmpty = ({ type, content }) => type === 'inline' && content === ''

/** Sets anchors of headings and links between pages, and collects sections for the search. */
function markdown(md, sections) {
  md.set({ linkify: false, typographer: false })
  md.core.ruler.push('site', ({ tokens, env: { page } }) => {
    const used = new Map()
    for (const [index, token] of tokens.entries()) {
      if (token.type === 'inline') openLinks(token.children, page)
      // Accessibility rules forbid an empty heading, and some tables have none above their first column.
      if (token.tag === 'th' && isEmpty(tokens[index + token.nesting])) token.tag = 'td'
      if (token.type !== 'heading_open') continue
      const anchor = anchorOf(tokens[index + 1].children.map(({ content }) => content).join(''))
      const count = used.get(anchor) ?? 0
      used.set(anchor, count + 1)
      token.attrSet('id', count === 0 ? anchor : `${anchor}-${count}`)
    }
    sections.set(page.inputPath, sectionsOf(tokens, outputOf(page.inputPath)))
  })
  md.renderer.rules.table_open = () => '<div class="wide" tabindex="0"><table>\n'
  md.renderer.rules.table_close = () => '</table></div>\n'
  const { fence } = md.renderer.rules
  md.renderer.rules.fence = (...args) => fence(...args).replace('<pre', '<pre tabindex="0"')
}

export default async function configure(config) {
  const sections = new Map()
  config.amendLibrary('md', (md) => markdown(md, sections))
  // Other folders contain Markdown that is not part of the site.
  for (const folder of ['bench', 'dist', 'src', 'test', 'tools', OUTPUT]) config.ignores.add(`./${folder}/**`)
  for (const { name, text } of commandPages(root)) config.addTemplate(`docs/commands/${name}.md`, text)
  config.addPassthroughCopy({ 'docs/sandbox': 'sandbox' }, { filter: ['**/*.json'] })
  config.addPassthroughCopy({ 'docs/kubernetes': 'kubernetes', 'docs/terminal.svg': 'terminal.svg' })
  config.addGlobalData('layout', 'page.11ty.mjs')
  config.addGlobalData(
    'permalink',
    () =>
      ({ page }) =>
        outputOf(page.inputPath),
  )
  config.on('eleventy.before', () => rmSync(OUTPUT, { recursive: true, force: true }))
  config.on('eleventy.after', ({ directories }) => {
    const assets = join(directories.output, 'assets')
    mkdirSync(assets, { recursive: true })
    for (const name of ['style.css', 'search.js'])
      copyFileSync(join(root, 'tools/site', name), join(assets, name))
    copyFileSync(join(root, 'node_modules/minisearch/dist/umd/index.js'), join(assets, 'minisearch.js'))
    writeFileSync(join(assets, 'search-index.js'), searchIndex([...sections.values()].flat()))
  })
  return {
    dir: { input: '.', includes: 'tools/site', output: OUTPUT },
    templateFormats: ['md'],
    markdownTemplateEngine: false,
  }
}
