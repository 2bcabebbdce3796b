import { expect, test } from 'vitest'
import { GroupCommit } from '../../../../src/lib/sandbox/store/group-commit.ts'

/** Transactions that append to a list, and can be held up or made to fail. */
function target() {
  const state = {
    rows: [] as string[],
    groups: 0,
    hold: Promise.resolve(),
    failure: undefined as Error | undefined,
  }
  const commits = new GroupCommit<string[]>({
    async transaction(work) {
      await state.hold
      const rows = [...state.rows]
      work(rows)
      if (state.failure) throw state.failure
      state.rows = rows
      state.groups += 1
    },
    part: (work) => work(),
  })
  const add = (row: string) => commits.write((rows) => rows.push(row))
  return { state, commits, add }
}

test('writes that come together share a transaction, in their order', async () => {
  const { state, add } = target()
  expect(await Promise.all([add('a'), add('b'), add('c')])).toEqual([1, 2, 3])
  expect(state).toMatchObject({ rows: ['a', 'b', 'c'], groups: 1 })
  await add('d')
  expect(state.groups).toBe(2)
})

test('none is answered before its transaction has ended', async () => {
  const { state, add } = target()
  let release = () => {}
  state.hold = new Promise((resolve) => {
    release = resolve
  })
  const answered: string[] = []
  const first = add('a').then(() => answered.push('a'))
  await new Promise((resolve) => setImmediate(resolve))
  // Comes while the first waits for the disk, or for another process.
  const second = add('b').then(() => answered.push('b'))
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
  expect(answered).toEqual([])
  release()
  await Promise.all([first, second])
  expect([answered, state.groups]).toEqual([['a', 'b'], 1])
})

test('one that fails fails alone', async () => {
  const { state, commits, add } = target()
  const results = await Promise.allSettled([
    add('a'),
    commits.write(() => {
      throw new Error('not this one')
    }),
    add('c'),
  ])
  expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled'])
  expect(state.rows).toEqual(['a', 'c'])
})

test('a transaction that fails fails all of its writes, and later ones go on', async () => {
  const { state, add } = target()
  state.failure = new Error('disk full')
  const results = await Promise.allSettled([add('a'), add('b')])
  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  state.failure = undefined
  await add('c')
  expect(state.rows).toEqual(['c'])
})

test('more than a group takes is written in several', async () => {
  const { state, add } = target()
  await Promise.all(Array.from({ length: 1200 }, (_, i) => add(String(i))))
  expect([state.rows.length, state.groups]).toEqual([1200, 3])
})
