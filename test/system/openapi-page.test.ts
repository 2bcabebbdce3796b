import axe from 'axe-core'
import puppeteer, { type Browser } from 'puppeteer-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DESCRIBED_OPERATIONS } from '../../src/lib/sandbox/openapi/operations.ts'
import { usePlatform } from '../helpers/platform.ts'

const platform = usePlatform({ returns: 10 })
let browser: Browser

beforeAll(async () => {
  browser = await puppeteer.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-dev-shm-usage'],
  })
})
afterAll(() => browser?.close())

describe('the page of the interface, in a real browser', () => {
  it.each([
    ['light', 1280],
    ['dark', 390],
  ] as const)(
    '%s at %i px: all operations, nothing else loaded, nothing that axe finds',
    async (scheme, width) => {
      const page = await browser.newPage()
      const asked: string[] = []
      const errors: string[] = []
      page.on('request', (request) => asked.push(request.url()))
      page.on('console', (message) => errors.push(message.text()))
      page.on('pageerror', (error) => errors.push(String(error)))
      await page.setViewport({ width, height: 900 })
      await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
      const origin = new URL(platform.baseUrl).origin
      await page.goto(origin)
      expect(await page.$$eval('article', (all) => all.map(({ id }) => id))).toEqual(
        DESCRIBED_OPERATIONS.map(({ id }) => id),
      )
      await page.click('a[href="#searchPudos"]')
      expect(await page.$eval('#searchPudos', (article) => article.getBoundingClientRect().top)).toBeLessThan(
        900,
      )
      expect(await page.$eval('html', (root) => root.scrollWidth - root.clientWidth)).toBe(0)
      // The browser itself asks for the icon.
      expect(asked.filter((url) => !url.endsWith('/favicon.ico'))).toEqual([`${origin}/`])
      expect(errors.filter((error) => !error.includes('404'))).toEqual([])
      await page.setBypassCSP(true)
      await page.reload()
      await page.evaluate(axe.source)
      const found = await page.evaluate(async () => {
        const checker: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } =
          Reflect.get(globalThis, 'axe')
        const { violations } = await checker.run()
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
      })
      expect(found).toEqual([])
      await page.close()
    },
  )
})
