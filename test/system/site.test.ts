import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { beforeAll, expect, it } from 'vitest'
import { axeFindings, overflow, useBrowser, type View } from '../helpers/browser.ts'
import { filesBelow, jsonFile, newFolder, textFile } from '../helpers/files.ts'
import { root } from '../helpers/run-cli.ts'

/** `npm run docs:site`, read from the disk in a real browser. */
const site = join(newFolder(), 'site')
const browse = useBrowser()

beforeAll(() => {
  execFileSync(
    process.execPath,
    ['node_modules/@11ty/eleventy/cmd.cjs', '--config=tools/site/eleventy.config.mjs', '--quiet'],
    { cwd: root, env: { ...process.env, SITE_OUTPUT: relative(root, site) } },
  )
})

const open = async (name: string, view?: View) =>
  (await browse(pathToFileURL(join(site, name)).href, view)).page

const pages = () => filesBelow(site, '.html')

it('the site has a page for each page of docs and each topic, and no dead link', () => {
  const docs = filesBelow(join(root, 'docs'), '.md').map((name) =>
    name.replace(/README\.md$/, 'index.md').replace(/\.md$/, '.html'),
  )
  expect(pages()).toEqual(expect.arrayContaining(['index.html', 'changelog.html', ...docs]))
  const { commands } = jsonFile(join(root, 'oclif.manifest.json'))
  const topics = Object.keys(commands).map((id) => `commands/${id.split(':')[0]}.html`)
  expect(pages()).toEqual(expect.arrayContaining(topics))

  const htmlOf = (path: string) => textFile(path)
  const dead = pages().flatMap((name) => {
    const path = join(site, name)
    return [...htmlOf(path).matchAll(/ (?:href|src)="([^":]+)"/g)].flatMap(([, link = '']) => {
      const [file = '', anchor] = link.split('#')
      const target = file === '' ? path : join(dirname(path), file)
      const holds = existsSync(target) && (anchor === undefined || htmlOf(target).includes(` id="${anchor}"`))
      return holds ? [] : [`${name}: ${link}`]
    })
  })
  expect(dead).toEqual([])
})

it('the site finds a command by its words, from any page, and a page by its subject', async () => {
  const page = await open('sandbox/states.html')
  await page.keyboard.press('/')
  await page.keyboard.type('labels create')
  await page.waitForSelector('#found a')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.waitForSelector('h1')
  expect(relative(site, decodeURI(new URL(page.url()).pathname))).toBe('commands/labels.html')
  expect(new URL(page.url()).hash).toBe('#rma-labels-create')
  expect(await page.$eval('h2:target', (heading) => heading.getBoundingClientRect().top)).toBeLessThan(200)

  // Functions for the page, which has no helpers.
  const foundFor = async (words: string) => {
    const shown = await page.$$eval('#found > *', (all) => all.map(({ outerHTML }) => outerHTML).join(''))
    await page.$eval('[type=search]', (input) => Reflect.set(input, 'value', ''))
    await page.type('[type=search]', words)
    await page.waitForFunction(
      (before) =>
        [...Reflect.get(globalThis, 'document').querySelectorAll('#found > *')]
          .map((one) => one.outerHTML)
          .join('') !== before,
      {},
      shown,
    )
    return page.$$eval('#found a', (links) => links.map(({ href }) => href).join(' '))
  }
  expect(await foundFor('resume job')).toContain('commands/jobs.html#rma-jobs-resume')
  // With slips, with the begin of a word, and in another case.
  expect(await foundFor('reconsile refnds')).toContain('commands/returns.html#rma-returns-reconcile')
  expect(await foundFor('serch in the miror')).toContain('mirror.html')
  expect(await foundFor('COMPLET PowerSh')).toContain('reference.html')
  expect(await foundFor('zzqx')).toBe('')
})

// Each page in both schemes and at both widths; each scheme at both widths.
it.each([
  ['index.html', 'light', 1280],
  ['index.html', 'dark', 390],
  ['tracking.html', 'dark', 1280],
  ['tracking.html', 'light', 390],
  ['commands/labels.html', 'light', 1280],
  ['commands/labels.html', 'dark', 390],
] as const)('%s has no axe findings and fits: %s, %i px', async (name, scheme, width) => {
  const page = await open(name, { width, scheme })
  expect(await axeFindings(page)).toEqual([])
  expect(await overflow(page)).toBeLessThanOrEqual(0)
})
