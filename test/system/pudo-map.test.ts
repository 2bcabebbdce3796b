import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Page } from 'puppeteer-core'
import { expect, it } from 'vitest'
import { axeFindings, overflow, useBrowser, type View } from '../helpers/browser.ts'
import { succeeded, typed } from '../helpers/command-line.ts'
import { newFolder } from '../helpers/files.ts'
import { homeAt, runCli } from '../helpers/run-cli.ts'
import { NOW, SAMPLE } from '../helpers/sample-points.ts'
import { scriptServer } from '../helpers/script-server.ts'
import { times } from '../helpers/values-of.ts'

/** The page of `pudos search --map` in a real browser. */
const folder = newFolder()
const browse = useBrowser()

async function mapFile(body: unknown) {
  const server = await scriptServer([{ body }])
  const file = join(folder, `${Math.random().toString(36).slice(2)}.html`)
  succeeded(
    await runCli(
      typed`pudos search --lat 40.4168 --lon -3.7038 --carrier-service A --limit 1000 --map ${file}`,
      {
        now: NOW,
        env: homeAt(server.baseUrl),
      },
    ),
  )
  return file
}

const open = (file: string, view?: View) => browse(pathToFileURL(file).href, view)

/** Points in rings and in a crowd, as a city has them. */
function manyPoints(count: number) {
  const pudoPoints = times(count, (index) => ({
    id: `P-${index}`,
    name: `Point ${index} of the long street`,
    locationType: index % 3 === 0 ? 'LOCKER' : 'SERVICE_POINT',
    latitude: 40.4168 + Math.sin(index * 2.4) * 0.0009 * index ** 1.3,
    longitude: -3.7038 + Math.cos(index * 2.4) * 0.0012 * index ** 1.3,
    address: { line1: `Calle ${index}`, city: 'Madrid', postalCode: '28013', countryCode: 'ES' },
    openingHours:
      index % 7 === 3 ? [] : [{ day: 5, opens: index % 4 === 0 ? '15:00' : '09:00', closes: '20:00' }],
    timeZone: 'Europe/Madrid',
  }))
  return [{ carrierCode: 'SBX', pudoPoints }]
}

const focused = (page: Page) =>
  page.$eval(':focus', (element) => element.getAttribute('aria-label') ?? element.textContent?.trim())

const isPicked = (page: Page, number: number) =>
  page.$eval(`#point-${number}`, (item) => item.classList.contains('picked'))

const status = (page: Page) => page.$eval('[role=status]', (element) => element.textContent)

it.each([
  ['light', 1280],
  ['dark', 1280],
  ['light', 390],
  ['dark', 390],
] as const)('axe finds no problem with the map: %s, %i px', async (scheme, width) => {
  const { page } = await open(await mapFile(manyPoints(25)), { scheme, width })
  await page.click('li button')
  expect(await axeFindings(page)).toEqual([])
  expect(await overflow(page)).toBeLessThanOrEqual(0)
})

it('the map works by keyboard: Tab into map and list, arrows within, Enter chooses', async () => {
  const { page, errors } = await open(await mapFile(SAMPLE))
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('1, Estanco Sol, 40 m')
  await page.keyboard.press('ArrowRight')
  expect(await focused(page)).toBe('2, Correos Centro, 250 m')
  await page.keyboard.press('Enter')
  expect(await isPicked(page, 2)).toBe(true)
  expect(await status(page)).toContain('2, Correos Centro, 250 m, Temporarily closed')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('Show on OpenStreetMap: 40.4168, -3.7038')
  await page.keyboard.press('Tab')
  expect(await focused(page)).toBe('1 Estanco Sol')
  await page.keyboard.press('End')
  expect(await focused(page)).toBe('5 Sin hora')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  expect(await isPicked(page, 4)).toBe(true)
  expect(await isPicked(page, 2)).toBe(false)
  expect(
    await page.$$eval('.marker[aria-pressed=true]', (all) =>
      all.map((one) => one.getAttribute('data-points')),
    ),
  ).toEqual(['4'])
  await page.keyboard.press('Escape')
  expect(await page.$$('[aria-pressed=true]')).toHaveLength(0)
  await page.keyboard.down('Shift')
  for (const key of ['Tab', 'Tab'] as const) await page.keyboard.press(key)
  await page.keyboard.up('Shift')
  expect(await focused(page)).toBe('2, Correos Centro, 250 m')
  expect(errors).toEqual([])
})

