import axe from 'axe-core'
import puppeteer, { type Browser, type Page } from 'puppeteer-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { typed } from './command-line.ts'

export interface View {
  width?: number
  scheme?: 'light' | 'dark'
  script?: boolean
}

export interface Opened {
  page: Page
  /** Requests for the page and its parts, and page errors. */
  asked: string[]
  errors: string[]
}

/** Chromium for all tests of a file; opens pages, which close with their test. */
export function useBrowser(): (url: string, view?: View) => Promise<Opened> {
  let browser: Browser
  beforeAll(async () => {
    browser = await puppeteer.launch({
      executablePath: '/usr/bin/chromium',
      args: typed`--no-sandbox --disable-dev-shm-usage`,
    })
  })
  afterAll(() => browser?.close())
  return async (url, { width = 1280, scheme = 'light', script = true } = {}) => {
    const page = await browser.newPage()
    onTestFinished(() => page.close())
    const asked: string[] = []
    const errors: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    page.on('pageerror', (error) => errors.push(String(error)))
    page.on('console', (message) => errors.push(message.text()))
    page.on('dialog', (dialog) => {
      errors.push(`dialog: ${dialog.message()}`)
      void dialog.dismiss()
    })
    await page.setJavaScriptEnabled(script)
    await page.setViewport({ width, height: 900 })
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: scheme }])
    await page.goto(url)
    return { page, asked, errors }
  }
}

/**
 * Rules that axe finds violated, each with an element. axe runs through the browser's debugger, exempt from the page's
 * policies.
 */
export async function axeFindings(page: Page): Promise<string[]> {
  await page.evaluate(axe.source)
  return page.evaluate(async () => {
    const checker: { run(): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> } =
      Reflect.get(globalThis, 'axe')
    const { violations } = await checker.run()
    return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)
  })
}

/** Pixels by which a page is wider than its window. */
export const overflow = (page: Page) => page.$eval('html', (root) => root.scrollWidth - root.clientWidth)
