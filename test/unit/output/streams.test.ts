import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { PassThrough, Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { AppError } from '../../../src/lib/errors.ts'
import { ClosedPipe, openStreams } from '../../../src/lib/output/streams.ts'
import { typed } from '../../helpers/command-line.ts'
import { memoryStreams } from '../../helpers/memory-streams.ts'

const streamsTo = (stdout: Writable, stderr: Writable = new PassThrough()) =>
  openStreams({ stdout, stderr, stdin: Readable.from([]), env: {} }, { noColor: false })

function reader(script: string) {
  const child = spawn('sh', typed`-c ${script}`, { stdio: ['pipe', 'pipe', 'inherit'] })
  const streams = streamsTo(child.stdin)
  return { child, streams, output: text(child.stdout) }
}

test('every line reaches a reader that sleeps, and the writer waits for it', async () => {
  const { child, streams, output } = reader('sleep 0.3; wc -l')
  let longestQueue = 0
  for (let line = 0; line < 20_000; line += 1) {
    await streams.out.write(`line ${line} ${'x'.repeat(60)}\n`)
    longestQueue = Math.max(longestQueue, child.stdin.writableLength)
  }
  await streams.flush()
  child.stdin.end()
  expect((await output).trim()).toBe('20000')
  // 1.4 MB were written; without back-pressure all of it would have been in the queue.
  expect(longestQueue).toBeLessThan(200_000)
})

test.each(['', 'x'])('texts of megabytes arrive whole and in order (%o)', async (start) => {
  const { child, streams, output } = reader('cat')
  const long = start + '😀'.repeat(2 ** 20)
  void streams.out.write(long)
  await streams.out.write(long)
  await streams.flush()
  child.stdin.end()
  expect((await output) === long + long).toBe(true)
})

test('a reader that leaves ends the writer with ClosedPipe', async () => {
  const { streams, output } = reader('head -n 1')
  const writing = (async () => {
    for (let line = 0; ; line += 1) await streams.out.write(`line ${line}\n`)
  })()
  await expect(writing).rejects.toBeInstanceOf(ClosedPipe)
  expect(await output).toBe('line 0\n')
  await expect(streams.out.write('more')).rejects.toBeInstanceOf(ClosedPipe)
})

test('a reader that leaves between two writes is noticed by the next', async () => {
  const { child, streams } = reader('exit 0')
  await once(child.stdin, 'close')
  await expect(streams.out.write('x')).rejects.toBeInstanceOf(ClosedPipe)
  await expect(streams.flush()).resolves.toBeUndefined()
})

function failing(code: string) {
  return new Writable({
    write: (_chunk, _encoding, done) => done(Object.assign(new Error(`${code}: failed`), { code })),
  })
}

test.each([
  ['EPIPE', ClosedPipe],
  ['EOF', ClosedPipe],
  ['ENOSPC', AppError],
])('%s on standard output is a %o', async (code, kind) => {
  const streams = streamsTo(failing(code))
  await streams.out.write('x')
  await expect(streams.flush()).rejects.toBeInstanceOf(kind)
})

test('trouble with standard error is not a failure', async () => {
  const streams = streamsTo(new PassThrough(), failing('EPIPE'))
  await streams.err.write('one')
  await streams.err.write('two')
  await expect(streams.flush()).resolves.toBeUndefined()
})

test('small writes are gathered, and leave with the turn of the event loop', async () => {
  const { streams, stdout } = memoryStreams()
  for (let line = 0; line < 1000; line += 1) await streams.out.write('x\n')
  await new Promise((resolve) => setImmediate(() => setImmediate(resolve)))
  expect(stdout.text()).toHaveLength(2000)
  expect(stdout.parts()).toBe(1)
})

test('one terminal shows texts in the order they were written', async () => {
  const order: string[] = []
  const sink = (name: string) =>
    new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        order.push(name + chunk)
        done()
      },
    })
  const streams = streamsTo(sink('out '), sink('err '))
  streams.out.write('1')
  streams.err.write('2')
  streams.out.write('3')
  await streams.flush()
  expect(order).toEqual(['out 1', 'err 2', 'out 3'])
})

test('listeners hear of a write before it happens, until they are removed', async () => {
  const { streams, written } = memoryStreams()
  const heard: string[] = []
  const remove = streams.beforeWrite(() => heard.push('heard'))
  await streams.err.write('a')
  await streams.out.write('b')
  await written()
  remove()
  await streams.err.write('c')
  expect(heard).toHaveLength(2)
})

test.each([
  { title: 'a pipe', columns: undefined, env: {}, colour: false },
  { title: 'a terminal', columns: 100, env: {}, colour: true },
  { title: 'a dumb terminal', columns: 100, env: { TERM: 'dumb' }, colour: false },
  { title: 'NO_COLOR', columns: 100, env: { NO_COLOR: '1' }, colour: false },
  { title: 'an empty NO_COLOR', columns: 100, env: { NO_COLOR: '' }, colour: true },
  { title: 'FORCE_COLOR on a pipe', columns: undefined, env: { FORCE_COLOR: '1' }, colour: true },
  { title: 'FORCE_COLOR=0', columns: 100, env: { FORCE_COLOR: '0' }, colour: false },
  {
    title: 'FORCE_COLOR over NO_COLOR',
    columns: 100,
    env: { FORCE_COLOR: '1', NO_COLOR: '1' },
    colour: true,
  },
  {
    title: '--no-color over FORCE_COLOR',
    columns: 100,
    env: { FORCE_COLOR: '1' },
    noColor: true,
    colour: false,
  },
])('colour for $title: $colour', ({ columns, env, noColor, colour }) => {
  const { streams } = memoryStreams({ ...(columns && { columns }), env, noColor: noColor ?? false })
  expect([streams.out.colour, streams.err.colour]).toEqual([colour, colour])
})

test('nothing is redrawn on a terminal of 0 columns, whose spinner would never end', () => {
  const { streams } = memoryStreams({ columns: 0 })
  expect([streams.err.isTerminal, streams.err.canRedraw, streams.err.columns]).toEqual([true, false, 80])
})

test('columns follow the terminal, and a pipe has none', () => {
  const { streams, stdout } = memoryStreams({ columns: 100 })
  expect([streams.out.isTerminal, streams.out.columns, streams.err.columns]).toEqual([true, 100, 100])
  Object.assign(stdout, { columns: 60 })
  expect(streams.out.columns).toBe(60)
  expect(memoryStreams().streams.out.columns).toBeUndefined()
})

test('standard input is read whole, even with a character split between two parts', async () => {
  const bytes = Buffer.from('\ufeffaé\n')
  const { streams } = memoryStreams({ input: [bytes.subarray(0, 5), bytes.subarray(5)] })
  expect(await streams.readAllInput()).toBe('aé\n')
})

test.each([
  [
    ['a\nb', 'c\r\nd'],
    ['a', 'bc', 'd'],
  ],
  [
    ['a\n', '\n'],
    ['a', ''],
  ],
  [[], []],
])('standard input of %j has the lines %j', async (input, expected) => {
  const { streams } = memoryStreams({ input })
  const lines: string[] = []
  for await (const line of streams.inputLines()) lines.push(line)
  expect(lines).toEqual(expected)
})

test('standard input is not touched before it is read', () => {
  const stdin = new PassThrough()
  openStreams({ stdout: new PassThrough(), stderr: new PassThrough(), stdin, env: {} }, { noColor: false })
  expect(stdin.readableFlowing).toBeNull()
  expect(stdin.eventNames()).toEqual(new PassThrough().eventNames())
})