it('Tab reaches only the maps link of the current point, right after that point', async () => {
  const { page } = await open(await mapFile(SAMPLE))
  for (const key of ['Tab', 'Tab', 'Tab', 'ArrowDown', 'Tab'] as const) await page.keyboard.press(key)
  expect(await focused(page)).toBe('Show on OpenStreetMap: Correos Centro')
  expect(await page.$$eval('a', (all) => all.filter((one) => one.tabIndex === 0).length)).toBe(2)
})

it('map and list highlight each other', async () => {
  const { page } = await open(await mapFile(SAMPLE))
  const hot = () =>
    page.$$eval('.hot', (all) =>
      all.map((one) => one.getAttribute('data-points') ?? one.id.replace('point-', '#')),
    )
  await page.hover('#point-3')
  expect(await hot()).toEqual(['3', '#3'])
  await page.hover('.marker[data-points="5"] circle')
  expect(await hot()).toEqual(['5', '#5'])
})

it('a shared sign cycles through its points', async () => {
  const here = { latitude: 40.41, longitude: -3.7 }
  const body = [
    {
      carrierCode: 'C',
      pudoPoints: [
        { name: 'A', ...here },
        { name: 'B', ...here },
        { name: 'C', latitude: 40.42, longitude: -3.71 },
      ],
    },
  ]
  const { page } = await open(await mapFile(body))
  const group = await page.$eval(
    '.marker[data-points*=" "]',
    (one) => one.getAttribute('data-points')?.split(' ').map(Number) ?? [],
  )
  expect(group).toHaveLength(2)
  for (const number of [...group, group[0] ?? 0]) {
    await page.click('.marker[data-points*=" "]')
    expect(await isPicked(page, number)).toBe(true)
  }
})

it('the map makes no network request, and violates none of its own rules', async () => {
  const file = await mapFile(SAMPLE)
  const { page, asked, errors } = await open(file)
  await page.click('.marker')
  expect(asked.filter((url) => !url.startsWith('data:'))).toEqual([pathToFileURL(file).href])
  expect(errors).toEqual([])
})

it('the map runs no script from the service', async () => {
  const evil = `</script></style><script>alert(1)</script><img src=x onerror=alert(2)>"'><svg onload=alert(3)>`
  const body = [
    {
      carrierCode: evil,
      pudoPoints: [
        {
          id: evil,
          name: evil,
          locationType: evil,
          address: { line1: evil, city: evil },
          latitude: 40.4,
          longitude: -3.7,
        },
      ],
    },
  ]
  const { page, errors, asked } = await open(await mapFile(body))
  await page.click('.marker')
  expect([errors, asked.filter((url) => !url.startsWith('data:')).length]).toEqual([[], 1])
  expect(
    await page.$$eval('script, img, svg', (all) => all.map((one) => one.nodeName.toLowerCase())),
  ).toEqual(['svg', 'script'])
  expect(await status(page)).toContain(evil)
})

it('the map is readable without script, and prints on few pages', async () => {
  const { page } = await open(await mapFile(manyPoints(25)), { script: false })
  const text = await page.$eval('main', (main) => main.textContent)
  expect(text).toContain('Point 24 of the long street')
  const pdf = Buffer.from(await page.pdf({ format: 'a4' })).toString('latin1')
  expect(Number(/\/Count (\d+)/.exec(pdf)?.[1])).toBeLessThanOrEqual(4)
})

it('the map shows a thousand points', async () => {
  const { page, errors } = await open(await mapFile(manyPoints(1000)))
  expect(await page.$$('li')).toHaveLength(1000)
  expect((await page.$$('.marker')).length).toBeLessThanOrEqual(60)
  await page.click('#point-1000 button')
  expect(await isPicked(page, 1000)).toBe(true)
  expect(errors).toEqual([])
})

it('every sign is inside the map and none covers another', async () => {
  const { page } = await open(await mapFile(manyPoints(40)))
  const boxes = await page.$$eval('.marker circle', (all) =>
    all.map((one) => {
      const { left, top, width } = one.getBoundingClientRect()
      return { x: left + width / 2, y: top + width / 2, r: width / 2 }
    }),
  )
  expect(boxes.length).toBeGreaterThan(15)
  for (const [index, one] of boxes.entries()) {
    for (const other of boxes.slice(index + 1)) {
      expect(Math.hypot(one.x - other.x, one.y - other.y)).toBeGreaterThan(one.r + other.r - 2)
    }
  }
})
