import { expect, it } from 'vitest'
import { TextScreen } from '../../../src/lib/desk/text-screen.ts'
import { newDesk } from '../../helpers/new-desk.ts'

it('a text is read once for all refreshes that come while it is being read', async () => {
  const texts: ((text: string) => void)[] = []
  const desk = newDesk()
  const screen = new TextScreen(desk, 'card', () => new Promise((resolve) => texts.push(resolve)), [])
  for (let tick = 0; tick < 3; tick += 1) screen.refresh()
  expect(texts).toHaveLength(1)
  texts[0]?.('old')
  await expect.poll(() => texts.length).toBe(2)
  texts[1]?.('new')
  await expect.poll(() => screen.lines).toEqual(['new'])
  expect(texts).toHaveLength(2)
})

it('a text keeps a command whole that is longer than the screen, in colour or not', () => {
  const next = "Next   Find a drop-off point: rma pudos search 'R#-LU105189' --profile live --shop LUMBRE-ES"
  const screen = new TextScreen(newDesk(), 'card', async () => '', [])
  screen.lines = ['\x1b[32mfits\x1b[39m', next, `\x1b[33m${next}\x1b[39m`]
  const drawn = screen.draw({ rows: 20, columns: 40 })
  const wrapped = [
    'Next   Find a drop-off point:',
    "rma pudos search 'R#-LU105189' --profile",
    'live --shop LUMBRE-ES',
  ]
  expect(drawn).toEqual(['\x1b[32mfits\x1b[39m', ...wrapped, ...wrapped])
})
