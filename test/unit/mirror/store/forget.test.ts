import { expect, it } from 'vitest'
import { countMirror } from '../../../../src/lib/mirror/stats/facts.ts'
import { applyReturns } from '../../../../src/lib/mirror/store/apply.ts'
import { forgetPerson, removeReturns } from '../../../../src/lib/mirror/store/forget.ts'
import { countHeld } from '../../../../src/lib/mirror/sync/steps.ts'
import type { Return } from '../../../../src/lib/wire/returns.ts'
import { eachReturn } from '../../../helpers/mirror-home.ts'
import { newMirror } from '../../../helpers/new-mirror.ts'
import { times } from '../../../helpers/values-of.ts'

const returnOf = (id: number, email: string) =>
  ({
    record: {
      id: `${id}`,
      name: `R#-${id}`,
      createdAt: '2026-04-01 10:00:00Z',
      customer: { email },
    } as Return,
    syncedAt: '2026-04-15T12:00:00.000Z',
  }) as const

async function mirrorWith(...emails: string[]) {
  const { mirror } = await newMirror()
  await applyReturns(
    mirror.db,
    emails.map((email, index) => returnOf(index, email)),
  )
  const held = async () => {
    const emailsHeld: unknown[] = []
    for await (const { record } of eachReturn(mirror)) emailsHeld.push(record.customer?.email)
    return emailsHeld
  }
  return { mirror, held }
}

it('timers and signals have their turns while many returns are removed', async () => {
  const emails = times(3000, (at) => `${at}@example.com`)
  const { mirror, held } = await mirrorWith(...emails)
  let turns = 0
  const timer = setInterval(() => (turns += 1), 1)
  await removeReturns(mirror.db, [...emails.keys()].map(String))
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
  expect(await held()).toEqual([])
})

it.each([
  [
    'jörg.müller@example.com',
    ['JÖRG.MÜLLER@example.com', 'Jörg.Müller@Example.COM', ' jo\u0308rg.mu\u0308ller@example.com'],
  ],
  ['ＪＯ@example.com', ['jo@example.com', 'Ｊｏ@example.com']],
  ['kim@example.com', ['\u212aim@example.com', 'kim@example.com']],
  ['o"%_\\@example.com', ['O"%_\\@example.com']],
])('forgets all returns of %s, however their address is written, and no others', async (email, theirs) => {
  const others = ['xjörg.müller@example.com', 'ojo@example.com', 'o"%__@example.com', `my+${email}`]
  const { mirror, held } = await mirrorWith(...theirs, ...others)
  expect(await forgetPerson(mirror, email)).toBe(theirs.length)
  expect((await held()).sort()).toEqual(others.sort())
})

it('removes the copy of a return that comes with the address of a forgotten person', async () => {
  const { mirror, held } = await mirrorWith('a@example.com', 'b@example.com')
  await forgetPerson(mirror, 'c@example.com')
  const applied = await applyReturns(mirror.db, [returnOf(0, 'C@example.com')])
  expect([applied.refused, await held()]).toEqual([1, ['b@example.com']])
  expect(await countMirror(mirror)).toMatchObject({ returns: 1 })
  expect(await countHeld(mirror.db, undefined)).toBe(2)
})
