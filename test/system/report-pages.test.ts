import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, describe, expect, it } from 'vitest'
import { DESCRIBED_OPERATIONS } from '../../src/lib/sandbox/openapi/document.ts'
import { axeFindings, overflow, useBrowser } from '../helpers/browser.ts'
import { jsonOf, succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { usePlatform } from '../helpers/platform.ts'
import { valuesOf } from '../helpers/values-of.ts'

/** The pages of `returns stats --html`, of `returns explain --html`, and of the sandbox's interface, in a real browser. */
const folder = newFolder()
const platform = usePlatform({ returns: 120 })
const pages = { stats: join(folder, 'stats.html'), explain: join(folder, 'explain.html') }
const browse = useBrowser()

beforeAll(async () => {
  const env = platform.env()
  succeeded(await platform.run(typed`mirror sync --yes`, { env }))
  const [{ name }] = jsonOf(await platform.run(typed`returns list --limit 1 --json`, { env })).returns
  succeeded(await platform.run(typed`returns stats --html ${pages.stats}`, { env }))
  succeeded(await platform.run(typed`returns explain ${name} --html ${pages.explain}`, { env }))
})

describe.each(Object.entries(pages))('%s', (_name, file) => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('reports make no requests, fit and satisfy axe: %s, %i px', async (scheme, width) => {
    const { page, asked, errors } = await browse(pathToFileURL(file).href, { scheme, width })
    expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href])
    expect(errors).toEqual([])
    expect(await overflow(page)).toBe(0)
    expect(await axeFindings(page)).toEqual([])
  })
})

it('every text of a chart is inside the chart', async () => {
  const { page } = await browse(pathToFileURL(pages.stats).href)
  const outside = await page.$$eval('svg text', (texts) =>
    texts
      .filter((text) => {
        const [one, all] = [text.getBoundingClientRect(), text.closest('svg')?.getBoundingClientRect()]
        return all && (one.left < all.left - 1 || one.right > all.right + 1)
      })
      .map((text) => text.textContent),
  )
  expect(outside).toEqual([])
})

it.each([
  ['light', 1280],
  ['dark', 390],
] as const)(
  'the page of the interface shows all operations, loads nothing else and satisfies axe: %s at %i px',
  async (scheme, width) => {
    const { origin } = new URL(platform.baseUrl)
    const { page, asked, errors } = await browse(origin, { scheme, width })
    // The function runs in the page, which has no helpers.
    expect(await page.$$eval('article', (all) => all.map(({ id }) => id))).toEqual(
      valuesOf(DESCRIBED_OPERATIONS, 'id'),
    )
    await page.click('a[href="#searchPudos"]')
    expect(await page.$eval('#searchPudos', (article) => article.getBoundingClientRect().top)).toBeLessThan(
      900,
    )
    expect(await overflow(page)).toBe(0)
    // The browser itself asks for the icon.
    expect(asked.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([`${origin}/`])
    expect(errors.filter((error) => !error.includes('404'))).toEqual([])
    await page.setBypassCSP(true)
    await page.reload()
    expect(await axeFindings(page)).toEqual([])
  },
)
