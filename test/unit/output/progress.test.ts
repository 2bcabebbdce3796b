import { beforeEach, expect, test } from 'vitest'
import { createProgress, systemTimers, type Timers } from '../../../src/lib/output/progress.ts'
import { memoryStreams } from '../../helpers/memory-streams.ts'

/** Timers that fire when the test says that time has passed. */
function heldTimers() {
  const waiting = new Set<{ inMs: number; act: () => unknown; intervalMs?: number }>()
  const add = (timer: { inMs: number; act: () => unknown; intervalMs?: number }) => {
    waiting.add(timer)
    return () => waiting.delete(timer)
  }
  const timers: Timers = {
    after: (inMs, act) => add({ inMs, act }),
    every: (intervalMs, act) => add({ inMs: intervalMs, act, intervalMs }),
  }
  async function pass(ms: number) {
    for (const timer of [...waiting]) {
      timer.inMs -= ms
      if (timer.inMs > 0) continue
      await timer.act()
      if (timer.intervalMs) timer.inMs += timer.intervalMs
      else waiting.delete(timer)
    }
  }
  return { timers, pass, waiting }
}

let held: ReturnType<typeof heldTimers>
beforeEach(() => {
  held = heldTimers()
})

function shown(terminal: Parameters<typeof memoryStreams>[0] = { columns: 80 }, quiet = false) {
  const all = memoryStreams(terminal)
  const err = async () => (await all.written()).err
  return { ...all, err, progress: createProgress({ streams: all.streams, quiet, timers: held.timers }) }
}

test('a pipe gets a plain line every few seconds that says how far the work is', async () => {
  const { progress, written, err } = shown({})
  progress.start('Reading')
  await held.pass(2900)
  expect(await err()).toBe('')
  await held.pass(100)
  progress.update('Read 500\x1b')
  await held.pass(3000)
  progress.stop()
  await held.pass(9000)
  expect(await written()).toEqual({ out: '', err: 'Reading\nRead 500\\x1b\n' })
  expect(held.waiting.size).toBe(0)
})

test('a pipe gets how long work has stood still', async () => {
  const { progress, err } = shown({})
  progress.start('Reading')
  for (let i = 0; i < 3; i++) await held.pass(3000)
  progress.update('Read 500')
  await held.pass(3000)
  progress.stop()
  expect(await err()).toBe('Reading\nReading (6 s)\nReading (9 s)\nRead 500\n')
})

test('counted work says how much is done and, after two seconds, how long the rest takes', async () => {
  let nowMs = 0
  const all = memoryStreams({})
  const progress = createProgress({
    streams: all.streams,
    quiet: false,
    timers: held.timers,
    now: () => nowMs,
  })
  progress.start('Making labels')
  for (const [atMs, done] of [
    [1000, 10],
    [4000, 20],
    [4500, 30],
    [9000, 800],
  ] as const) {
    nowMs = atMs
    progress.count('Making labels', done, 800)
    await held.pass(3000)
  }
  progress.stop()
  expect((await all.written()).err.split('\n')).toEqual([
    'Making labels: 10 of 800',
    'Making labels: 20 of 800, about 3 min left',
    'Making labels: 30 of 800, about 2 min left',
    'Making labels: 800 of 800',
    '',
  ])
})

test('a dumb terminal is treated like a pipe', async () => {
  const { progress, err } = shown({ columns: 80, env: { TERM: 'dumb' } })
  progress.start('Reading')
  await held.pass(3000)
  progress.stop()
  expect(await err()).toBe('Reading\n')
})

test('quick work shows no progress', async () => {
  const { progress, err } = shown()
  progress.start('Reading')
  await held.pass(149)
  progress.stop()
  await held.pass(1000)
  expect(await err()).toBe('')
})

test('longer work shows a spinner on the error stream, and leaves its line empty', async () => {
  const { progress, written } = shown()
  progress.start('Reading\x1b[2J')
  await held.pass(150)
  progress.update('Read 500')
  progress.stop()
  const { out, err } = await written()
  expect(out).toBe('')
  expect(err).toContain('Reading\\x1b[2J')
  expect(err).not.toContain('\x1b[?25l')
  expect(err.endsWith('<to><clear>')).toBe(true)
})

test('the spinner’s line is cleared before anything else is written', async () => {
  const { progress, streams, stderr, err } = shown()
  progress.start('Reading')
  await held.pass(150)
  expect((await err()).endsWith('<to><clear>')).toBe(false)
  await streams.out.write('a row\n')
  await streams.flush()
  expect(stderr.text().endsWith('<to><clear>')).toBe(true)
  progress.stop()
})

test('stopping while the spinner loads leaves nothing behind', async () => {
  const { progress, err } = shown()
  progress.start('Reading')
  const loading = held.pass(150)
  progress.stop()
  await loading
  expect(await err()).toBe('')
})

test('an ended progress can not be started again', async () => {
  const { progress, err } = shown()
  progress.start('One')
  await held.pass(150)
  progress.end()
  const shownBefore = await err()
  progress.start('Two')
  progress.update('Three')
  await held.pass(1000)
  expect([await err(), held.waiting.size]).toEqual([shownBefore, 0])
})

test('a stopped progress can be started again', async () => {
  const { progress, err } = shown()
  progress.start('One')
  progress.start('Two')
  await held.pass(150)
  progress.stop()
  progress.start('Three')
  await held.pass(150)
  progress.stop()
  progress.stop()
  const text = await err()
  expect(['One', 'Two', 'Three'].map((word) => text.includes(word))).toEqual([false, true, true])
})

test.each([80, undefined])('quiet shows nothing (columns: %s)', async (columns) => {
  const { progress, err } = shown(columns ? { columns } : {}, true)
  progress.start('Reading')
  progress.update('Still reading')
  await held.pass(60_000)
  progress.stop()
  expect(await err()).toBe('')
})

test('the timers of the process fire, and can be cancelled', async () => {
  const fired: string[] = []
  systemTimers.after(0, () => fired.push('cancelled'))()
  systemTimers.every(1, () => fired.push('cancelled'))()
  await new Promise<void>((resolve) => {
    const cancel = systemTimers.every(1, () => {
      fired.push('every')
      cancel()
      systemTimers.after(1, resolve)
    })
    // The timers under test do not keep the process alive; this one does.
    setTimeout(() => {}, 50)
  })
  expect(fired).toEqual(['every'])
})
