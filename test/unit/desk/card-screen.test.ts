import { expect, it } from 'vitest'
import { cardScreen } from '../../../src/lib/desk/card-screen.ts'
import { newDesk } from '../../helpers/new-desk.ts'

/** Desk on the card of a return, with two printers by default. The platform answers once `answering` resolves. */
function deskOnCard({ printers = ['front', 'back'], answering = Promise.resolve() } = {}) {
  const lines: string[] = []
  const desk = newDesk(async (words) => {
    lines.push(words.join(' '))
    if (words[0] !== 'printers') await answering
    if (words[0] === 'returns') return '{"name": "R#-LU1", "activeTransportation": {"id": "7"}}'
    return words[0] === 'printers' ? JSON.stringify(printers.map((name) => ({ name }))) : ''
  })
  const card = cardScreen(desk, 'R#-LU1')
  desk.open(card)
  return { desk, card, lines }
}

it('a chosen tracking status leads back to the card, and is sent after a question only', () => {
  const { desk, card, lines } = deskOnCard()
  desk.onKey('t')
  expect(desk.top?.title).toBe('tracking update of R#-LU1')
  desk.onKey('return')
  expect(desk.top).toBe(card)
  expect(desk.question?.[0]).toMatch(/^Tell the platform that R#-LU1 is "/)
  expect(lines.filter((line) => line.startsWith('tracking'))).toEqual([])
})

it('a chosen printer leads back to the card, and prints the label there', async () => {
  const { desk, card, lines } = deskOnCard()
  desk.onKey('p')
  await expect.poll(() => desk.top?.title).toBe('print R#-LU1 on')
  desk.onKey('down')
  desk.onKey('return')
  expect(desk.top).toBe(card)
  await expect.poll(() => lines).toContain('labels print R#-LU1-T7 --no-files --printer back')
})

it.each([
  ['the only printer', ['front']],
  ['a chosen printer', ['front', 'back']],
])(
  'the desk prints one label on %s if p is pressed again before the platform answers',
  async (_, printers) => {
    let answer = () => {}
    const answering = new Promise<void>((resolve) => {
      answer = resolve
    })
    const { desk, lines } = deskOnCard({ printers, answering })
    const choose = async () => {
      if (printers.length < 2) return
      await expect.poll(() => desk.top?.title).toBe('print R#-LU1 on')
      desk.onKey('return')
    }
    const prints = () => lines.filter((line) => line.startsWith('labels print'))
    desk.onKey('p')
    await choose()
    await expect.poll(() => desk.message).toBe('Looking for the label…')
    desk.onKey('p')
    expect(desk.message).toBe('Still under way…')
    answer()
    await expect.poll(() => desk.message).toBe('Done.')
    expect(prints()).toHaveLength(1)
    desk.onKey('p')
    await choose()
    await expect.poll(prints).toHaveLength(2)
  },
)
