import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import axe from 'axe-core'
import puppeteer, { type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { usePlatform } from '../helpers/platform.ts'

/** The pages of `returns stats --html` and `returns explain --html` in a real browser. */
const folder = mkdtempSync(join(tmpdir(), 'rma-pages-'))
const platform = usePlatform({ returns: 120 })
const pages = { stats: join(folder, 'stats.html'), explain: join(folder, 'explain.html') }
let browser: Browser

beforeAll(async () => {
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
  const env = platform.env()
  expect((await platform.run(['mirror', 'sync', '--yes'], { env })).code).toBe(0)
  const { stdout } = await platform.run(['returns', 'list', '--limit', '1', '--json'], { env })
  const [{ name }] = JSON.parse(stdout).returns
  expect((await platform.run(['returns', 'stats', '--html', pages.stats], { env })).code).toBe(0)
  expect((await platform.run(['returns', 'explain', name, '--html', pages.explain], { env })).code).toBe(0)
})
afterAll(() => browser?.close())

describe.each(Object.entries(pages))('%s', (_name, file) => {
  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 390],
    ['dark', 390],
  ] as const)('%s, %i px: asks for nothing, fits, and axe finds nothing', async (scheme, width) => {
    const page = await browser.newPage()
    const [asked, errors]: string[][] = [[], []]
    page.on('request', (request) => asked?.push(request.url()))
    page.on('pageerror', (error) => errors?.push(String(error)))
    page.on('console', (message) => errors?.push(message.text()))
    await page.setViewport({ width, height: 900 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.goto(pathToFileURL(file).href)
    expect(asked?.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href])
    expect(errors).toEqual([])
    expect(await page.$eval('html', (root) => root.scrollWidth - root.clientWidth)).toBe(0)
    // Run by the browser's tools, which the page's policy does not bind.
    await page.evaluate(axe.source)
    const found = await page.evaluate(async () => {
      const checker: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } =
        Reflect.get(globalThis, 'axe')
      const { violations } = await checker.run()
      return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
    })
    expect(found).toEqual([])
    await page.close()
  })
})

it('every text of a chart is inside it', async () => {
  const page = await browser.newPage()
  await page.setViewport({ width: 1280, height: 900 })
  await page.goto(pathToFileURL(pages.stats).href)
  const outside = await page.$$eval('svg text', (texts) =>
    texts
      .filter((text) => {
        const [one, all] = [text.getBoundingClientRect(), text.closest('svg')?.getBoundingClientRect()]
        return all && (one.left < all.left - 1 || one.right > all.right + 1)
      })
      .map((text) => text.textContent),
  )
  expect(outside).toEqual([])
  await page.close()
})
