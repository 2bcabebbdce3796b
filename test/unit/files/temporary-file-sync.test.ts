import { setImmediate as turn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { GroupSync } from '../../../src/lib/files/temporary-file.ts'

/** A disk that ends each sync when it is told to. */
function disk() {
  const started: number[] = []
  const ends = new Map<number, (error?: Error) => void>()
  const group = new GroupSync((file) => {
    started.push(file)
    return new Promise((resolve, reject) => ends.set(file, (error) => (error ? reject(error) : resolve())))
  })
  const end = (file: number, error?: Error) => {
    const one = ends.get(file) ?? expect.fail(`${file} has not begun`)
    one(error)
    return turn()
  }
  return { group, started, end }
}

it('GroupSync syncs all waiting writes together, and later ones in the next round', async () => {
  const { group, started, end } = disk()
  const done: number[] = []
  const sync = (file: number) => group.sync(file).then(() => done.push(file))
  void sync(1)
  void sync(2)
  expect(started).toEqual([])
  await turn()
  expect(started).toEqual([1, 2])
  void sync(3)
  await end(1)
  expect([started, done]).toEqual([[1, 2], [1]])
  await end(2)
  await turn()
  expect([started, done]).toEqual([
    [1, 2, 3],
    [1, 2],
  ])
  await end(3)
  expect(done).toEqual([1, 2, 3])
})

it('GroupSync pauses between rounds, so that all waiting writers can write', async () => {
  const { group, started, end } = disk()
  await group.quiet()
  void group.sync(1)
  await turn()
  const written: number[] = []
  const write = async (file: number) => {
    await group.quiet()
    written.push(file)
    void group.sync(file)
  }
  void write(2)
  void write(3)
  await turn()
  expect(written).toEqual([])
  await end(1)
  expect(written).toEqual([2, 3])
  await turn()
  expect(started).toEqual([1, 2, 3])
})

it('a failed sync of GroupSync fails alone, and the next round follows', async () => {
  const { group, end } = disk()
  const [bad, good] = [group.sync(1), group.sync(2)]
  const failure = expect(bad).rejects.toThrow('EIO')
  await turn()
  await end(1, new Error('EIO'))
  await end(2)
  await failure
  await good
  const next = group.sync(3)
  await turn()
  await end(3)
  await next
})
