// Search without a server: the index comes as a script, because a page on a disk may load no JSON.
{
  const SHOWN = 12
  const { root } = document.currentScript.dataset
  const form = document.querySelector('[role=search]')
  const input = form.querySelector('input')
  const found = document.getElementById('found')
  let loading

  const load = (name) =>
    new Promise((resolve, reject) => {
      const script = document.createElement('script')
      script.src = `${root}assets/${name}`
      script.onload = resolve
      script.onerror = reject
      document.head.append(script)
    })

  const openIndex = async () => {
    await Promise.all([load('minisearch.js'), load('search-index.js')])
    const { options, data } = window.SEARCH_INDEX
    return window.MiniSearch.loadJSON(data, options)
  }

  const search = (index, words) =>
    index
      .search(words, {
        combineWith: 'AND',
        prefix: true,
        fuzzy: (term) => (term.length > 4 ? 0.2 : false),
        boost: { heading: 4, title: 2 },
        // A query with the words of a command means that command.
        boostDocument: (id) => (id.startsWith('commands/') ? 2 : 1),
      })
      .slice(0, SHOWN)

  const element = (name, text) => Object.assign(document.createElement(name), { textContent: text })

  const linkTo = ({ id, title, heading, text }) => {
    const link = element('a', '')
    link.href = root + id
    link.append(
      element('strong', heading),
      heading === title ? '' : element('span', title),
      element('small', text),
    )
    return link
  }

  const show = async () => {
    const words = input.value.trim()
    loading ??= openIndex()
    const index = await loading
    if (words !== input.value.trim()) return
    const links = words === '' ? [] : search(index, words).map(linkTo)
    found.replaceChildren(...(links.length > 0 ? links : [element('p', 'Nothing found')]))
    found.hidden = words === ''
  }

  const hide = () => {
    found.hidden = true
  }

  const move = (event, step) => {
    const stops = [input, ...found.querySelectorAll('a')]
    const next = stops[stops.indexOf(document.activeElement) + step]
    if (next === undefined || found.hidden) return
    event.preventDefault()
    next.focus()
  }

  input.addEventListener('input', show)
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    found.querySelector('a')?.click()
  })
  form.addEventListener('keydown', (event) => {
    if (event.key === 'ArrowDown') move(event, 1)
    if (event.key === 'ArrowUp') move(event, -1)
    if (event.key === 'Escape') {
      hide()
      input.focus()
    }
  })
  found.addEventListener('click', hide)
  document.addEventListener('click', (event) => {
    if (!form.contains(event.target)) hide()
  })
  document.addEventListener('keydown', (event) => {
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.target === input) return
    event.preventDefault()
    input.focus()
  })

  // Closed in the HTML, so that a phone without scripts can open the list of pages by hand.
  const pages = document.querySelector('nav details')
  const wide = matchMedia('(min-width: 60rem)')
  const adapt = () => {
    pages.open = wide.matches
  }
  wide.addEventListener('change', adapt)
  adapt()
}
