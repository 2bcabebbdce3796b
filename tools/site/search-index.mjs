import MiniSearch from 'minisearch'

/** Options of the index, repeated in search.js. */
const OPTIONS = { fields: ['heading', 'title', 'text'], storeFields: ['heading', 'title', 'text'] }
const SHOWN_CHARACTERS = 160

/**
 * Splits a page at its headings.
 * @param tokens of markdown-it, headings with an id
 * @param {string} path of the page, from the root of the site
 * @returns {{ id: string, title: string, heading: string, text: string }[]} the id is path and anchor
 */
export function sectionsOf(tokens, path) {
  const sections = []
  for (const [index, token] of tokens.entries()) {
    if (token.type === 'heading_open') {
      const heading = tokens[index + 1].children.map(({ content }) => content).join('')
      const title = sections[0]?.title ?? heading
      sections.push({ id: `${path}#${token.attrGet('id')}`, title, heading, text: '' })
    } else if (tokens[index - 1]?.type !== 'heading_open') {
      const section = sections.at(-1)
      if (section !== undefined) section.text += textOf(token)
    }
  }
  return sections
}

function textOf({ type, content, children }) {
  if (type === 'inline') return `${children.map((child) => child.content || ' ').join('')} `
  if (type === 'fence') return `${content} `
  if (type !== 'html_block') return ''
  return `${content.replace(/<[^>]*>/g, ' ').replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(code))} `
}

/** Index as a script, because a page on a disk may not load JSON. */
export function searchIndex(sections) {
  const index = new MiniSearch(OPTIONS)
  index.addAll(sections)
  const data = index.toJSON()
  for (const fields of Object.values(data.storedFields)) {
    fields.text = fields.text.replace(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS)
  }
  return `window.SEARCH_INDEX = ${JSON.stringify({ options: OPTIONS, data: JSON.stringify(data) })}\n`
}
