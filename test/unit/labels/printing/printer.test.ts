import { once } from 'node:events'
import { existsSync, watch, writeFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { delimiter, join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import {
  addressText,
  parsePrinter,
  printOnQueue,
  printRaw,
} from '../../../../src/lib/labels/printing/printer.ts'
import { newFolder, textFile } from '../../../helpers/files.ts'
import { expectRejection } from '../../../helpers/rejections.ts'
import { listening } from '../../../helpers/script-server.ts'

const servers: Server[] = []
const sockets: Socket[] = []
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
  for (const server of servers.splice(0)) server.close()
})

/** A printer that behaves as told; answers its address. */
async function printer(behave: (socket: Socket) => void, allowHalfOpen = false) {
  const server = createServer({ allowHalfOpen }, (socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    behave(socket)
  })
  servers.push(server)
  const port = await listening(server)
  return { host: '127.0.0.1', port }
}

const label = Buffer.alloc(3_000_000, '^XA^FDlabel^FS^XZ')

it('a slow printer gets every byte, and printRaw waits until it closes', async () => {
  let received = Buffer.alloc(0)
  const chunks: Buffer[] = []
  const address = await printer((socket) => {
    socket.on('data', (chunk) => {
      chunks.push(chunk)
      socket.pause()
      setImmediate(() => socket.resume())
    })
    socket.on('end', () => {
      received = Buffer.concat(chunks)
    })
  })
  expect(await printRaw(address, label, { timeoutMs: 5000 })).toEqual({
    bytes: 3_000_000,
    isConfirmed: true,
  })
  expect(received.equals(label)).toBe(true)
})

it('a printer that sends status bytes for ever does not delay the end', async () => {
  const address = await printer((socket) => {
    socket.resume()
    const sending = setInterval(() => socket.write('.'), 20)
    socket.once('close', () => clearInterval(sending))
  }, true)
  const printed = await printRaw(address, Buffer.from('^XA^XZ'), { timeoutMs: 100 })
  expect(printed).toEqual({ bytes: 6, isConfirmed: false })
})

const printMuch = (address: Parameters<typeof printRaw>[0], options = {}) =>
  printRaw(address, Buffer.alloc(30_000_000), { timeoutMs: 5000, ...options })

it('a printer that stops reading is unavailable, and a part may be printed', async () => {
  const address = await printer((socket) => socket.pause())
  await expectRejection(
    printMuch(address, { timeoutMs: 100 }),
    'unavailable',
    `Printing on 127.0.0.1:${address.port} broke off: nothing happened for 0.1 s. A part may have been printed.`,
  )
})

it('a printer that hangs up is unavailable', async () => {
  const address = await printer((socket) => socket.once('data', () => socket.resetAndDestroy()))
  await expectRejection(printMuch(address), 'unavailable', expect.stringContaining('broke off'))
})

it('a printer that ends the connection in order, before it has all, may not have printed', async () => {
  const address = await printer((socket) => {
    socket.once('data', () => {
      socket.end()
      setImmediate(() => socket.resume())
    })
  }, true)
  await expectRejection(
    printMuch(address),
    'unavailable',
    expect.stringContaining('it closed the connection before it had all. A part may have been printed.'),
  )
})

it.each(['', 'BUSY\r\n'])('a busy printer that says %j and hangs up has got nothing', async (words) => {
  const address = await printer((socket) => socket.end(words))
  await expectRejection(
    printRaw(address, Buffer.from('^XA^XZ'), { timeoutMs: 5000 }),
    'unavailable',
    /can't be reached: it closed the connection/,
  )
})

it('an interrupt ends printing, before and in the middle', async () => {
  const abort = new AbortController()
  const address = await printer((socket) => socket.once('data', () => abort.abort()))
  await expectRejection(
    printMuch(address, { signal: abort.signal }),
    'interrupted',
    expect.stringContaining('a part may have been printed'),
  )
  await expect(printRaw(address, label, { timeoutMs: 5000, signal: abort.signal })).rejects.toMatchObject({
    message: 'Interrupted: nothing was printed.',
  })
})

it.each([
  ['zebra', 'zebra', 9100],
  [' 192.168.1.50 ', '192.168.1.50', 9100],
  ['zebra.example.com:6101', 'zebra.example.com', 6101],
  ['[fe80::1%eth0]:9101', 'fe80::1%eth0', 9101],
  ['[::1]', '::1', 9100],
  ['fe80::1', 'fe80::1', 9100],
])('parsePrinter reads %s', (text, host, port) => {
  expect(parsePrinter(text)).toEqual({ host, port })
  expect(parsePrinter(addressText({ host, port }))).toEqual({ host, port })
})

it('cups:Zebra_ZD421 is a queue', () => {
  expect(parsePrinter('cups:Zebra_ZD421')).toEqual({ queue: 'Zebra_ZD421' })
  expect(addressText({ queue: 'Zebra_ZD421' })).toBe('cups:Zebra_ZD421')
})

it.each([
  '',
  ':9100',
  'a b',
  'http://zebra',
  'zebra:',
  'zebra:0',
  'zebra:70000',
  'zebra:x',
  '[zebra]:1',
  'cups:-h',
  'cups:a b',
])('parsePrinter refuses %j', (text) => {
  expect(() => parsePrinter(text)).toThrow(
    expect.objectContaining({ kind: 'usage', message: `"${text}" is not the address of a printer.` }),
  )
})

it.runIf(process.platform !== 'win32')(
  'an interrupt inside lp ends it with a warning that labels may be printed',
  async () => {
    const folder = newFolder()
    const started = join(folder, 'started')
    writeFileSync(
      join(folder, 'lp'),
      `#!/bin/sh\necho $$ > "${started}.tmp"; mv "${started}.tmp" "${started}"; exec sleep 60\n`,
      {
        mode: 0o755,
      },
    )
    const abort = new AbortController()
    const watcher = watch(folder)
    const printed = printOnQueue(
      'office',
      { language: 'pdf', data: Buffer.from('%PDF-') },
      {
        sheet: 'a4',
        timeoutMs: 50_000,
        signal: abort.signal,
        env: { PATH: `${folder}${delimiter}${process.env.PATH}` },
      },
    )
    while (!existsSync(started)) await once(watcher, 'change')
    watcher.close()
    abort.abort()
    await expectRejection(printed, 'interrupted', 'Interrupted: the queue may have the labels or not.')
    const pid = Number(textFile(started))
    const isGone = () => {
      try {
        process.kill(pid, 0)
        return false
      } catch {
        return true
      }
    }
    await expect.poll(isGone, { timeout: 5000 }).toBe(true)
  },
)
