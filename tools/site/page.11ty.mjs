const GROUPS = [
  ['Commands', /^\.\/docs\/commands\//],
  ['The sandbox', /^\.\/docs\/sandbox\//],
  [
    'For developers',
    /^\.\/(?:CHANGELOG|CONTRIBUTING)|\/design\/|\/(?:comparison|performance|platforms|release|specification)\.md$/,
  ],
  ['Guides', /^\.\/docs\//],
]
/** Sort key that puts the page about a folder first in it. */
const turnOf = ({ url }) => (url.endsWith('/') ? '' : url)

const groupOf = (inputPath) => GROUPS.find(([, members]) => members.test(inputPath))?.[0]
const escaped = (text) => text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
const titleOf = ({ rawInput }) => /^# (.*)$/m.exec(rawInput)?.[1].replaceAll('`', '') ?? 'rma'

/** Renders a page of the site: list of pages, search box and content. */
export default function page({ content, page: { url, rawInput }, collections, pkg }) {
  const up = '../'.repeat(url.split('/').length - 2)
  const hrefOf = (target) => `${up}${target.replace(/^\//, '').replace(/(?:^|(?<=\/))$/, 'index.html')}`
  const title = titleOf({ rawInput })
  const item = (one) => {
    const current = one.url === url ? ' aria-current="page"' : ''
    return `<li><a href="${hrefOf(one.url)}"${current}>${escaped(titleOf(one))}</a></li>`
  }
  const lists = ['Guides', 'Commands', 'The sandbox', 'For developers'].map((name) => {
    const members = collections.all
      .filter(({ inputPath }) => groupOf(inputPath) === name)
      .sort((one, other) => (turnOf(one) < turnOf(other) ? -1 : 1))
    return `<h2>${name}</h2>\n<ul>\n${members.map(item).join('\n')}\n</ul>`
  })
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escaped(title === 'rma' ? 'rma' : `${title} · rma`)}</title>
<link rel="stylesheet" href="${up}assets/style.css">
<script src="${up}assets/search.js" data-root="${up}" defer></script>
</head>
<body>
<a class="skip" href="#content">To the text</a>
<header>
<a class="home" href="${up}index.html">rma</a> <span>${escaped(pkg.version)}</span>
<form role="search">
<input type="search" aria-label="Search" placeholder="Search" autocomplete="off" aria-controls="found">
<div id="found" role="region" aria-label="What the search found" aria-live="polite" hidden></div>
</form>
</header>
<div class="columns">
<nav aria-label="Pages">
<details>
<summary>All pages</summary>
${lists.join('\n')}
</details>
</nav>
<main id="content" tabindex="-1">
${content}
</main>
</div>
</body>
</html>
`
}
